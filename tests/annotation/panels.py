"""Helpers for the panel track: a benchmark whose captions are judged by several people independently."""

from __future__ import annotations

import uuid
from typing import Any

from annotation.items.models import Item
from annotation.panel import services as panel
from annotation.peer import services as peer
from annotation.tracks import services as writing
from curation.people.models import Person
from tests.people import ROLES, World, people, world
from tests.protocols import captions_protocol, names
from tests.ready import accepted_pictures
from tests.sentences import five_captions

# As TCC-Bench's: who writes also collects.
WRITER = {"code": "writer", "name": names("writer"), "capabilities": ["collect", "annotate"]}
VERIFIER = {"code": "verifier", "name": names("verifier"), "capabilities": ["verify"]}
PASS = {"type": "pass"}
LEVEL = {
    "type": "level",
    "code": "difficulty",
    "name": names("difficulty"),
    "required": True,
    "options": [{"code": code, "name": names(code)} for code in ("easy", "hard")],
}


def panel_protocol(*, maximum: int = 3, **settings: Any) -> dict[str, Any]:
    """Content of a protocol version whose captions a panel of two judges."""
    content = captions_protocol()
    content["kinds"]["captions"] |= {"track": "panel", "per_picture": {"minimum": 1, "maximum": maximum}}
    defaults = {"people": 2, "form": [PASS], "on_failure": "exclude", "attempts": 3, "held": 3, "blind": False}
    content["tracks"] = {"panel": defaults | settings}
    return content | {"roles": [*ROLES, VERIFIER, WRITER]}


def panel_world(judges: int = 3, *, pictures: int = 1, **settings: Any) -> World:
    """A benchmark with verifiers ``v1`` … and pictures to write about."""
    here = world(panel_protocol(**settings), slug="tcc")
    people({f"tcc-v{n}": ["verifier"] for n in range(1, judges + 1)}, here.benchmark)
    accepted_pictures(here.benchmark, here.contributor, here.curator, pictures)
    return here


def verifier(n: int) -> Person:
    """The n-th verifier, from 1, with the roles of now."""
    return Person.objects.get(username=f"tcc-v{n}")


def create(here: World, who: Person | None = None, picture: int = 0) -> Item:
    """An item that was not written yet."""
    image = here.benchmark.images.order_by("pk")[picture]
    return peer.create_item(
        actor=who or here.annotator,
        benchmark_slug="tcc",
        kind="captions",
        image_id=image.pk,
        client_key=uuid.uuid4(),
    )


def submit(who: Person, item: Item, n: int = 1) -> Item:
    """The item with another text."""
    item.refresh_from_db()
    writing.submit_item(
        actor=who,
        item_id=item.pk,
        base_no=item.revision_no,
        content=five_captions(n),
        reasons={},
        client_key=uuid.uuid4(),
        track="panel",
    )
    item.refresh_from_db()
    return item


def written(here: World, n: int = 1, picture: int = 0) -> Item:
    """An item that waits for its panel."""
    return submit(here.annotator, create(here, picture=picture), n)


def take(who: Person, count: int = 1) -> None:
    """Claim seats."""
    peer.claim_items(actor=who, benchmark_slug="tcc", kind="captions", count=count)


def judge(who: Person, item: Item, outcome: str = "pass", **more: Any) -> Item:
    """Give a verdict on the newest revision; a failure for a reason of the protocol."""
    item.refresh_from_db()
    reasons = {"reasons": ["wrong_fact"]} if outcome == "fail" else {}
    fields = {"revision_no": item.revision_no, "client_key": uuid.uuid4()} | reasons | more
    panel.judge_item(actor=who, item_id=item.pk, outcome=outcome, **fields)
    item.refresh_from_db()
    return item


def settled(item: Item, *outcomes: str) -> Item:
    """The item after verdicts of the first verifiers, one each."""
    for n, outcome in enumerate(outcomes, 1):
        take(verifier(n))
        judge(verifier(n), item, outcome)
    return item
