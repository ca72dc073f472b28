"""What is offered is what is accepted: every operation of the packages' table × state × person, on real rows.

For each state and operation a row is made on which nothing but the state and the person's relation decides: all items
written and ticked, all verdicts given, and so on. Everybody tries, whatever they did is rolled back, and the answer is
compared with ``available_actions``. tests/annotation/packages/test_states.py pins what each relation is offered.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from annotation.items.models import Item, ItemRevision
from annotation.judging.models import Verdict
from annotation.packages import access, states
from annotation.packages.models import Package, PackageItem
from annotation.seats.models import Seat
from curation.benchmarks.queries import preset
from curation.images.models import Image, Rendition
from curation.people.models import Person
from tests.annotation.track import sample_of_one
from tests.people import ROLES, person, send, signed_in, world
from tests.protocols import names
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db

ALL = {
    "code": "all",
    "name": names("all"),
    "capabilities": ["administer", "annotate", "review", "inspect", "collect", "inspect_images"],
}
WHY = {"reasons": [], "comment": "看一看"}
STATES = [state.value for state in Package.State]
OPERATIONS = sorted({row.operation for row in states.TABLE.values()} - {"image_take_down"})


@dataclass
class Row:
    """A package of one item in some state."""

    package: Package
    item: Item

    def command(self, **more: Any) -> dict[str, Any]:
        return {"revision": self.package.revision, "client_key": uuid.uuid4().hex} | more

    def write(self, **more: Any) -> dict[str, Any]:
        return {"base_no": self.item.revision_no, "client_key": uuid.uuid4().hex} | more

    def judge(self, outcome: str) -> dict[str, Any]:
        return {"revision_no": self.item.revision_no, "outcome": outcome, "client_key": uuid.uuid4().hex} | WHY


class Scene:
    """A benchmark, with pools or without, in which nothing but one package exists at a time."""

    def __init__(self, *, pools: bool) -> None:
        self.pools, self.number = pools, 0
        content = preset("cvlue").content
        pool = {"people": 2, "held": 5} if pools else None
        content["tracks"]["package"] |= {"review_pool": pool, "inspection_pool": pool}
        content["roles"] = [*ROLES, ALL]
        self.here = world(content, slug="pooled" if pools else "plain", prefix="pooled-" if pools else "")
        of_all = {
            name: person(f"{self.here.benchmark.slug}-{name}", self.here.benchmark, "all")
            for name in ("assignee", "reviewer", "other")
        }
        of_one_role = {
            name: getattr(self.here, name)
            for name in ("annotator", "annotator2", "senior", "senior2", "curator", "admin", "owner")
        }
        self.people: dict[str, Person] = of_all | of_one_role
        self.browsers: dict[str, Client] = {name: signed_in(who) for name, who in self.people.items()}

    def row(
        self, state: str, assignee: Person, reviewer: Person, *, item_state: str, verdict: tuple[str, str] | None = None
    ) -> Row:
        """A package in a state with one item."""
        self.number += 1
        here, judged = self.here, state in ("reviewing", "inspecting", "passed")
        made = Item.objects.create(
            benchmark=here.benchmark,
            kind="captions",
            image=self.image(),
            number=self.number,
            state=item_state,
            revision_no=1,
            accepted_no=1 if item_state == "accepted" else None,
            excluded_for="picture" if item_state == "excluded" else "",
        )
        ItemRevision.objects.create(
            item=made,
            no=1,
            author=assignee,
            origin="annotator",
            content=five_captions(self.number),
            protocol=here.benchmark.protocol,
            client_key=uuid.uuid4(),
        )
        package = Package.objects.create(
            benchmark=here.benchmark,
            kind="captions",
            number=self.number,
            protocol=here.benchmark.protocol,
            state=state,
            assignee=None if state == "available" else assignee,
            # Also before the review: who reviewed an earlier round.
            reviewer=None if self.pools and judged else reviewer,
            pooled=self.pools and judged,
            round=1,
        )
        PackageItem.objects.create(package=package, item=made, position=1, checked_no=1, active=state != "withdrawn")
        row = Row(package, made)
        if state in ("inspecting", "passed"):
            self.draw(row, reviewer)
        if judged and self.pools:
            self.seat(row, here.curator2, "review" if state == "reviewing" else "inspection")
        if verdict is not None:
            stage, outcome = verdict
            self.verdict(row, reviewer if stage == "review" else here.curator2, stage, outcome)
        return row

    def image(self) -> Image:
        here = self.here
        made = Image.objects.create(
            benchmark=here.benchmark,
            number=self.number,
            sha256=f"{self.number:064x}",
            phash=self.number,
            width=800,
            height=600,
            contributor=here.contributor,
            source={"kind": "own", "url": "", "author": ""},
            licence="own-work",
            state="accepted",
            pii_clear_by=here.curator2,
            client_key=uuid.uuid4(),
        )
        Rendition.objects.bulk_create(
            Rendition(image=made, role=role, sha256="0" * 64, bytes=1, width=8, height=6, key=f"{made.pk}/{role}.webp")
            for role in ("clean", "view", "thumb")
        )
        return made

    def draw(self, row: Row, reviewer: Person) -> None:
        sample_of_one(row.package, row.item, outcome="passed" if row.package.state == "passed" else "")

    def seat(self, row: Row, holder: Person, purpose: str, *, no: int = 1, lapsed: bool = False) -> None:
        held = {"state": "held", "holder": holder, "hold_no": 1, "lease_until": timezone.now() + timedelta(minutes=5)}
        free = {"state": "free", "lapsed_holder": holder}
        Seat.objects.create(
            benchmark=self.here.benchmark,
            kind="captions",
            purpose=purpose,
            item=row.item,
            group_id=row.package.pk,
            round=1,
            no=no,
            rank=no,
            **(free if lapsed else held),
        )

    def verdict(self, row: Row, judge: Person, stage: str, outcome: str) -> None:
        author = ItemRevision.objects.get(item=row.item, no=1).author_id
        Verdict.objects.create(
            item=row.item,
            revision_no=1,
            author_id=author,
            judge=judge,
            stage=stage,
            package_id=row.package.pk,
            round=1,
            outcome=outcome,
            client_key=uuid.uuid4(),
        )


@dataclass(frozen=True)
class Call:
    """How an operation is asked for, and what the row needs so that nothing else refuses it."""

    method: str
    address: str
    body: Callable[[Scene, Row], dict[str, Any] | None] = lambda _, row: row.command()
    item_state: str = "made"
    verdict: tuple[str, str] | None = None


CALLS = {
    "package_claim": Call("POST", "benchmarks/{benchmark}/packages/claim", lambda _s, _r: {"kind": "captions"}),
    "package_assign": Call(
        "POST", "packages/{package}/assign", lambda scene, row: row.command(person=scene.here.annotator2.pk)
    ),
    "package_take_back": Call("POST", "packages/{package}/take-back"),
    "package_withdraw": Call("POST", "packages/{package}/withdraw"),
    "package_resume": Call("POST", "packages/{package}/resume"),
    "package_hand_over": Call("POST", "packages/{package}/hand-over"),
    "package_review_take": Call("POST", "packages/{package}/take-review"),
    "package_review_complete": Call("POST", "packages/{package}/complete-review", verdict=("review", "accept")),
    "package_inspection_complete": Call(
        "POST", "packages/{package}/complete-inspection", verdict=("inspection", "right")
    ),
    "work_next": Call("GET", "packages/{package}/next", lambda _s, _r: None),
    "inspection_show": Call("GET", "packages/{package}/inspection", lambda _s, _r: None),
    "package_self_check": Call(
        "POST",
        "packages/{package}/self-check",
        lambda _, row: row.command(items=[{"id": row.item.pk, "revision_no": 1}]),
    ),
    "draft_save": Call(
        "PUT", "items/{item}/draft", lambda _s, _r: {"base_no": 1, "seq": 1, "content": five_captions(1)}
    ),
    "item_submit": Call("POST", "items/{item}/submit", lambda _, row: row.write(content=five_captions(1))),
    "item_skip": Call("POST", "items/{item}/skip", lambda _, row: row.write(**WHY), item_state="returned"),
    "item_review": Call("POST", "items/{item}/review", lambda _, row: row.judge("accept")),
    "item_skip_decide": Call(
        "POST",
        "items/{item}/decide-skip",
        lambda _s, _r: {"agree": True, "client_key": uuid.uuid4().hex} | WHY,
        item_state="skipped",
    ),
    "item_inspect": Call("POST", "items/{item}/inspect", lambda _, row: row.judge("right")),
}


# Of items of every track, so no operation of the packages' table.
EXCLUDE = Call(
    "POST",
    "items/{item}/exclude",
    lambda _, row: {"revision_no": max(1, row.item.revision_no), "client_key": uuid.uuid4().hex, "reason": "错"},
)


def ask(scene: Scene, row: Row, operation: str, name: str):
    """Try it through the API, and undo it."""
    call = EXCLUDE if operation == "item_exclude" else CALLS[operation]
    address = call.address.format(benchmark=scene.here.benchmark.slug, package=row.package.pk, item=row.item.pk)
    with transaction.atomic():
        answer = send(scene.browsers[name], call.method, address, call.body(scene, row))
        transaction.set_rollback(True)
    return answer


def accepted(scene: Scene, row: Row, operation: str, name: str) -> bool:
    """Whether the API lets somebody do it."""
    answer = ask(scene, row, operation, name)
    assert answer.status_code < 500, (operation, name, answer.content)
    assert answer.status_code != 400, (operation, name, answer.content)
    # Whoever is writing a package gets it again without claiming it.
    return answer.status_code < 300 and not (operation == "package_claim" and answer.json()["already_held"])


def difference(scene: Scene, row: Row, name: str, operation: str) -> list[str]:
    """One line if somebody is offered something else than they may do."""
    offered = operation in access.actions(scene.people[name], row.package)
    if offered is accepted(scene, row, operation, name):
        return []
    return [f"{name}: {operation} in {row.package.state} is {'offered and refused' if offered else 'not offered'}"]


def test_every_operation_has_its_call():
    assert sorted(CALLS) == OPERATIONS


# Assignee and reviewer, who hold every role or only their own, and everybody who tries.
PAIRS = (
    ("assignee", "reviewer", ["assignee", "reviewer", "other", "annotator2", "senior2", "curator", "admin", "owner"]),
    ("annotator", "senior", ["annotator", "senior"]),
)
JUDGED = ["handed_over", "reviewing", "inspecting", "passed"]


@pytest.mark.parametrize(("pools", "tried_in"), [(False, STATES), (True, JUDGED)], ids=["one judge", "pools"])
def test_what_is_offered_is_what_is_accepted(pools, tried_in, capsys):
    scene, wrong, tried = Scene(pools=pools), [], 0
    for state in tried_in:
        for operation, call in CALLS.items():
            item_state = "accepted" if state == "passed" else call.item_state
            for assignee, reviewer, callers in PAIRS:
                pair = scene.people[assignee], scene.people[reviewer]
                with transaction.atomic():
                    row = scene.row(state, *pair, item_state=item_state, verdict=call.verdict)
                    for name in callers:
                        tried += 1
                        wrong += difference(scene, row, name, operation)
                    transaction.set_rollback(True)
    with capsys.disabled():
        sys.stdout.write(f"\ntried {tried} combinations of package, operation and person\n")
    assert not wrong, "\n".join(wrong)
    assert tried == len(tried_in) * len(CALLS) * 10


@pytest.mark.parametrize("state", STATES)
def test_the_page_shows_what_is_offered(state):
    scene = Scene(pools=False)
    row = scene.row(state, scene.here.annotator, scene.here.senior, item_state="accepted")
    for name in ("annotator", "senior", "senior2", "curator", "admin", "owner"):
        shown = scene.browsers[name].get(f"/api/v1/packages/{row.package.pk}")
        if (name, state) != ("annotator", "available"):
            assert shown.json()["available_actions"] == access.actions(scene.people[name], row.package)
        else:
            assert shown.status_code == 404


# How people are refused who hold every role, and only their relation to the package or its state is in the way.
REFUSALS = {
    ("working", "package_hand_over"): {"reviewer": "not_found", "other": "not_found"},
    ("working", "item_submit"): {"reviewer": "not_found", "other": "not_found"},
    ("returned", "package_resume"): {"reviewer": "not_found", "other": "not_found"},
    ("handed_over", "item_submit"): {"assignee": "not_found"},
    ("handed_over", "package_self_check"): {"assignee": "action_not_allowed", "other": "not_found"},
    ("handed_over", "package_review_take"): {"assignee": "own_work"},
    ("handed_over", "package_inspection_complete"): {"assignee": "own_work", "other": "action_not_allowed"},
    ("reviewing", "item_review"): {"assignee": "own_work", "other": "not_found"},
    ("reviewing", "item_skip_decide"): {"assignee": "own_work", "other": "not_found"},
    ("reviewing", "package_review_complete"): {"assignee": "not_found", "other": "not_found"},
    ("inspecting", "package_review_complete"): {"reviewer": "action_not_allowed"},
    ("inspecting", "item_inspect"): {"assignee": "own_work", "reviewer": "own_work"},
    ("inspecting", "inspection_show"): {"assignee": "own_work", "reviewer": "own_work"},
    ("inspecting", "package_inspection_complete"): {"assignee": "own_work", "reviewer": "own_work"},
    ("passed", "item_inspect"): {"assignee": "not_found", "other": "not_found"},
}
REFUSALS_IN_POOLS = {
    ("reviewing", "item_review"): {"assignee": "own_work", "other": "seat_not_held"},
    ("reviewing", "item_skip_decide"): {"assignee": "own_work", "other": "seat_not_held"},
    ("reviewing", "package_review_complete"): {"assignee": "not_found", "other": "not_found"},
    ("inspecting", "item_inspect"): {"assignee": "own_work", "other": "seat_not_held"},
    ("inspecting", "package_inspection_complete"): {"assignee": "own_work", "other": "action_not_allowed"},
}


@pytest.mark.parametrize("pools", [False, True], ids=["one judge", "pools"])
def test_how_people_are_refused(pools):
    scene, wrong = Scene(pools=pools), []
    for (state, operation), expected in (REFUSALS_IN_POOLS if pools else REFUSALS).items():
        item_state = "accepted" if state == "passed" else CALLS[operation].item_state
        with transaction.atomic():
            row = scene.row(state, scene.people["assignee"], scene.people["reviewer"], item_state=item_state)
            found = {name: ask(scene, row, operation, name).json()["code"] for name in expected}
            transaction.set_rollback(True)
        if found != expected:
            wrong.append(f"{operation} in {state}: {found} instead of {expected}")
    assert not wrong, "\n".join(wrong)


ITEM_OPERATIONS = ("item_submit", "item_skip", "item_review", "item_skip_decide", "item_exclude")


@pytest.mark.parametrize("pools", [False, True], ids=["one judge", "pools"])
def test_the_page_of_an_item_offers_what_is_accepted(pools):
    """``other`` holds a seat of the item in pools, the lease of ``senior2`` has run out."""
    scene, wrong, offered = Scene(pools=pools), [], set()
    for state, item_state in (
        *(("working", item_state) for item_state in ("todo", "made", "skipped", "returned")),
        *(("reviewing", item_state) for item_state in ("made", "skipped", "returned")),
        ("inspecting", "made"),
        ("passed", "accepted"),
    ):
        with transaction.atomic():
            row = scene.row(state, scene.people["assignee"], scene.people["reviewer"], item_state=item_state)
            if pools and state == "reviewing":
                scene.seat(row, scene.people["other"], "review", no=2)
                scene.seat(row, scene.people["senior2"], "review", no=3, lapsed=True)
            for name in ("assignee", "reviewer", "other", "senior2"):
                shown = scene.browsers[name].get(f"/api/v1/items/{row.item.pk}").json()["available_actions"]
                assert set(shown) <= {*ITEM_OPERATIONS, "item_history", "comment_list", "comment_add"}
                for operation in ITEM_OPERATIONS:
                    if operation in shown:
                        offered.add((name, operation))
                    if (operation in shown) is not accepted(scene, row, operation, name):
                        wrong.append(f"{name}: {operation} of an item {item_state} in a package {state}: {shown}")
            transaction.set_rollback(True)
    assert not wrong, "\n".join(wrong)
    judges = ["other", "senior2"] if pools else ["reviewer"]
    assert offered == {
        *(("assignee", operation) for operation in ("item_submit", "item_skip")),
        *((name, operation) for name in judges for operation in ("item_review", "item_skip_decide")),
        *((name, "item_exclude") for name in ("assignee", "reviewer", "other")),  # who hold every role
    }
