"""Helpers for the peer track: a benchmark whose teams write captions on their own pictures."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from annotation.draws.models import Draw
from annotation.items.models import Item
from annotation.peer import services as peer
from annotation.tracks import services as writing
from curation.images.models import Image
from curation.people.models import Person, RoleGrant, Team
from tests.people import ROLES, World, people, world
from tests.protocols import captions_protocol, names
from tests.ready import accepted_pictures
from tests.sentences import five_captions

MEMBER = {"code": "member", "name": names("member"), "capabilities": ["collect", "annotate", "verify"]}


def peer_protocol(
    *, maximum: int = 3, percent: int = 10, blind: bool = False, credit: dict | None = None, subset: str | None = None
) -> dict:
    """Content of a protocol version whose captions are written by teams."""
    content = captions_protocol()
    content["kinds"]["captions"] |= {"track": "peer", "per_picture": {"minimum": 1, "maximum": maximum}}
    if subset is not None:
        content["kinds"]["captions"]["subset"] = subset
    content["tracks"] = {"peer": {"items_per_team": 200, "spot_check_percent": percent, "blind": blind}}
    if credit is not None:
        content["people"] = content.get("people", {}) | {"credit": credit}
    return content | {"roles": [*ROLES, MEMBER]}


def team_of(here: World, name: str, members: Sequence[str], pictures: int = 1, *, lead: bool = True) -> Team:
    """A team with members and pictures; the first member leads."""
    made = people({f"{here.benchmark.slug}-{member}": ["member"] for member in members}, here.benchmark)
    team = Team.objects.create(benchmark=here.benchmark, name=name, lead=made[0] if lead and made else None)
    RoleGrant.objects.filter(person__in=made).update(team=team)
    images = accepted_pictures(here.benchmark, here.contributor, here.curator, pictures)
    Image.objects.filter(pk__in=[image.pk for image in images]).update(team=team)
    return team


def peer_world(teams: dict[str, Sequence[str]] | None = None, *, pictures: int = 1, **protocol: Any) -> World:
    """A benchmark with teams; by default ``thai`` of ann, ben and cay, and ``urdu`` of dan alone."""
    here = world(peer_protocol(**protocol), slug="cvqa")
    for name, members in (teams or {"thai": ["ann", "ben", "cay"], "urdu": ["dan"]}).items():
        team_of(here, name, members, pictures)
    return here


def member(here: World, name: str) -> Person:
    """A member by name, with the roles of now."""
    return Person.objects.get(username=f"{here.benchmark.slug}-{name}")


def picture_of(team: str) -> Image:
    """The first picture of a team."""
    return Image.objects.filter(team__name=team).order_by("pk").first()


def create(who: Person, image: Image | None = None) -> Item:
    """An item that was not written yet."""
    image = image or Image.objects.filter(team__in=who.team_ids(image_benchmark(who))).order_by("pk").first()
    return peer.create_item(
        actor=who,
        benchmark_slug=image.benchmark.slug,
        kind="captions",
        image_id=image.pk,
        client_key=uuid.uuid4(),
    )


def image_benchmark(who: Person) -> int:
    """The only benchmark in which somebody takes part."""
    [benchmark_id] = {g.benchmark_id for g in who.grants}
    return benchmark_id


def submit(who: Person, item: Item, n: int | None = None, **more) -> Item:
    """Submit a text; ``n`` chooses which, unless ``content`` is given."""
    fields = {"base_no": Item.objects.get(pk=item.pk).revision_no, "client_key": uuid.uuid4()} | more
    fields.setdefault("content", five_captions(item.number if n is None else n))
    writing.submit_item(actor=who, item_id=item.pk, reasons={}, track="peer", **fields)
    return Item.objects.get(pk=item.pk)


def made(who: Person, image: Image | None = None) -> Item:
    """An item that somebody wrote."""
    return submit(who, create(who, image))


def star(who: Person, item: Item, **more) -> Item:
    """Star an item at its newest revision."""
    fields = {"revision_no": Item.objects.get(pk=item.pk).revision_no, "client_key": uuid.uuid4()} | more
    peer.star_item(actor=who, item_id=item.pk, **fields)
    return Item.objects.get(pk=item.pk)


def send_back(who: Person, item: Item, **more) -> Item:
    """Return an item with a reason."""
    fields = {"revision_no": Item.objects.get(pk=item.pk).revision_no, "client_key": uuid.uuid4()}
    peer.send_back_item(actor=who, item_id=item.pk, **({"reasons": ["wrong_fact"]} | fields | more))
    return Item.objects.get(pk=item.pk)


def draw(who: Person) -> list[Item]:
    """Draw a spot check; return the drawn items in the order of the draw."""
    fields = {"benchmark_slug": "cvqa", "kind": "captions", "client_key": uuid.uuid4()}
    peer.draw_spot_check(actor=who, **fields)
    newest = Draw.objects.filter(purpose="spot_check").latest("pk")
    return [row.item for row in newest.drawn.order_by("ordinal")]


def judge(who: Person, item: Item, outcome: str = "right", **more) -> Item:
    """Judge a drawn item; a wrong one with a reason."""
    fields = {"revision_no": Item.objects.get(pk=item.pk).revision_no, "client_key": uuid.uuid4()}
    reasons = ["wrong_fact"] if outcome == "wrong" else []
    peer.judge_spot_check(actor=who, item_id=item.pk, **({"outcome": outcome, "reasons": reasons} | fields | more))
    return Item.objects.get(pk=item.pk)


def discard(who: Person, item: Item) -> Item:
    """Discard an item."""
    no = Item.objects.get(pk=item.pk).revision_no
    peer.discard_item(actor=who, item_id=item.pk, revision_no=no, client_key=uuid.uuid4())
    return Item.objects.get(pk=item.pk)
