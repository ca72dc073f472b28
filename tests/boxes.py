"""A benchmark in which objects are boxed, some by two people, for tests of copies and agreement."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from annotation.items.models import Item
from annotation.packages import services
from annotation.packages.models import Package
from annotation.tracks import services as writing
from curation.images.models import Image
from curation.people.models import Person
from curation.taxonomy.models import Category
from tests.annotation.track import items_of, tick_and_submit
from tests.people import World, world
from tests.protocols import captions_protocol, names
from tests.ready import accepted_pictures


def boxes_protocol(*, size: int = 4, double_percent: int = 50, **package: int) -> dict[str, Any]:
    """Content of a protocol version in which pictures of subset A are boxed."""
    content = captions_protocol(size=size, **package)
    common = {key: content["kinds"]["captions"][key] for key in ("human_checks", "review_reasons", "skip_reasons")}
    own = {"side_minimum": 8, "duplicate_percent": 90, "double_percent": double_percent}
    content["kinds"]["boxes"] = {"subset": "A", **own, **common}
    subset = {"code": "A", "name": names("A"), "rule": names("two of one"), "objects": {"main": {"minimum": 2}}}
    content["images"] = {"subsets": [subset]}
    return content


def boxes_world(pictures: int = 8, *, content: dict[str, Any] | None = None, **protocol: int) -> World:
    """A benchmark with accepted pictures of subset A, of pandas, and nothing built yet."""
    made = world(content or boxes_protocol(**protocol))
    for number, slug in enumerate(("panda", "bowl"), 1):
        Category.objects.create(
            benchmark=made.benchmark, slug=slug, number=number, name=names(slug), field="f", field_name=names("f")
        )
    images = accepted_pictures(made.benchmark, made.contributor, made.curator, pictures)
    panda = Category.objects.get(benchmark=made.benchmark, slug="panda")
    Image.objects.filter(pk__in=[image.pk for image in images]).update(category=panda, subset="A")
    return made


def build(here: World, **rule: Any) -> list[Package]:
    """Build packages of boxes."""
    rule = {"kind": "boxes", "seed": 7, "client_key": uuid.uuid4()} | rule
    return services.build_packages(actor=here.admin, benchmark_slug="cvlue", **rule)[0]


def drawing(*boxes: tuple[str, Sequence[float]]) -> dict[str, Any]:
    """A content with boxes of categories."""
    return {"boxes": [{"key": f"k{n}", "category": slug, "box": list(box)} for n, (slug, box) in enumerate(boxes)]}


TWO = drawing(("panda", (10, 10, 100, 100)), ("panda", (200, 10, 100, 100)))


def draw(who: Person, item: Item, content: dict[str, Any] = TWO) -> None:
    """Submit boxes for an item."""
    item.refresh_from_db()
    writing.submit_item(
        actor=who,
        item_id=item.pk,
        base_no=item.revision_no,
        content=content,
        reasons={"too_few_of_main": "only one is there"},
        client_key=uuid.uuid4(),
    )


def claim(who: Person) -> Package:
    """Claim the next package of boxes."""
    return services.claim_package(actor=who, benchmark_slug="cvlue", kind="boxes")[0]


def draw_package(who: Person, package: Package, content: dict[str, Any] = TWO) -> None:
    """Submit the same boxes for all items of a package, and the package."""
    for item in items_of(package):
        draw(who, item, content)
    tick_and_submit(who, package)


def other_of_double(item: Item) -> Item:
    """The other item of a double."""
    return Item.objects.exclude(pk=item.pk).get(image=item.image_id, kind=item.kind, slot=item.slot)


def copies_first(package_id: int) -> list[Item]:
    """The items of a package, those that two people do first."""
    items = items_of(Package.objects.get(pk=package_id))
    return sorted(items, key=lambda item: not Item.objects.exclude(pk=item.pk).filter(image=item.image_id).exists())
