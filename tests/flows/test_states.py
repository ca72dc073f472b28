"""Every action × state × role of each life cycle, through the API: what happens is what the tables say.

For each row of a ``states.py``, a row of data is put into every state that the table knows and everybody tries the
action on it. Whoever the permission table lets in moves the row to the table's target, if its state is among the row's
sources; in every other case the row and its audit log stay as they were. A new action needs its line in ``WAYS``; that
none is missing is asserted.

Items of teams are tried by members as well, whose relations to the item decide besides: who wrote its newest revision,
who leads the team, who holds its seat.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from annotation.draws.models import Draw, Drawn
from annotation.items import states as item_states
from annotation.items.models import Item, ItemRevision
from annotation.items.states import Relation
from annotation.judging.models import Verdict
from annotation.packages import services as packages
from annotation.packages import states as package_states
from annotation.packages.models import Package, PackageItem
from annotation.peer import states as peer_states
from annotation.peer.rules import PURPOSE, ROUND
from annotation.quality import services as quality
from annotation.releases import queries as release_queries
from annotation.releases import services as release_services
from annotation.releases import states as release_states
from annotation.releases.models import Release, ReleaseFile
from annotation.seats import states as seat_states
from annotation.seats.models import Seat
from curation.benchmarks.queries import preset
from curation.core import jobs
from curation.core.models import AuditEvent, Job
from curation.core.operations import Reach
from curation.core.transitions import SYSTEM
from curation.images import states as image_states
from curation.images.models import Image, Rendition, Takedown
from curation.people.models import Team
from curation.people.rules import Grant, reach
from evaluation.runs import states as run_states
from evaluation.runs.models import ReplyFailure, Run
from evaluation.systems.models import System
from tests.annotation.teams import MEMBER, member, team_of
from tests.annotation.track import sample_of_one
from tests.declared import states_of
from tests.evaluation.accepted import RETRIEVAL, set_of_work
from tests.flows.stage import CAPABILITIES
from tests.people import ROLES as STANDARD
from tests.people import Role, World, send, signed_in, world
from tests.protocols import names
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db

NOBODY = ("stranger", "signed out")
ROLES = (*(role.value for role in Role), *NOBODY)
REASON = {"reasons": [], "comment": "看一看"}
# Members of the item's team, which ``lead`` leads; ``editor`` edits what ``author`` wrote. ``foreigner`` is in another.
MEMBERS = ("lead", "author", "editor", "colleague", "foreigner")


@dataclass
class Row:
    """A row in some state, with what stands around it."""

    here: World
    image: Image
    item: Item | None = None
    parts: dict[str, set[str]] | None = None  # of an item of a team: relations to it by role
    package: Package | None = None
    seat: Seat | None = None
    release: Release | None = None
    run: Run | None = None

    def commanded(self, **more: Any) -> dict[str, Any]:
        """Body of a command on the package."""
        return {"revision": self.package.revision, "client_key": uuid.uuid4().hex} | more


@dataclass(frozen=True)
class Way:
    """How an action is tried.

    Attributes:
        address: What is asked for.
        body: What is sent.
        made: What the row needs around it: arguments of the table's builder.
        after: What the application does by itself afterwards.
        also: Other actions of the same operation that the row's state, or the person's part, chooses between.
        by: The action's operation, where a person's part in it has another name than the table's.
        stands: Where a row starts that this action finds in a state only for a moment.
    """

    address: Callable[[Row], str] = lambda _: ""
    body: Callable[[Row], dict[str, Any]] = lambda _: {"client_key": uuid.uuid4().hex}
    made: dict[str, Any] = field(default_factory=dict)
    after: Callable[[], Any] | None = None
    also: tuple[str, ...] = ()
    by: str = ""
    stands: dict[str, str] = field(default_factory=dict)


class Scene:
    """Three benchmarks, one with pools, one with teams, and a browser for everybody in each."""

    def __init__(self) -> None:
        self.number = 0
        self.worlds, self.browsers = {}, {}
        pool, peer = {"people": 2, "held": 5}, {"items_per_team": 200, "spot_check_percent": 10, "blind": False}
        for slug in ("plain", "pooled", "teams"):
            content = preset("cvlue").content
            pools = pool if slug == "pooled" else None
            content["tracks"]["package"] |= {"review_pool": pools, "inspection_pool": pools}
            if slug == "teams":
                content["tracks"]["peer"] = peer
                content["kinds"]["captions"] |= {"track": "peer", "per_picture": {"minimum": 1, "maximum": 3}}
                content["roles"] = [*STANDARD, MEMBER]
            self.worlds[slug] = here = world(content, slug=slug, prefix=f"{slug}-")
            people = {name: getattr(here, name) for name in ROLES if name != "signed out"}
            if slug == "teams":
                self.team = team_of(here, "thai", MEMBERS[:-1], 0)
                team_of(here, "urdu", MEMBERS[-1:], 0)
                people |= {name: member(here, name) for name in MEMBERS}
            self.browsers[slug] = {name: signed_in(who) for name, who in people.items()}
            self.browsers[slug]["signed out"] = Client(raise_request_exception=False)

    def image(self, here: World, state: str, *, before: str = "accepted", team: Team | None = None) -> Image:
        self.number += 1
        made = Image.objects.create(
            benchmark=here.benchmark,
            number=self.number,
            team=team,
            sha256=f"{self.number:064x}",
            phash=self.number,
            width=800,
            height=600,
            contributor=here.contributor,
            source={"kind": "own", "url": "", "author": ""},
            licence="own-work",
            state=state,
            pii_clear_by=here.curator2,
            client_key=uuid.uuid4(),
        )
        Rendition.objects.bulk_create(
            Rendition(image=made, role=role, sha256="0" * 64, bytes=1, width=8, height=6, key=f"{made.pk}/{role}.webp")
            for role in ("clean", "view", "thumb")
        )
        if state == "withdrawn":
            given = {"no": 1, "by": here.admin, "state_from": before, "reason": "rights", "client_key": uuid.uuid4()}
            Takedown.objects.create(image=made, **given)
        return made

    def item(self, here: World, image: Image, state: str, *, revisions: int = 1) -> Item:
        made = Item.objects.create(
            benchmark=here.benchmark,
            kind="captions",
            image=image,
            number=self.number,
            state=state,
            revision_no=revisions,
            accepted_no=revisions if state == "accepted" else None,
            excluded_for="picture" if state == "excluded" else "",
        )
        for no in range(1, revisions + 1):
            ItemRevision.objects.create(
                item=made,
                no=no,
                author=here.annotator,
                origin="annotator",
                content=five_captions(self.number),
                protocol=here.benchmark.protocol,
                client_key=uuid.uuid4(),
            )
        return made

    def place(self, here: World, item: Item, state: str, *, active: bool = True, pooled: bool = False) -> Package:
        """A package in a state with one item, ticked."""
        written_by = None if state == "available" else here.annotator
        reviewed = state in ("reviewing", "inspecting", "passed") and not pooled
        made = Package.objects.create(
            benchmark=here.benchmark,
            kind="captions",
            number=self.number,
            protocol=here.benchmark.protocol,
            state=state,
            assignee=written_by,
            reviewer=here.senior if reviewed else None,
            pooled=pooled and state in ("reviewing", "inspecting", "passed"),
            round=1,
        )
        PackageItem.objects.create(package=made, item=item, position=1, active=active, checked_no=item.revision_no)
        return made

    def verdict(self, row: Row, judge: Any, stage: str, outcome: str) -> None:
        Verdict.objects.create(
            item=row.item,
            revision_no=row.item.revision_no,
            author_id=row.here.annotator.pk,
            judge=judge,
            stage=stage,
            package_id=row.package.pk,
            round=1,
            outcome=outcome,
            client_key=uuid.uuid4(),
        )

    def draw(self, row: Row) -> None:
        sample_of_one(row.package, row.item)

    # --- one builder for each table ---

    def of_image(self, state: str, *, before: str = "accepted") -> Row:
        here = self.worlds["plain"]
        return Row(here, self.image(here, state, before=before))

    def of_release(self, state: str) -> Row:
        here = self.worlds["plain"]
        row = Row(here, self.image(here, "accepted"))
        row.item = self.item(here, row.image, "accepted")
        now = timezone.now()
        dates = {
            "frozen": {"event_id": 1, "frozen_at": now},
            "published": {"event_id": 1, "frozen_at": now, "published_at": now},
            "withdrawn": {"withdrawn_at": now, "withdrawn_reason": "错"},
        }
        given = {"number": 1, "kind": "captions", "seed": 1, "state": state, "protocol": here.benchmark.protocol}
        row.release = Release.objects.create(benchmark=here.benchmark, **given, **dates.get(state, {}))
        ReleaseFile.objects.bulk_create(
            ReleaseFile(release=row.release, name=name, bytes=1, sha256="0" * 64)
            for name in release_queries.missing_files(row.release)
        )
        return row

    def of_run(self, state: str) -> Row:
        """A rolling run that could not answer for one picture."""
        row = self.of_item("accepted")
        fields = {field: f"{field}-{self.number}" for field in ("slug", "name", "revision")}
        row.run = Run.objects.create(
            system=System.objects.create(
                capabilities=["embed"], backend="x", locator="x", description=names("x"), **fields
            ),
            benchmark=row.here.benchmark,
            protocol=row.here.benchmark.protocol,
            suite="retrieval",
            set=set_of_work(row.here),
            settings=RETRIEVAL,
            state=state,
        )
        entry = row.run.set.entries.filter(item=row.item).first()
        ReplyFailure.objects.create(run=row.run, entry=entry, round=0, code="picture_missing", input="picture")
        return row

    def of_item(
        self, state: str, *, within: str = "working", said: str = "", withdrawn: bool = False, revisions: int = 1
    ) -> Row:
        here = self.worlds["plain"]
        row = Row(here, self.image(here, "withdrawn" if withdrawn else "accepted"))
        row.item = self.item(here, row.image, state, revisions=revisions)
        row.package = self.place(here, row.item, within, active=not withdrawn)
        if within == "inspecting":
            self.draw(row)
        if said:
            review = within == "reviewing"
            self.verdict(row, here.senior if review else here.curator, "review" if review else "inspection", said)
        return row

    def of_peer(
        self,
        state: str,
        *,
        withdrawn: bool = False,
        revisions: int = 1,
        drawn: bool = False,
        edited: bool = False,
        held: bool = False,
        closed: bool = False,
    ) -> Row:
        """An item of a team; ``edited``: by a colleague of its author, ``held``: a colleague has its seat."""
        if closed:
            Team.objects.filter(pk=self.team.pk).update(closed_at=timezone.now())
        here, number = self.worlds["teams"], self.number + 1
        row = Row(here, self.image(here, "withdrawn" if withdrawn else "accepted", team=self.team))
        row.item = item = Item.objects.create(
            benchmark=here.benchmark,
            kind="captions",
            image=row.image,
            number=number,
            track=Item.Track.PEER,
            team=self.team,
            state=state,
            revision_no=2 if edited else revisions,
            accepted_no=(2 if edited else revisions) if state == "accepted" else None,
            excluded_for="" if state != "excluded" else "picture",
        )
        for no in range(1, item.revision_no + 1):
            ItemRevision.objects.create(
                item=item,
                no=no,
                author=member(here, "editor" if no == 2 else "author"),
                origin="annotator",
                content=five_captions(1_000 + number + no),
                protocol=here.benchmark.protocol,
                client_key=uuid.uuid4(),
            )
        newest_author = "editor" if edited else "author"
        if state == "accepted" and item.revision_no:
            who = {"author_id": member(here, newest_author).pk, "judge": here.curator2}
            kept = {"stage": PURPOSE, "round": ROUND, "outcome": "star", "client_key": uuid.uuid4()}
            Verdict.objects.create(item=item, revision_no=item.revision_no, **who, **kept)
        if state in ("made", "accepted"):
            lease = {"lease_until": timezone.now() + timedelta(minutes=5), "hold_no": 1}
            kept = {"state": "held", "holder": member(here, "colleague")} | lease if held else {"state": "free"}
            kept = {"state": "done", "holder": here.curator2} if state == "accepted" else kept
            pool = {"benchmark": here.benchmark, "kind": "captions", "purpose": PURPOSE, "item": item}
            Seat.objects.create(group_id=self.team.pk, round=ROUND, no=1, rank=number, **kept, **pool)
        if drawn:
            draw = Draw.objects.create(
                benchmark=here.benchmark, kind="captions", purpose="spot_check", population=1, seed=b"0" * 16, size=1
            )
            Drawn.objects.create(draw=draw, item=item, revision_no=item.revision_no, stratum="random", ordinal=1)
        of_everybody = {Relation.DRAWN} if drawn and state == "accepted" else set()
        row.parts = {role: set(of_everybody) for role in (*ROLES, *MEMBERS)}
        for role in (*MEMBERS[:-1], "curator"):
            row.parts[role].add(Relation.NEWEST_AUTHOR if role == newest_author else Relation.NOT_NEWEST_AUTHOR)
        for role in MEMBERS[:-1]:
            row.parts[role].add(Relation.TEAM_MEMBER)
        if closed:
            row.parts["curator"].add(Relation.CURATOR_OF_CLOSED_TEAM)
        for role in ("lead", "author"):
            row.parts[role].add(Relation.FIRST_AUTHOR_OR_LEAD)
        for role in row.parts:
            if role == "colleague" or not (held and state == "made"):
                row.parts[role].add(Relation.NOT_HELD_BY_OTHERS)
        return row

    def of_package(self, state: str, *, said: str = "", active: bool = True, slug: str = "plain") -> Row:
        here = self.worlds[slug]
        row = Row(here, self.image(here, "accepted"))
        written = {"passed": "accepted", "available": "todo", "assigned": "todo", "withdrawn": "todo"}
        row.item = self.item(here, row.image, written.get(state, "made"))
        active = active and state != "withdrawn"
        row.package = self.place(here, row.item, state, active=active, pooled=slug == "pooled")
        if state in ("inspecting", "passed"):
            self.draw(row)
        if said in ("accept", "return"):
            self.verdict(row, here.senior, "review", said)
        if said in ("right", "wrong"):
            self.verdict(row, here.curator, "inspection", said)
        return row

    def of_seat(
        self, state: str, *, purpose: str = "review", item: str = "made", by: str = "senior", beside: bool = False
    ) -> Row:
        """A seat in somebody's hands; ``beside``: it is a colleague's, and the role that tries holds the other one."""
        here = self.worlds["pooled"]
        row = Row(here, self.image(here, "accepted"))
        row.item = self.item(here, row.image, item)
        row.package = self.place(here, row.item, "reviewing" if purpose == "review" else "inspecting", pooled=True)
        if purpose == "inspection":
            self.draw(row)
        pool = {"benchmark": here.benchmark, "kind": "captions", "purpose": purpose, "item": row.item}
        pool |= {"group_id": row.package.pk, "round": 1}
        holder = getattr(here, f"{by}2" if beside else by)
        held = {"holder": holder, "hold_no": 1, "lease_until": timezone.now() + timedelta(minutes=5)}
        values = {"free": {"lapsed_holder": holder}, "held": held, "done": {"holder": holder}}[state]
        row.seat = Seat.objects.create(no=1, rank=1, state=state, **values, **pool)
        if beside:
            Seat.objects.create(no=2, rank=2, state="held", **(held | {"holder": getattr(here, by)}), **pool)
        return row


def package_at(command: str) -> Callable[[Row], str]:
    return lambda row: f"packages/{row.package.pk}/{command}"


def item_at(command: str) -> Callable[[Row], str]:
    return lambda row: f"items/{row.item.pk}/{command}"


def image_at(command: str) -> Callable[[Row], str]:
    return lambda row: f"images/{row.image.pk}/{command}"


def run_at(command: str) -> Callable[[Row], str]:
    return lambda row: f"runs/{row.run.pk}/{command}"


def release_at(command: str) -> Callable[[Row], str]:
    return lambda row: f"releases/{row.release.pk}/{command}"


def freeze() -> None:
    """What a worker does after somebody asked."""
    asked = Job.objects.filter(task=release_services.FREEZE).latest("pk")
    assert jobs.run(asked.pk, release_services.freeze) == "done"


def pool_at(command: str, purpose: str = "review") -> Callable[[Row], str]:
    return lambda row: f"benchmarks/{row.here.benchmark.slug}/pools/{purpose}/{command}"


def decided(outcome: str) -> Callable[[Row], dict[str, Any]]:
    def body(row: Row) -> dict[str, Any]:
        verdict = {"image": row.image.pk, "no": 0, "outcome": outcome, "client_key": uuid.uuid4().hex}
        return {"verdicts": [verdict | {"reasons": ["watermark"] if outcome == "refused" else []}]}

    return body


def written(row: Row) -> dict[str, Any]:
    return {"base_no": row.item.revision_no, "client_key": uuid.uuid4().hex, "content": five_captions(1)}


def judged(outcome: str) -> Callable[[Row], dict[str, Any]]:
    def body(row: Row) -> dict[str, Any]:
        content = {"content": five_captions(2)} if outcome == "correct" else {}
        return {"revision_no": 1, "outcome": outcome, "client_key": uuid.uuid4().hex} | REASON | content

    return body


def skip_decided(*, agree: bool) -> Callable[[Row], dict[str, Any]]:
    return lambda _: {"agree": agree, "client_key": uuid.uuid4().hex} | REASON


def peer_judged(**more: Any) -> Callable[[Row], dict[str, Any]]:
    return lambda row: {"revision_no": row.item.revision_no, "client_key": uuid.uuid4().hex} | more


def seats(row: Row) -> dict[str, Any]:
    return {"seats": [row.seat.pk]}


def lapse() -> None:
    Seat.objects.filter(state="held").update(lease_until=timezone.now() - timedelta(seconds=1))
    quality.sweep_pools()


TAKE_DOWN = Way(
    image_at("take-down"),
    lambda _: {"reason": "rights", "client_key": uuid.uuid4().hex},
    after=packages.follow_pictures,
)
REVIEWED = Way(package_at("complete-review"), Row.commanded)
INSPECTED = Way(package_at("complete-inspection"), Row.commanded)
CLAIM = Way(lambda row: f"benchmarks/{row.here.benchmark.slug}/packages/claim", lambda _: {"kind": "captions"})


def way(base: Way, **changes: Any) -> Way:
    return Way(**({name: getattr(base, name) for name in Way.__dataclass_fields__} | changes))


WAYS: dict[str, dict[str, Way]] = {
    "image": {
        "accept": Way(lambda row: f"benchmarks/{row.here.benchmark.slug}/images/judge", decided("accepted")),
        "refuse": Way(lambda row: f"benchmarks/{row.here.benchmark.slug}/images/judge", decided("refused")),
        "take_down": way(TAKE_DOWN, after=None),
        "restore_received": Way(image_at("restore"), made={"before": "received"}),
        "restore_accepted": Way(image_at("restore"), made={"before": "accepted"}),
    },
    "item": {
        "submit": Way(item_at("submit"), written),
        "skip": Way(item_at("skip"), lambda row: {"base_no": 1, "client_key": uuid.uuid4().hex} | REASON),
        "correct": Way(item_at("review"), judged("correct"), made={"within": "reviewing"}),
        "return": way(REVIEWED, made={"within": "reviewing", "said": "return"}),
        "set_aside": Way(item_at("decide-skip"), skip_decided(agree=True), made={"within": "reviewing"}),
        "insist": Way(item_at("decide-skip"), skip_decided(agree=False), made={"within": "reviewing"}),
        "fail": way(INSPECTED, made={"within": "inspecting", "said": "wrong"}),
        "accept": way(INSPECTED, made={"within": "inspecting", "said": "right"}),
        "exclude": TAKE_DOWN,
        "readmit": Way(image_at("restore"), made={"withdrawn": True, "revisions": 0}, after=packages.follow_pictures),
        "readmit_written": Way(image_at("restore"), made={"withdrawn": True}, after=packages.follow_pictures),
        "exclude_accepted": Way(item_at("exclude"), peer_judged(reason="错"), made={"within": "passed"}),
    },
    "peer": {
        "submit": Way(item_at("submit"), lambda row: written(row) | {"track": "peer"}, also=("submit_again", "edit")),
        "star": Way(item_at("star"), peer_judged()),
        "send_back": Way(item_at("send-back"), peer_judged(**REASON)),
        "discard": Way(item_at("discard"), peer_judged()),
        "discard_of_closed_team": Way(item_at("discard"), peer_judged(), also=("discard",), made={"closed": True}),
        "spot_wrong": Way(item_at("spot-check"), peer_judged(outcome="wrong", **REASON), made={"drawn": True}),
        "exclude": TAKE_DOWN,
        "readmit": Way(image_at("restore"), made={"withdrawn": True, "revisions": 0}, after=packages.follow_pictures),
        "readmit_written": Way(image_at("restore"), made={"withdrawn": True}, after=packages.follow_pictures),
        "exclude_accepted": Way(item_at("exclude"), peer_judged(reason="错")),
    },
    "package": {
        "claim": way(CLAIM, also=("claim_assigned",)),
        "assign": Way(package_at("assign"), lambda row: row.commanded(person=row.here.annotator2.pk)),
        "unassign": Way(package_at("take-back"), Row.commanded, also=("revoke",)),
        "claim_assigned": way(CLAIM, also=("claim",)),
        "revoke": Way(package_at("take-back"), Row.commanded, also=("unassign",)),
        "withdraw": Way(package_at("withdraw"), Row.commanded),
        "resume": Way(package_at("resume"), Row.commanded),
        "submit": Way(package_at("hand-over"), Row.commanded),
        # A package of a benchmark with a pool is handed over only for as long as its seats are made.
        "open_pool": Way(
            package_at("hand-over"), Row.commanded, made={"slug": "pooled"}, stands={"handed_over": "working"}
        ),
        "start_review": Way(package_at("take-review"), Row.commanded),
        "return": way(REVIEWED, made={"said": "return"}),
        "draw": way(REVIEWED, made={"said": "accept"}),
        "dissolve": way(REVIEWED, made={"active": False}),
        "pass": way(INSPECTED, made={"said": "right"}),
        "fail": way(INSPECTED, made={"said": "wrong"}),
        "empty": TAKE_DOWN,
    },
    "seat": {
        "claim": Way(pool_at("claim"), lambda _: {"kind": "captions", "count": 1}),
        "renew": Way(pool_at("renew"), seats),
        "release": Way(pool_at("release"), seats),
        "lapse": Way(pool_at("renew"), lambda row: {"seats": [row.seat.pk + 1]}, after=lapse),
        "review": Way(item_at("review"), judged("accept")),
        "inspect": Way(item_at("inspect"), judged("right"), made={"purpose": "inspection", "by": "curator"}),
        "decide_skip": Way(item_at("decide-skip"), skip_decided(agree=False), made={"item": "skipped"}),
        "reopen": Way(item_at("review"), judged("correct"), made={"beside": True}),
    },
    "release": {
        "check": Way(release_at("check")),
        "reopen": Way(release_at("reopen")),
        "freeze": Way(release_at("freeze"), after=freeze),
        "publish": Way(release_at("publish")),
        "withdraw": Way(release_at("withdraw"), lambda _: {"reason": "错版", "client_key": uuid.uuid4().hex}),
    },
    "run": {action: Way(run_at(action)) for action in ("pause", "resume", "cancel", "retry")},
}
ROOMS = {
    "image": image_states,
    "item": item_states,
    "peer": peer_states,
    "package": package_states,
    "seat": seat_states,
    "release": release_states,
    "run": run_states,
}
# What leaves the state as it is, is tried in test_actions.py.
TABLES = {
    name: {action: row for action, row in room.TABLE.items() if row.target is not None} for name, room in ROOMS.items()
}
# Roles that an operation of a pool lets in for the other purpose only.
OF_THE_OTHER_PURPOSE = {"curator"}


def let_in(role: str, operation: str, name: str) -> bool:
    """Whether the permission table opens an operation; the rows stand so that the part in them is always the role's."""
    if operation == "item_submit" and role == "curator" and name != "peer":
        return False  # curators edit the items of teams
    if role in MEMBERS and operation == "image_take_down":
        return False  # of pictures that they contributed
    if role in NOBODY or (name == "seat" and role in OF_THE_OTHER_PURPOSE and operation.startswith("pool_")):
        return False
    held = MEMBER["capabilities"] if role in MEMBERS else CAPABILITIES[role]
    return reach([Grant(None, None, role, capabilities=held)], None, operation) is not Reach.NONE


def move_of(name: str, action: str, tried: Way, row: Row, state: str, role: str) -> str | None:
    """The table's action that a person's try is; None: the table, or the permission table, has none for them."""
    for each in (action, *tried.also):
        made = TABLES[name][each]
        has_part = row.parts is None or SYSTEM in made.by or row.parts[role].issuperset(made.by)
        if state in made.sources and has_part and let_in(role, made.operation, name):
            return each
    return None


def log_of(name: str, row: Any) -> list[tuple[str, str]]:
    events = AuditEvent.objects.filter(target_type=name, target_id=row.pk).exclude(state_to="").order_by("pk")
    return list(events.values_list("state_from", "state_to"))


@pytest.mark.parametrize("name", list(TABLES))
def test_every_action_of_every_state_by_every_role(name, capsys):
    scene, table, wrong, tried, moved = Scene(), TABLES[name], [], 0, set()
    assert {each for action, tries in WAYS[name].items() for each in (action, *tries.also)} == set(table)
    for action, tries in WAYS[name].items():
        for state, more, roles in rows_of(name):
            if action == "open_pool" and state == "working":
                continue  # that is where this one starts
            with transaction.atomic():
                made = getattr(scene, f"of_{name}")(tries.stands.get(state, state), **tries.made, **more)
                for role in roles:
                    tried += 1
                    move = move_of(name, action, tries, made, state, role)
                    with transaction.atomic():
                        wrong += attempt(scene, name, action, tries, made, state, role, move)
                        transaction.set_rollback(True)
                    moved.add(move)
                transaction.set_rollback(True)
    with capsys.disabled():
        sys.stdout.write(f"\ntried {tried} combinations of {len(table)} actions of a {name}\n")
    assert not wrong, "\n".join(wrong)
    assert moved - {None} == set(table)


def rows_of(name: str) -> list[tuple[str, dict[str, bool], tuple[str, ...]]]:
    """The states in which a table's rows are tried, what else is told to the builder, and who tries."""
    if name != "peer":
        return [(state, {}, ROLES) for state in states_of(TABLES[name])]
    rows = [(state, dict[str, bool](), (*ROLES, *MEMBERS)) for state in states_of(TABLES[name])]
    rows += [(state, {"edited": True}, (*MEMBERS, "curator")) for state in ("made", "returned", "accepted")]
    return [*rows, ("made", {"held": True}, (*MEMBERS, "curator"))]


def attempt(
    scene: Scene, name: str, action: str, tries: Way, made: Row, state: str, role: str, move: str | None
) -> list[str]:
    """Let somebody try what should be this move of the table; return what went otherwise than the table says."""
    table, target_type = TABLES[name], "item" if name == "peer" else name
    subject = getattr(made, target_type)
    before, log = stand(subject), log_of(target_type, subject)
    browser = scene.browsers[made.here.benchmark.slug][role]
    answer = send(browser, "POST", tries.address(made), tries.body(made))
    if tries.after is not None and answer.status_code < 300:
        tries.after()
    subject = type(subject).objects.filter(pk=subject.pk).first()
    after, new = (stand(subject), log_of(target_type, subject)[len(log) :]) if subject is not None else (None, [])
    inside = let_in(role, table[action].operation, name)
    target = None if move is None else table[move].target
    told = f"{role}: {action} of a {name} that is {state} → {answer.status_code} {answer.content[:120]!r}"
    if answer.status_code >= 500 or answer.status_code == 400:
        return [told]
    if not inside and answer.status_code not in (401, 403, 404):
        return [f"{told}, kept out expected"]
    if target is None:
        # What moves the pictures moves the row or not, and is no refusal of the row's.
        return [] if (after, new) == (before, []) else [f"{told}: {before} became {after}, {new}"]
    if after is None or after[0] != target:
        return [f"{told}: {after} instead of {target}"]
    if name != "seat" and (state, target) not in new:
        return [f"{told}: no audit event, but {new}"]
    return []


def stand(row: Any) -> tuple[Any, ...]:
    """What an action may change in a row."""
    names = ("revision", "revision_no", "accepted_no", "excluded_for", "holder_id", "hold_no")
    beside = (row.verdicts.count(), list(row.seats.values_list("state", "holder_id"))) if isinstance(row, Item) else ()
    return (row.state, *(getattr(row, name, None) for name in names), *beside)
