"""Helpers for the pair track: a benchmark in which expressions are written about accepted boxes, and clicked on."""

from __future__ import annotations

import uuid
from typing import Any

from annotation.items.models import Item, ItemRevision
from annotation.judging.models import Judging
from annotation.pair import services as pair
from annotation.pair.queries import clicking_pool
from annotation.peer import services as peer
from annotation.tracks import services as writing
from curation.images.models import Image
from curation.people.models import Person
from tests.boxes import boxes_protocol, boxes_world, drawing
from tests.people import ROLES, World, people
from tests.protocols import names

CLICKER = {"code": "clicker", "name": names("clicker"), "capabilities": ["click:grounding"]}
# The second panda holds a bowl, whose box is the smallest at that place.
OBJECTS = drawing(
    ("panda", (10, 10, 100, 100)),
    ("panda", (200, 10, 100, 100)),
    ("panda", (400, 10, 100, 100)),
    ("bowl", (210, 20, 20, 20)),
)
MIDDLE = {"k0": (60, 60), "k1": (250, 80), "k2": (450, 60)}
TEXTS = {"k0": "最左边的熊猫", "k1": "抱着碗的熊猫", "k2": "最右边的熊猫"}


def pair_protocol(**settings: Any) -> dict[str, Any]:
    """Content of a protocol version with boxes, and with expressions about them."""
    content = boxes_protocol(double_percent=0)
    common = {key: content["kinds"]["captions"][key] for key in ("human_checks", "review_reasons", "skip_reasons")}
    own = {"expressions_maximum": 4, "minimum_characters": 2, "other_script_percent": 20}
    content["kinds"]["grounding"] = {"track": "pair", "subset": "A", **own, **common}
    content["tracks"]["pair"] = {"attempts": 2, "blind": False} | settings
    return content | {"roles": [*ROLES, CLICKER]}


def pair_world(clickers: int = 3, *, pictures: int = 1, **settings: Any) -> World:
    """A benchmark with accepted boxes on every picture and people ``c1`` … who click."""
    here = boxes_world(pictures, content=pair_protocol(**settings))
    people({f"c{n}": ["clicker"] for n in range(1, clickers + 1)}, here.benchmark)
    for image in here.benchmark.images.order_by("pk"):
        accepted_boxes(here, image)
    return here


def accepted_boxes(here: World, image: Image, content: dict[str, Any] = OBJECTS) -> Item:
    """An item of accepted boxes, as a passed package leaves it; the senior drew them."""
    number = Item.objects.filter(benchmark=here.benchmark, kind="boxes").count() + 1
    item = Item.objects.create(benchmark=here.benchmark, kind="boxes", image=image, number=number)
    return accept_boxes(here, item, content)


def accept_boxes(here: World, item: Item, content: dict[str, Any]) -> Item:
    """The item of boxes, accepted with another content."""
    revise(item, here.senior, content)
    Item.objects.filter(pk=item.pk).update(state="accepted", accepted_no=item.revision_no)
    item.refresh_from_db()
    return item


def revise(item: Item, author: Person, content: dict[str, Any]) -> None:
    """Another revision of an item, which is not accepted then."""
    item.refresh_from_db()
    item.revision_no += 1
    ItemRevision.objects.create(
        item=item,
        no=item.revision_no,
        author=author,
        origin="annotator",
        content=content,
        protocol=item.benchmark.protocol,
        client_key=uuid.uuid4(),
    )
    Item.objects.filter(pk=item.pk).update(state="made", accepted_no=None, revision_no=item.revision_no)
    item.refresh_from_db()


def clicker(n: int) -> Person:
    """The n-th person who clicks, from 1, with the roles of now."""
    return Person.objects.get(username=f"c{n}")


def about(texts: dict[str, str] = TEXTS, objects: dict[str, Any] = OBJECTS) -> dict[str, Any]:
    """A content with expressions about objects, by key."""
    boxes = {box["key"]: box["box"] for box in objects["boxes"]}
    return {"expressions": [{"key": key, "text": text, "box": boxes[key]} for key, text in texts.items()]}


def create(here: World, who: Person | None = None, picture: int = 0) -> Item:
    """An item that was not written yet."""
    image = here.benchmark.images.order_by("pk")[picture]
    return peer.create_item(
        actor=who or here.annotator,
        benchmark_slug="cvlue",
        kind="grounding",
        image_id=image.pk,
        client_key=uuid.uuid4(),
    )


def submit(who: Person, item: Item, content: dict[str, Any] | None = None) -> Item:
    """The item with a text."""
    item.refresh_from_db()
    writing.submit_item(
        actor=who,
        item_id=item.pk,
        base_no=item.revision_no,
        content=content or about(),
        reasons={},
        client_key=uuid.uuid4(),
        track="pair",
    )
    item.refresh_from_db()
    return item


def written(here: World, picture: int = 0, content: dict[str, Any] | None = None) -> Item:
    """An item that waits for a second person."""
    return submit(here.annotator, create(here, picture=picture), content)


def take(who: Person) -> None:
    """Claim an item to click on."""
    pair.claim_clicking(actor=who, benchmark_slug="cvlue", kind="grounding")


def held(who: Person) -> dict[str, Any] | None:
    """What the person is shown of the item that they hold."""
    return clicking_pool(who, "cvlue", kind="grounding")["item"]


def answer(who: Person, item: Item, position: int, point: tuple[float, float] | str, **more: Any) -> None:
    """Click on a point, or give another answer."""
    places = {"answer": point} if isinstance(point, str) else {"answer": "point", "x": point[0], "y": point[1]}
    fields = {"position": position, "client_key": uuid.uuid4()} | places | more
    pair.click(actor=who, item_id=item.pk, **fields)


def click_all(who: Person, item: Item, *, wrong: int | None = None) -> Item:
    """Answer every expression, all right except that at one position."""
    texts = {text: key for key, text in TEXTS.items()}
    while (shown := held(who)) is not None:
        at = shown["position"]
        answer(who, item, at, "not_found" if at == wrong else MIDDLE[texts[shown["text"]]])
    item.refresh_from_db()
    return item


def clicked(item: Item, n: int, *, wrong: int | None = None) -> Item:
    """The item after the n-th person claimed it and answered."""
    take(clicker(n))
    return click_all(clicker(n), item, wrong=wrong)


def rounds(item: Item) -> list[tuple[int, int, str]]:
    """Number, revision and outcome of an item's rounds."""
    return list(Judging.objects.filter(item=item).order_by("no").values_list("no", "revision_no", "outcome"))
