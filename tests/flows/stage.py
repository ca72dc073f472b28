"""Who walks, and the rows they walk to: people, pictures, packages, links, made straight into the tables."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils import timezone

from annotation.bases.models import ItemBase
from annotation.bulk.models import Bulk
from annotation.concepts.models import Concept
from annotation.dialogues.models import Dialogue, DialogueTurn
from annotation.drafting.models import Drafting
from annotation.draws.services import draw_by_team
from annotation.guidelines.models import Acknowledgement, Guideline
from annotation.imports.models import Import, ImportRow
from annotation.items.models import Item, ItemRevision
from annotation.judging.models import Judging, Verdict
from annotation.packages.models import Package, PackageItem
from annotation.releases.models import Erratum, ErratumEvent, Release, ReleaseEntry, ReleaseFile, ReleaseImage
from annotation.seats.models import Seat
from curation.benchmarks.models import Benchmark, ProtocolProposal
from curation.benchmarks.queries import preset
from curation.benchmarks.rules import OUTSIDER
from curation.board.models import Board, BoardEntry, BoardEvent
from curation.calls.models import Call, Offer
from curation.core.models import Job
from curation.core.operations import OPERATIONS, Reach
from curation.images.models import Blindfold, Image, Rendition, Upload
from curation.mail.models import Mailbox
from curation.mail.services.digests import stop_link
from curation.people.models import ApiToken, Invitation, Person, RoleGrant, Team
from curation.people.rules import LEAD, Grant, reach
from curation.prompts.models import Prompt
from curation.taxonomy.models import Category, CategoryListVersion
from curation.url_lists.models import UrlList, UrlRow, UrlSetting
from evaluation.asking.models import Trial
from evaluation.publication.models import Publication, PublicRelease, TermsAcceptance
from evaluation.runs.models import Reply, ReplyFailure, Run
from evaluation.scoring.models import EntryResult, ReportUnits, SetReport
from evaluation.scoring.rules import PROFILE, Line, report_of
from evaluation.sets.models import Entry, ItemSet, SetPicture
from evaluation.submissions.models import Crew, CrewMember, Submission, SubmissionUnits
from evaluation.systems.models import System
from tests.annotation.teams import MEMBER
from tests.annotation.track import sample_of_one
from tests.declared import NEVER_BY_TOKEN
from tests.evaluation.accepted import RETRIEVAL, set_of
from tests.people import ROLES, Role, World, agree, person, signed_in, world
from tests.sentences import five_captions, three_pairs

# Relations of whoever walks to a row. ``same_team``, ``other_team``: made by somebody in a team of theirs, or in
# another one; ``guest``: a row of a benchmark where they contribute pictures and nothing else; ``unknown``: of one
# where they take no part. A new kind of row gets its line here and its rows in ``Stage``.
ROWS = {
    "image": ("written", "same_team", "other_team", "guest", "unknown"),
    "upload": ("written", "same_team", "other_team", "guest", "unknown"),
    "package": ("written", "reviewed", "same_team", "other_team", "guest", "unknown"),
    "peer": ("written", "same_team", "other_team", "guest", "unknown"),
    "panel": ("others", "guest", "unknown"),
    "pair": ("others", "guest", "unknown"),
    "dialogue": ("written", "others", "guest", "unknown"),
    "plain": ("others", "guest", "unknown"),
    "person": ("oneself", "same_team", "other_team", "guest", "unknown"),
    "team": ("same_team", "other_team", "guest", "unknown"),
    "token": ("written", "others"),
    "submission": ("written", "others", "guest", "unknown"),
    "erratum": ("written", "others", "guest", "unknown"),
    "link": ("others",),
    "benchmark": ("here", "guest", "unknown"),
    "site": ("here",),
}
# ``skipped``: under review, its item left unwritten.
STATES = ("available", "working", "returned", "handed_over", "reviewing", "skipped", "inspecting", "passed")
# States of errata that can be decided.
ERRATA = ("reported", "confirmed")
# States of dialogues that are not over.
DIALOGUES = ("open", "paused")
# States of items of teams.
TEAM_ITEMS = ("made", "returned", "accepted")
ELSEWHERE = {"others": "here", "same_team": "here", "other_team": "here", "guest": "guest", "unknown": "unknown"}
CAPABILITIES = {role["code"]: tuple(role["capabilities"]) for role in [*ROLES, MEMBER]} | {
    "owner": ("own",),
    # As the preset has them.
    Role.ANNOTATOR: ("annotate", "click:grounding", "question:dialogue", "answer:dialogue"),
    "lead": ("collect", LEAD),
    "token": ("administer", "collect", "inspect_images"),
    "ended": None,
    OUTSIDER: (OUTSIDER,),
}
READY = 9001  # number of a picture in each benchmark that waits to be worked on
TERMS, TERMS_SHA256 = {"zh-Hans": "x", "zh-Hant": "x", "en": "x"}, "5" * 64
LINK = "a-link-that-somebody-was-sent"


@dataclass(frozen=True)
class Walker:
    """Somebody with a browser or a program, named by what they hold: a standard role, or

    ``member``: writes and checks items of their team; ``lead``: a contributor who leads their team;
    ``token``: a program of an admin's with every operation that tokens may hold; ``ended``: a former admin who still
    contributes in the benchmark where the others are guests; ``outsider``: submits predictions and takes no part, as a
    guest neither.
    """

    name: str
    who: Person
    browser: Client

    def reach(self, operation: str, relation: str) -> Reach:
        """How far they reach in the benchmark that a relation lies in."""
        held = CAPABILITIES[self.name]
        if self.name == "token" and (operation in NEVER_BY_TOKEN or relation in ("guest", "unknown")):
            return Reach.NONE
        if self.name != "owner":
            if relation == "guest" and self.name != OUTSIDER:
                held = CAPABILITIES[Role.CONTRIBUTOR]
            if relation == "unknown" or held is None or (relation == "guest" and self.name == OUTSIDER):
                return Reach.NONE
        return reach([Grant(None, None, self.name, capabilities=held)], None, operation)


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def write(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x")


def walking_world(slug: str, prefix: str = "") -> World:
    """A benchmark with the real protocol, teams, and a category."""
    teams = {"size_maximum": 50, "roles": ["contributor"], "lead_may_invite": True}
    content = preset("cvlue").content | {"teams": teams}
    content["tracks"]["package"]["review_pool"] = {"people": 1, "held": 5}
    content["tracks"]["peer"] = {"items_per_team": 200, "spot_check_percent": 10, "blind": False}
    del content["kinds"]["vqa"]["subset"]  # the stage's pictures are in none
    content["kinds"]["vqa"] |= {"track": "peer", "per_picture": {"minimum": 1, "maximum": 3}}
    content["publication"] = {"sign_up": "open", "samples": {"splits": ["test"], "answers": True, "per_split": 200}}
    content["roles"] = [*content["roles"], MEMBER]
    content["images"]["share"] = "own_tick"
    field = {"code": "food", "name": {"zh-Hans": "食物", "zh-Hant": "食物", "en": "Food"}}
    board = {"proposers": 2, "per_field": {"minimum": 1, "maximum": 3}, "fields": [field]}
    content["taxonomy"] = content["taxonomy"] | {"board": board}
    made = world(content, slug=slug, prefix=prefix)
    names = {"zh-Hans": "花灯", "zh-Hant": "花燈", "en": "lantern"}
    Category.objects.create(
        benchmark=made.benchmark,
        slug="lantern",
        number=75,
        name=names,
        field="celebrations",
        field_name=names,
        distance="moderate",
    )
    fields = [{"slug": "food", "name": names, "categories": [{"slug": "lantern", "number": 1, "name": names}]}]
    content = {"name": "walked", "source": "", "fields": fields}
    CategoryListVersion.objects.create(
        benchmark=made.benchmark, name="walked", version=1, sha256="0" * 64, content=content, origin="file"
    )
    board = Board.objects.create(benchmark=made.benchmark)
    entry = BoardEntry.objects.create(board=board, field="food", key="茶", name={"zh-Hans": "茶"})
    BoardEvent.objects.create(entry=entry, no=1, by=made.contributor, action="propose")
    return made


class Stage:
    """All rows, each as what addresses and bodies name: ``rows[kind, state, relation]`` or with the walker's name."""

    def __init__(self) -> None:
        self.number = 0
        self.rows: dict[tuple[str, ...], dict[str, Any]] = {}
        self.worlds = {
            "here": walking_world("cvlue"),
            "guest": walking_world("guest", "guest-"),
            "unknown": walking_world("unknown", "unknown-"),
        }
        self.home = self.worlds["here"]
        facts = {"currency": "USD", "million_in": 0, "million_out": 0, "per_picture": 0}
        self.offer = Offer.objects.create(server="walked", model="free", added_by=self.home.owner, **facts).pk
        self.hosts = {slug: person(f"host-{slug}", w.benchmark, Role.ADMIN) for slug, w in self.worlds.items()}
        self._teams()
        self.guidelines = {slug: self._guideline(w.benchmark, self.hosts[slug]) for slug, w in self.worlds.items()}
        names = (*(role.value for role in Role), "member", "lead", "token", "ended", OUTSIDER)
        self.walkers = [self._walker(name) for name in names]
        self._others()
        for walker in self.walkers:
            self._own(walker)
        self.programs = self._programs()
        for here in self.worlds.values():
            picture = self._image(here, here.stranger, "accepted")["image"]
            Image.objects.filter(pk=picture).update(number=READY, pii_clear_by=here.curator)

    def target(self, kind: str, state: str, relation: str, walker: str) -> dict[str, Any]:
        """What the address and the body name."""
        if kind in ("site", "benchmark"):
            return self._named(self.worlds[relation])
        return self.rows.get((kind, state, relation, walker)) or self.rows[kind, state, relation]

    def _named(self, here: World) -> dict[str, Any]:
        consent = here.benchmark.protocol.consent_sha256
        return {"benchmark": here.benchmark.slug, "consent": consent, "offer": self.offer}

    def _guideline(self, benchmark: Benchmark, author: Person) -> Guideline:
        return Guideline.objects.create(
            benchmark=benchmark,
            kind="captions",
            version=1,
            text={"en": f"![x](img-{READY:04d})"},
            created_by=author,
            client_key=uuid.uuid4(),
        )

    def _teams(self) -> None:
        self.teams = {}
        for relation, slug in ELSEWHERE.items():
            if relation != "others":
                name = "ours" if relation == "same_team" else relation
                self.teams[relation] = Team.objects.create(benchmark=self.worlds[slug].benchmark, name=name)

    def _walker(self, name: str) -> Walker:
        here, guest = self.home.benchmark, self.worlds["guest"].benchmark
        code = {
            "member": "member",
            "lead": Role.CONTRIBUTOR,
            "token": Role.ADMIN,
            "ended": Role.ADMIN,
            OUTSIDER: OUTSIDER,
        }.get(name)
        who = getattr(self.home, name) if code is None else person(name, here, code)
        if name not in ("owner", OUTSIDER):
            RoleGrant.objects.filter(person=who).update(team=self.teams["same_team"])
            RoleGrant.objects.create(person=who, benchmark=guest, role=Role.CONTRIBUTOR)
            agree(who, guest)
        Acknowledgement.objects.create(person=who, guideline=self.guidelines["here"])
        browser = signed_in(who)
        if name == "ended":
            RoleGrant.objects.filter(person=who, benchmark=here).update(ended_at=timezone.now())
        if name == OUTSIDER:
            TermsAcceptance.objects.create(person=who, benchmark=here, terms_sha256=TERMS_SHA256)
            Mailbox.objects.create(person=who, address="outsider@example.org", verified_at=timezone.now())
        if name == "lead":
            Team.objects.filter(pk=self.teams["same_team"].pk).update(lead=who)
        if name == "token":
            held = CAPABILITIES["token"]
            grants = [Grant(None, None, "admin", capabilities=held)]
            may = [op for op in OPERATIONS if op not in NEVER_BY_TOKEN and reach(grants, None, op) is not Reach.NONE]
            token = self._token(who, may)
            browser = self._program(token)
        return Walker(name, who, browser)

    def _token(self, who: Person, operations: list[str]) -> str:
        made = self._unsaved_token(who, operations)
        made.save()
        return made.prefix

    def _unsaved_token(self, who: Person, operations: list[str]) -> ApiToken:
        self.number += 1
        return ApiToken(
            person=who,
            benchmark=self.home.benchmark,
            name="walk",
            prefix=f"{self.number:012x}",
            secret_sha256=hashed("secret"),
            operations=operations,
            client_key=uuid.uuid4(),
            expires_at=timezone.now() + timedelta(days=1),
            last_used_at=timezone.now() + timedelta(hours=1),  # so that no request of the walk notes its use
        )

    def _programs(self) -> dict[tuple[str, str], Client]:
        """Programs of each walker whose token holds one operation and nothing else, by walker and operation."""
        people = [walker for walker in self.walkers if walker.name not in ("token", "ended")]
        allowed = [operation for operation in OPERATIONS if operation not in NEVER_BY_TOKEN]
        tokens = {(w.name, name): self._unsaved_token(w.who, [name]) for w in people for name in allowed}
        ApiToken.objects.bulk_create(tokens.values())
        return {named: self._program(token.prefix) for named, token in tokens.items()}

    def _program(self, prefix: str) -> Client:
        return Client(headers={"Authorization": f"Bearer {prefix}.secret"}, raise_request_exception=False)

    def _others(self) -> None:
        """What others made, by relation."""
        for relation, slug in ELSEWHERE.items():
            here = self.worlds[slug]
            if relation == "others" or slug != "here":
                for state, row in self._plain(here).items():
                    self.rows["plain", state, relation] = row
                for state in ("made", "accepted"):
                    self.rows["panel", state, relation] = self._panel_item(here, state)
                    self.rows["pair", state, relation] = self._pair_item(here, state)
                for state in DIALOGUES:
                    self.rows["dialogue", state, relation] = self._dialogue(here, self._partner(here), state)
                self.rows["submission", "", relation] = self._submission(here.annotator2, relation)
                for state in ERRATA:
                    self.rows["erratum", state, relation] = self._erratum(here, here.stranger, state, relation)
            if relation == "others":
                continue
            mate = person(f"mate-{relation}", here.benchmark, Role.ANNOTATOR)
            team = self.teams[relation]
            RoleGrant.objects.filter(person=mate).update(team=team)
            self._pictures(here, mate, relation)
            for state in STATES:
                self.rows["package", state, relation] = self._package(here, state, mate, here.senior2)
            for state in TEAM_ITEMS:
                self.rows["peer", state, relation] = self._team_item(here, team, state, mate)
            self._team_item(here, team, "accepted", mate, is_drawn=False)  # for the next spot check
            link = self._link(here, f"to-{relation}", team=team)
            self.rows["team", "", relation] = self._named(here) | {"team": team.pk, "invitation": link}
            self.rows["person", "", relation] = self._person(here, mate)
        self._link(self.home, "open")
        self._link(self.home, "password", purpose="password", person=person("forgot", self.home.benchmark, Role.SENIOR))
        mailbox = Mailbox.objects.create(
            person=self.home.senior2,
            address="old@example.org",
            verified_at=timezone.now(),
            pending="senior2@example.org",
            pending_sha256=hashed(f"{LINK}-address"),
            pending_until=timezone.now() + timedelta(days=1),
        )
        secrets = {"join": f"{LINK}-open", "password": f"{LINK}-password", "address": f"{LINK}-address"}
        self.rows["link", "", "others"] = secrets | {"stop": stop_link(mailbox)}
        other = self._token(self.home.curator2, ["package_list"])
        self.rows["token", "", "others"] = {"token": ApiToken.objects.get(prefix=other).pk}

    def _own(self, walker: Walker) -> None:
        """What whoever walks made themselves."""
        name, who = walker.name, walker.who
        partner = person(f"partner-{name}", self.home.benchmark, Role.ANNOTATOR)
        self._pictures(self.home, who, "written", name)
        self.rows["person", "", "oneself", name] = self._person(self.home, who)
        for state in DIALOGUES:
            self.rows["dialogue", state, "written", name] = self._dialogue(self.home, who, state)
        self.rows["submission", "", "written", name] = self._submission(who, "others")
        for state in ERRATA:
            self.rows["erratum", state, "written", name] = self._erratum(self.home, who, state, "others")
        self.rows["token", "", "written", name] = {
            "token": ApiToken.objects.get(prefix=self._token(who, ["package_list"])).pk
        }
        for state in TEAM_ITEMS:
            self.rows["peer", state, "written", name] = self._team_item(self.home, self.teams["same_team"], state, who)
        for state in STATES:
            self.rows["package", state, "written", name] = self._package(self.home, state, who, self.home.senior2)
            self.rows["package", state, "reviewed", name] = self._package(self.home, state, partner, who)

    def _erratum(self, here: World, who: Person, state: str, relation: str) -> dict[str, Any]:
        """A mistake that somebody reported in the scored release, confirmed or not."""
        self.number += 1
        release_id = self.rows["plain", "scored", relation]["release_id"]
        made = Erratum.objects.create(
            benchmark=here.benchmark, no=self.number, release_id=release_id, reported_by=who, text="错"
        )
        if state == "confirmed":
            judge = here.curator2 if who != here.curator2 else here.curator
            ErratumEvent.objects.create(erratum=made, no=1, action="confirm", by=judge, note={"en": "x"})
        return {"erratum": made.pk}

    def _submission(self, who: Person, relation: str) -> dict[str, Any]:
        """Predictions that somebody handed in against the scored release, already scored."""
        release_id = self.rows["plain", "scored", relation]["release_id"]
        return {"release_id": release_id, "submission_id": self._submitted(who, release_id).pk}

    def _submitted(self, who: Person, release_id: int, *, listed: bool = False) -> Submission:
        self.number += 1
        counted = ("expected", "scored", "missing", "unparsable", "refused", "failed", "unknown_ids", "duplicate")
        made = Submission.objects.create(
            release_id=release_id,
            person=who,
            system="x",
            profile="cvlue-itr/paper",
            name="a.jsonl",
            sha256="0" * 64,
            bytes=1,
            key=f"submissions/{release_id}/{self.number}",
            state="scored",
            report={f"n_{name}": 0 for name in counted}
            | {"source": "x", "metrics": {}, "breakdowns": {}}
            | {"interval": {"method": "x", "resamples": 1, "seed": 1}},
            scored_at=timezone.now(),
            listed=listed,
        )
        write(Path(settings.MEDIA_ROOT) / made.key)
        return made

    def _person(self, here: World, who: Person) -> dict[str, Any]:
        return self._named(here) | {"person": who.pk, "grant": RoleGrant.objects.filter(person=who).first().pk}

    def _link(self, here: World, secret: str, **more: Any) -> int:
        roles = [] if more.get("purpose") == "password" else ["contributor"]
        return Invitation.objects.create(
            benchmark=here.benchmark,
            token_sha256=hashed(f"{LINK}-{secret}"),
            roles=roles,
            invited_by=next(h for s, h in self.hosts.items() if self.worlds[s] is here),
            client_key=uuid.uuid4(),
            expires_at=timezone.now() + timedelta(days=1),
            **more,
        ).pk

    def _pictures(self, here: World, who: Person, *place: str) -> None:
        team = self.teams.get(place[0])
        self.rows["image", "", *place] = self._image(here, who, team=team)
        self.rows["image", "withdrawn", *place] = self._image(here, who, "withdrawn", team=team)
        self.rows["image", "ticked", *place] = self._image(here, who, "accepted", team=team, ticked=True)
        for state in ("receiving", "ready"):
            self.rows["upload", state, *place] = self._upload(here, who, state)

    def _upload(self, here: World, who: Person, state: str) -> dict[str, Any]:
        made = Upload.objects.create(
            benchmark=here.benchmark,
            person=who,
            filename="a.jpg",
            bytes=4,
            received=4 if state == "ready" else 0,
            state=state,
            cleaned={"files": [{"name": "thumb.webp", "role": "thumb"}]} if state == "ready" else None,
            client_key=uuid.uuid4(),
            expires_at=timezone.now() + timedelta(days=1),
        )
        folder = Path(settings.MEDIA_ROOT) / "incoming" / str(made.pk)
        write(folder / "thumb.webp")
        (folder / "data").write_bytes(b"abcd"[: made.received])
        UrlSetting.objects.update_or_create(benchmark=here.benchmark, defaults={"is_on": True})
        url_list = UrlList.objects.create(benchmark=here.benchmark, person=who)
        fault = {"state": "failed", "error_code": "url_status", "error_params": {"status": 404}}
        UrlRow.objects.create(url_list=url_list, line=1, url="https://photos.example/1.jpg", details={}, **fault)
        return self._named(here) | {"upload": str(made.pk), "list_id": url_list.pk}

    def _image(
        self,
        here: World,
        contributor: Person,
        state: str = "received",
        team: Team | None = None,
        *,
        ticked: bool = False,
    ) -> dict[str, Any]:
        self.number += 1
        made = Image.objects.create(
            benchmark=here.benchmark,
            number=self.number,
            sha256=f"{self.number:064x}",
            phash=self.number,
            width=800,
            height=600,
            contributor=contributor,
            team=team,
            source={"kind": "own", "url": "", "author": ""},
            licence="own-work",
            state=state,
            pii_clear_by=(here.curator2 if contributor == here.curator else here.curator) if ticked else None,
            client_key=uuid.uuid4(),
        )
        for role in ("clean", "view", "thumb"):
            file = f"renditions/{made.pk}/1-{role}.webp"
            write(Path(settings.MEDIA_ROOT) / file)
            thumb = Rendition.objects.create(
                image=made, role=role, sha256="0" * 64, bytes=1, width=8, height=6, key=file
            )
        return self._named(here) | {"image": made.pk, "rendition": thumb.pk, "role": "thumb", "extension": "webp"}

    def _package(self, here: World, state: str, writer: Person, reviewer: Person) -> dict[str, Any]:
        self.number += 1
        protocol = here.benchmark.protocol
        picture = self._image(here, here.stranger, "accepted", ticked=True)
        item_state = {
            "available": "todo",
            "working": "todo",
            "skipped": "skipped",
            "returned": "returned",
            "passed": "accepted",
        }.get(state, "made")
        written = int(item_state not in ("todo", "skipped"))
        item = Item.objects.create(
            benchmark=here.benchmark,
            kind="captions",
            image_id=picture["image"],
            number=self.number,
            state=item_state,
            revision_no=written,
            accepted_no=1 if item_state == "accepted" else None,
            excluded_for="picture" if item_state == "excluded" else "",
        )
        if written:
            ItemRevision.objects.create(
                item=item,
                no=1,
                author=writer,
                origin="annotator",
                content=five_captions(self.number),
                protocol=protocol,
                client_key=uuid.uuid4(),
            )
        package = Package.objects.create(
            benchmark=here.benchmark,
            kind="captions",
            number=self.number,
            protocol=protocol,
            state="reviewing" if state == "skipped" else state,
            assignee=None if state == "available" else writer,
            reviewer=None if state == "available" else reviewer,
            round=1,
        )
        PackageItem.objects.create(package=package, item=item, position=1)
        if state == "handed_over":  # something to take from the pool, whoever wrote it
            seat = {"benchmark": here.benchmark, "kind": "captions", "purpose": "review"}
            Seat.objects.create(item=item, group_id=package.pk, round=1, no=1, rank=self.number, **seat)
        if state in ("inspecting", "passed"):
            sample_of_one(
                package,
                item,
                outcome="passed" if state == "passed" else "",
                inspector=here.curator2 if state == "passed" else None,
            )
        named = {"package": package.pk, "item": item.pk} | self._drafted(here, picture["image"], writer)
        return picture | named | {"free_annotator": here.annotator2.pk}

    @transaction.atomic  # the database looks for the star of an accepted item when the transaction ends
    def _team_item(
        self, here: World, team: Team, state: str, author: Person, *, is_drawn: bool = True
    ) -> dict[str, Any]:
        picture = self._image(here, here.stranger, "accepted", team=team, ticked=True)
        item = Item.objects.create(
            benchmark=here.benchmark,
            kind="vqa",
            track="peer",
            image_id=picture["image"],
            team=team,
            number=self.number,
            state=state,
            revision_no=1,
            accepted_no=1 if state == "accepted" else None,
        )
        ItemRevision.objects.create(
            item=item,
            no=1,
            author=author,
            origin="annotator",
            content=three_pairs(self.number),
            protocol=here.benchmark.protocol,
            client_key=uuid.uuid4(),
        )
        if state == "made":
            seat = {"benchmark": here.benchmark, "kind": "vqa", "purpose": "peer"}
            Seat.objects.create(item=item, group_id=team.pk, round=1, no=1, rank=self.number, **seat)
        if state == "accepted":
            Verdict.objects.create(
                item=item,
                revision_no=1,
                author_id=author.pk,
                judge=here.senior2 if author == here.stranger else here.stranger,
                stage="peer",
                round=1,
                outcome="star",
                client_key=uuid.uuid4(),
            )
            if is_drawn:
                draw = {"benchmark_id": here.benchmark.pk, "kind": "vqa", "purpose": "spot_check", "percent": 10}
                draw_by_team(teams={team.pk: {item.pk: 1}}, **draw)
        return picture | {"item": item.pk, "team": team.pk} | self._drafted(here, picture["image"], author)

    @transaction.atomic  # as above, for the judging that an accepted item passed
    def _panel_item(self, here: World, state: str) -> dict[str, Any]:
        """An item before a panel in which nobody holds a seat, or one that passed it.

        The protocol has no kind in this track: its annotators see every picture, and the walk is of those who do not.
        """
        picture = self._image(here, here.stranger, "accepted", ticked=True)
        item = self._written(here, picture, "boxes", {"boxes": []}, track="panel", state=state)
        self._judged(here, item, "panel", is_open=state == "made")
        return picture | {"item": item.pk}

    @transaction.atomic  # as above
    def _pair_item(self, here: World, state: str) -> dict[str, Any]:
        """An item of expressions about accepted boxes: one that waits for a decision, or one of which all were found.

        Of the first no round is open.
        """
        picture = self._image(here, here.stranger, "accepted", ticked=True)
        boxes = self._written(here, picture, "boxes", {"boxes": []}, state="accepted")
        item = self._written(here, picture, "grounding", {"expressions": []}, track="pair", state=state)
        ItemBase.objects.create(item=item, base_item=boxes, base_no=1)
        if state == "accepted":
            self._judged(here, item, "clicks", is_open=False)
        return picture | {"item": item.pk}

    def _partner(self, here: World) -> Person:
        self.number += 1
        return person(f"two-{self.number}", here.benchmark, Role.ANNOTATOR)

    @transaction.atomic  # as above, for the blindfold
    def _dialogue(self, here: World, who: Person, state: str) -> dict[str, Any]:
        """A dialogue in which somebody answers, without a turn; they may say the second one after the partner."""
        partner = self._partner(here)
        picture = self._image(here, here.stranger, "accepted", ticked=True)
        captions = self._written(here, picture, "captions", five_captions(1), state="accepted")
        item = Item.objects.create(
            benchmark=here.benchmark, kind="dialogue", track="pair", image_id=picture["image"], number=self.number
        )
        caption = five_captions(1)["captions"][0]
        ItemBase.objects.create(item=item, base_item=captions, base_no=1, path="captions.0", seed=b"0" * 16)
        Blindfold.objects.create(image_id=picture["image"], person=partner)
        made = Dialogue.objects.create(
            item=item,
            image_id=picture["image"],
            questioner=partner,
            answerer=who,
            caption=caption,
            rounds=10,
            state=state,
            paused_at=timezone.now() if state == "paused" else None,
        )
        if state == "open":
            DialogueTurn.objects.create(dialogue=made, no=1, author=partner, text="?", client_key=uuid.uuid4())
            Dialogue.objects.filter(pk=made.pk).update(turn_no=1)
        return self._named(here) | {"dialogue": made.pk}

    def _written(self, here: World, picture: dict[str, Any], kind: str, content: Any, **facts: str) -> Item:
        """An item on a picture with a revision, which is the accepted one if its state says so."""
        item = Item.objects.create(
            benchmark=here.benchmark,
            kind=kind,
            image_id=picture["image"],
            number=self.number,
            revision_no=1,
            accepted_no=1 if facts["state"] == "accepted" else None,
            **facts,
        )
        ItemRevision.objects.create(
            item=item,
            no=1,
            author=here.stranger,
            origin="annotator",
            content=content,
            protocol=here.benchmark.protocol,
            client_key=uuid.uuid4(),
        )
        return item

    def _judged(self, here: World, item: Item, purpose: str, *, is_open: bool) -> None:
        """A judging of an item's only revision by one person, open or passed."""
        facts = {"purpose": purpose, "no": 1, "form": [{"type": "pass"}], "people": 1}
        judging = Judging.objects.create(item=item, revision_no=1, **facts)
        if not is_open:
            verdict = {"author_id": here.stranger.pk, "judge": here.senior2, "stage": purpose, "round": 1}
            key = {"client_key": uuid.uuid4()}
            Verdict.objects.create(item=item, revision_no=1, judging=judging, outcome="pass", **verdict, **key)
            Judging.objects.filter(pk=judging.pk).update(outcome="passed", closed_at=timezone.now())

    def _drafted(self, here: World, image_id: int, author: Person) -> dict[str, Any]:
        """A concept of a picture, and a question drafted from it."""
        self.number += 1
        concept = Concept.objects.create(image_id=image_id, author=author, local="朱雀", client_key=uuid.uuid4())
        text = {"local": "甲", "translated": "a"}
        facts = {"name": "x", "no": 1, "language": "en"}
        prompt, _ = Prompt.objects.get_or_create(**facts, defaults={"reading": "ours", "body": {}, "sha256": "0" * 64})
        job = Job.objects.create(task="x", dedupe_key=f"draft {self.number}", benchmark_id=here.benchmark.pk)
        Job.objects.filter(pk=job.pk).update(args={"server": "walked", "model": "m"})
        drafting = Drafting.objects.create(
            benchmark=here.benchmark,
            image_id=image_id,
            concept=concept,
            actor=author,
            prompt=prompt,
            job=job,
            call=self._call(here, f"draft {self.number}"),
            candidates=[{"question": text, "options": [text], "explanation": text}],
        )
        return {"concept": concept.pk, "drafting": drafting.pk}

    def _call(self, here: World, request: str) -> Call:
        return Call.objects.create(
            benchmark=here.benchmark,
            purpose="x",
            server="walked",
            model="m",
            request_sha256=hashlib.sha256(request.encode()).digest(),
            request={"model": "m"},
            holder="x",
            held_until=timezone.now(),
        )

    def _plain(self, here: World) -> dict[str, dict[str, Any]]:
        made = {}
        for number, state in enumerate(("draft", "frozen"), 1):
            values = {"event_id": 1, "frozen_at": timezone.now()} if state == "frozen" else {}
            release = Release.objects.create(
                benchmark=here.benchmark,
                number=number,
                kind="captions",
                protocol=here.benchmark.protocol,
                seed=1,
                state=state,
                **values,
            )
            made[state] = {"release_id": release.pk, "name": "a.jsonl"}
        file = ReleaseFile.objects.create(
            release_id=made["frozen"]["release_id"], name="a.jsonl", bytes=1, sha256="0" * 64
        )
        ReleaseFile.objects.create(
            release_id=file.release_id, name="archive.index", format="archive", bytes=0, sha256="0" * 64
        )
        ReleaseFile.objects.create(
            release_id=file.release_id, name="a-key.jsonl", is_key=True, bytes=1, sha256="0" * 64
        )
        folder = Path(settings.MEDIA_ROOT) / "releases" / str(file.release_id)
        for name in ("a.jsonl", "a-key.jsonl"):
            write(folder / name)
        (folder / "archive.index").touch()
        job = Job.objects.create(task="x", dedupe_key=str(here.benchmark.pk), benchmark_id=here.benchmark.pk)
        made["job"] = {"job_id": job.pk}
        file = {"name": "a.jsonl", "sha256": "0" * 64, "bytes": 1, "key": "a", "format": "jsonl", "target": "items"}
        brought = Import.objects.create(benchmark=here.benchmark, kind="captions", created_by=here.admin, **file)
        ImportRow.objects.create(import_of=brought, line=1, outcome="refused", code="image_unknown")
        made["import"] = {"import_id": brought.pk}
        for state, action in (("prepared", "exclude"), ("stopped", "category")):
            bulk = Bulk.objects.create(benchmark=here.benchmark, action=action, by=here.admin, state=state)
            made[f"{state} bulk"] = {"bulk_id": bulk.pk}
        proposal = ProtocolProposal.objects.create(
            benchmark=here.benchmark,
            base_version=here.benchmark.protocol.version,
            source_sha256="0" * 64,
            source="x",
            content=here.benchmark.protocol.content,
            proposed_by=here.admin,
            client_key=uuid.uuid4(),
        )
        made["proposal"] = {"proposal_id": proposal.pk}
        entry = BoardEntry.objects.get(board__benchmark=here.benchmark)
        made["proposed_category"] = {"entry_id": entry.pk}
        call = self._call(here, here.benchmark.slug)
        made["call"] = {"call_id": call.pk, "benchmark": here.benchmark.slug}
        job = Job.objects.create(task="x", dedupe_key=f"try {here.benchmark.pk}", benchmark_id=here.benchmark.pk)
        Job.objects.filter(pk=job.pk).update(args={"server": "walked", "model": "m"})
        trial = Trial.objects.create(benchmark=here.benchmark, actor=here.admin, job=job)
        made["trial"] = {"trial_id": trial.pk}
        made["scored"] = self._scored(here) | self._crew(here)
        made["set"] = self._set(here, made["scored"]["run"])
        made["running"], made["held"] = (self._run(made["scored"]["run"], state) for state in ("open", "paused"))
        return made

    def _set(self, here: World, scored: int) -> dict[str, Any]:
        """An item set that was read, and a run over it with its report."""
        facts = {"gold": {"name": "x", "sha256": "0" * 64, "bytes": 1, "key": "sets/x/gold"}}
        row = ItemSet.objects.create(
            benchmark=here.benchmark, suite="vqa", name="x", files=facts, created_by=here.admin
        )
        texts = {"picture": "", "type": "", "values": {"question": "x"}, "options": [], "names": []}
        file = f"sets/{here.benchmark.slug}/x.webp"
        write(Path(settings.MEDIA_ROOT) / file)
        picture = SetPicture.objects.create(set=row, name="x", sha256="0" * 64, bytes=1, key=file, width=8, height=6)
        entry = Entry.objects.create(
            set=row, no=1, key="1", line=1, picture=picture, cluster="x", texts={"content": texts}, gold="x"
        )
        ItemSet.objects.filter(pk=row.pk).update(state="ready", size=1, sides=["content"], digest="0" * 64)
        like = Run.objects.get(pk=scored)
        run = Run.objects.create(
            system=like.system,
            benchmark=here.benchmark,
            protocol=like.protocol,
            suite="vqa",
            set=row,
            settings={
                "suite": "vqa",
                "setting": "",
                "prompts": {},
                "decodings": {},
                "means": "text",
                "side": "content",
                "language": "zh-Hans",
                "picture": None,
            },
            settings_sha256="1" * 64,
            state="closed",
        )
        counts = dict.fromkeys(("n_expected", "n_scored", "n_missing", "n_unparsable", "n_refused", "n_failed"), 0)
        report = {**counts, "metrics": {}, "breakdowns": {}}
        facts = {"run": run, "set": row, "profile": "cvlue-vqa/official", "entries_digest": "0" * 64}
        scored = SetReport.objects.create(**facts, report=report)
        ReportUnits.objects.create(report=scored, rights={"x": {"1": 1}})
        Reply.objects.create(run=run, entry=entry, outcome="answered", raw="x")
        EntryResult.objects.create(report=scored, no=1, entry=entry, outcome="right", value=1, extracted="x")
        return {"set_id": row.pk, "run_id": run.pk, "picture_id": picture.pk, "benchmark": here.benchmark.slug}

    def _crew(self, here: World) -> dict[str, Any]:
        """An outsider and their crew, with the secret of its link."""
        slug = here.benchmark.slug
        who, secret = person(f"outside-{slug}", here.benchmark, OUTSIDER), f"{LINK}-crew-{slug}"
        ends = {"link_sha256": hashed(secret), "link_until": timezone.now() + timedelta(days=1)}
        crew = Crew.objects.create(benchmark=here.benchmark, name="x", key="x", **ends)
        CrewMember.objects.create(benchmark=here.benchmark, person=who, crew=crew)
        return {"crew": secret, "person": who.pk}

    def _run(self, scored: int, state: str) -> dict[str, Any]:
        """A run in some state that could not answer for one picture."""
        like = Run.objects.select_related("set").get(pk=scored)
        settings = {"settings": RETRIEVAL, "settings_sha256": f"{state:0>64}", "suite": "retrieval"}
        run = Run.objects.create(
            system=like.system,
            benchmark=like.benchmark,
            protocol=like.protocol,
            set=like.set,
            state=state,
            cut_to=like.set.size,
            expected=1,
            failed=1,
            **settings,
        )
        entry = like.set.entries.order_by("no")[0]
        ReplyFailure.objects.create(run=run, entry=entry, round=0, code="picture_missing", input="picture")
        return {"run_id": run.pk}

    def _scored(self, here: World) -> dict[str, Any]:
        """A public release of one item, and a run with its scores and ranks."""
        self.number += 1
        image = self._image(here, here.stranger, "accepted", ticked=True)["image"]
        item = Item.objects.create(
            benchmark=here.benchmark,
            kind="captions",
            image_id=image,
            number=self.number,
            state="accepted",
            revision_no=1,
            accepted_no=1,
        )
        ItemRevision.objects.create(
            item=item,
            no=1,
            author=here.annotator2,
            origin="annotator",
            content=five_captions(self.number),
            protocol=here.benchmark.protocol,
            client_key=uuid.uuid4(),
        )
        release = Release.objects.create(
            benchmark=here.benchmark, number=9, kind="captions", protocol=here.benchmark.protocol, seed=1
        )
        ReleaseImage.objects.create(release=release, image_id=image, split="test")
        ReleaseEntry.objects.create(
            release=release,
            item=item,
            kind="captions",
            revision_no=1,
            image_id=image,
            rendition=Rendition.objects.filter(image_id=image, role="clean").first(),
            split="test",
            ordinal=1,
            record={"image": "images/test/1.webp", "split": "test", **five_captions(self.number)},
        )
        release.state, release.event_id, release.frozen_at = "published", 1, timezone.now()
        release.published_at = release.frozen_at
        release.save(update_fields=["state", "event_id", "frozen_at", "published_at"])
        terms = {"terms": TERMS, "terms_sha256": TERMS_SHA256}
        Publication.objects.create(benchmark=here.benchmark, is_open=True, **terms)
        PublicRelease.objects.create(release=release, benchmark=here.benchmark)
        system, _ = System.objects.get_or_create(
            slug="scored",
            defaults={
                "name": "scored",
                "description": {"zh-Hans": "", "zh-Hant": "", "en": ""},
                "backend": "x",
                "locator": "x",
                "revision": "1",
                "files_sha256": "0" * 64,
                "capabilities": ["embed"],
            },
        )
        run = Run.objects.create(
            system=system,
            benchmark=here.benchmark,
            suite="retrieval",
            protocol=here.benchmark.protocol,
            set=set_of(release),
            settings=RETRIEVAL,
            settings_sha256="0" * 64,
            state="closed",
        )
        line = Line("t2i", "", "", "R@1", 1.0, None, None, 5, 5, 0, 0, {})
        report = SetReport.objects.create(
            run=run,
            set=run.set,
            profile=PROFILE,
            entries_digest="0" * 64,
            report=report_of([line], split="test"),
        )
        EntryResult.objects.create(
            report=report,
            no=0,
            scope="t2i",
            entry=run.set.entries.get(part=0),
            outcome="right",
            value=1.0,
            rank=0,
            extracted=[[item.pk, "image", 1.0]],
        )
        submission = self._submitted(here.stranger, release.pk, listed=True)
        SubmissionUnits.objects.create(submission=submission, rights={"x": {"1": 1}})
        made = {"release_id": release.pk, "run": run.pk, "benchmark": here.benchmark.slug, "released": item.label}
        return made | {"listed": submission.pk}
