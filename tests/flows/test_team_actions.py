"""What is offered is what is accepted, for items of teams: every operation of the table × state × person, on real rows.

People differ in their team, in what their roles allow, and in their part in the item; the item's seat is free or held
by somebody. Everybody tries, whatever they did is rolled back, and the answer is compared with ``available_actions``.
"""

from __future__ import annotations

import sys
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from annotation.items.models import Item
from annotation.peer import states
from annotation.seats.models import Seat
from curation.people.models import Person, RoleGrant, Team
from tests.annotation.teams import create as create_item
from tests.annotation.teams import discard, draw, made, member, peer_protocol, picture_of, send_back, star, team_of
from tests.people import World, people, send, signed_in, world
from tests.protocols import names
from tests.sentences import five_captions

pytestmark = pytest.mark.django_db

WRITER = {"code": "writer", "name": names("writer"), "capabilities": ["annotate"]}
CHECKER = {"code": "checker", "name": names("checker"), "capabilities": ["verify"]}
ALL = {"code": "all", "name": names("all"), "capabilities": ["administer", "annotate", "verify", "review", "inspect"]}
STATES = ("todo", "made", "edited", "returned", "accepted", "drawn", "excluded")
SEATS = ("free", "colleague", "curator")


class Scene:
    """A team whose lead is ``lead``; ``author`` wrote first, ``editor`` edited."""

    def __init__(self) -> None:
        content = peer_protocol()
        content["roles"] += [WRITER, CHECKER, ALL]
        self.here: World = world(content, slug="cvqa")
        self.team: Team = team_of(self.here, "thai", ["lead", "author", "editor", "colleague"], 6)
        team_of(self.here, "urdu", ["foreigner"])
        more = people(
            {"cvqa-writer": ["writer"], "cvqa-checker": ["checker"], "cvqa-all": ["all"], "cvqa-outsider": ["all"]},
            self.here.benchmark,
        )
        RoleGrant.objects.filter(person__in=more[:3]).update(team=self.team)
        ours = ("lead", "author", "editor", "colleague", "writer", "checker", "all", "outsider", "foreigner")
        self.people: dict[str, Person] = {name: member(self.here, name) for name in ours}
        self.people |= {name: getattr(self.here, name) for name in ("curator", "admin", "owner", "senior", "annotator")}
        self.browsers = {name: signed_in(who) for name, who in self.people.items()}

    def item(self, state: str) -> Item:
        """An item in a state, brought there by people."""
        author, editor, colleague = (self.people[name] for name in ("author", "editor", "colleague"))
        if state == "todo":
            return create_item(author, picture_of("thai"))
        item = made(author, picture_of("thai"))
        if state == "edited":
            content = five_captions(77)
            edit = {"base_no": 1, "content": content, "client_key": uuid.uuid4().hex, "track": "peer"}
            assert send(self.browsers["editor"], "POST", f"items/{item.pk}/submit", edit).status_code == 200
        if state == "returned":
            send_back(editor, item)
        if state in ("accepted", "drawn"):
            star(colleague, item)
        if state == "drawn":
            draw(self.people["curator"])
        if state == "excluded":
            discard(author, item)
        return Item.objects.get(pk=item.pk)

    def hold(self, item: Item, seat: str) -> None:
        """Let somebody hold the item's seat."""
        if seat != "free":
            lease = {"lease_until": timezone.now() + timedelta(minutes=5), "hold_no": 1}
            Seat.objects.filter(item=item).exclude(state="done").update(state="held", holder=self.people[seat], **lease)


def call(operation: str, item: Item) -> tuple[str, str, dict[str, Any]]:
    """How an operation is asked for."""
    key = uuid.uuid4().hex
    write = {"base_no": item.revision_no, "content": five_captions(55), "track": "peer"}
    judge = {"revision_no": item.revision_no, "client_key": key}
    return {
        "item_submit": ("POST", f"items/{item.pk}/submit", write | {"client_key": key}),
        "draft_save": ("PUT", f"items/{item.pk}/draft", write | {"seq": 1}),
        "item_star": ("POST", f"items/{item.pk}/star", judge),
        "item_send_back": ("POST", f"items/{item.pk}/send-back", judge | {"reasons": ["wrong_fact"]}),
        "item_spot_check": ("POST", f"items/{item.pk}/spot-check", judge | {"outcome": "wrong", "comment": "错"}),
        "item_exclude": ("POST", f"items/{item.pk}/exclude", judge | {"reason": "错"}),
        "item_discard": ("POST", f"items/{item.pk}/discard", judge),
    }[operation]


OPERATIONS = sorted({row.operation for row in states.TABLE.values()} - {"image_take_down", "image_restore"})


def test_what_is_offered_is_what_is_accepted(capsys):
    scene, wrong, tried, done = Scene(), [], 0, set()
    for state in STATES:
        for seat in SEATS if state in ("made", "edited") else SEATS[:1]:
            with transaction.atomic():
                item = scene.item(state)
                scene.hold(item, seat)
                for name, browser in scene.browsers.items():
                    shown = browser.get(f"/api/v1/items/{item.pk}/peer")
                    offered = shown.json()["available_actions"] if shown.status_code == 200 else []
                    assert shown.status_code in (200, 403, 404)
                    for operation in OPERATIONS:
                        method, address, body = call(operation, item)
                        if item.revision_no == 0 and operation in (
                            "item_star",
                            "item_send_back",
                            "item_spot_check",
                            "item_exclude",
                        ):
                            continue  # there is no revision to name
                        tried += 1
                        with transaction.atomic():
                            answer = send(browser, method, address, body)
                            transaction.set_rollback(True)
                        accepted = answer.status_code < 300
                        assert answer.status_code in (200, 403, 404, 409), (name, operation, answer.content)
                        if accepted:
                            done.add((state, operation, name))
                        if accepted is not (operation in offered):
                            code = "" if accepted else answer.json()["code"]
                            wrong.append(f"{name}: {operation} in {state}, seat {seat}: {offered} {code}")
                transaction.set_rollback(True)
    with capsys.disabled():
        sys.stdout.write(f"\ntried {tried} combinations of item, operation and person\n")
    assert not wrong, "\n".join(wrong)
    for state, operation, names_ in EXPECTED:
        assert {n for s, o, n in done if (s, o) == (state, operation)} == set(names_.split()), (state, operation)


# Who may do what at least once, whoever holds the seat. ``editor`` wrote the newest revision of what is "edited".
WRITERS = "lead author editor colleague writer all"
EXPECTED = (
    ("todo", "item_submit", WRITERS),
    ("todo", "item_discard", WRITERS),
    ("returned", "item_submit", WRITERS),
    ("returned", "item_discard", "lead author"),
    ("made", "item_star", "lead editor colleague checker all outsider curator"),
    ("made", "item_send_back", "lead editor colleague checker all outsider curator"),
    ("made", "item_submit", "lead author editor colleague checker all outsider curator"),
    ("made", "item_discard", "lead author"),
    ("edited", "item_star", "lead author colleague checker all outsider curator"),
    ("edited", "item_submit", "lead author editor colleague checker all outsider curator"),
    ("edited", "item_discard", "lead author"),
    ("accepted", "item_submit", "lead editor colleague checker all outsider curator"),
    ("accepted", "item_star", ""),
    ("accepted", "item_spot_check", ""),
    ("made", "item_spot_check", ""),
    ("drawn", "item_spot_check", "all outsider curator"),
    ("drawn", "item_submit", "lead editor colleague checker all outsider curator"),
    ("accepted", "item_discard", ""),
    ("accepted", "item_exclude", "all outsider curator admin owner"),
    ("made", "item_exclude", ""),
    ("excluded", "item_submit", ""),
    ("excluded", "draft_save", ""),
)
REFUSALS = {
    ("made", "free", "author", "item_star"): (403, "own_work"),
    ("made", "free", "author", "item_send_back"): (403, "own_work"),
    ("made", "curator", "colleague", "item_star"): (409, "seat_held"),
    ("made", "curator", "colleague", "item_submit"): (409, "seat_held"),
    ("made", "free", "writer", "item_star"): (403, "operation_not_allowed"),
    ("made", "free", "writer", "item_submit"): (404, "not_found"),
    ("made", "free", "colleague", "item_discard"): (404, "not_found"),
    ("made", "free", "foreigner", "item_star"): (404, "not_found"),
    ("made", "free", "annotator", "item_submit"): (404, "not_found"),
    ("edited", "free", "editor", "item_star"): (403, "own_work"),
    ("returned", "free", "colleague", "item_star"): (409, "action_not_allowed"),
    ("returned", "free", "curator", "item_submit"): (404, "not_found"),
    ("accepted", "free", "author", "item_submit"): (403, "own_work"),
    ("accepted", "free", "author", "item_discard"): (409, "action_not_allowed"),
    ("accepted", "free", "curator", "item_spot_check"): (409, "not_in_spot_check"),
    ("drawn", "free", "colleague", "item_spot_check"): (403, "operation_not_allowed"),
    ("drawn", "free", "foreigner", "item_spot_check"): (403, "operation_not_allowed"),
    ("made", "free", "curator", "item_spot_check"): (409, "action_not_allowed"),
    ("excluded", "free", "author", "item_submit"): (409, "action_not_allowed"),
}


def test_how_people_are_refused():
    scene, wrong = Scene(), []
    for (state, seat, name, operation), expected in REFUSALS.items():
        with transaction.atomic():
            item = scene.item(state)
            scene.hold(item, seat)
            answer = send(scene.browsers[name], *call(operation, item))
            told = (answer.status_code, answer.json().get("code"))
            if told != expected:
                wrong.append(f"{name}: {operation} in {state}, seat {seat}: {told}, not {expected}")
            transaction.set_rollback(True)
    assert not wrong, "\n".join(wrong)
