"""What a build would make: the items that wait outside packages, how they would be batched, what that means."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import Max, Q

from annotation.items.models import Item
from annotation.kinds.registry import KINDS
from annotation.packages import access, rules
from annotation.packages.errors import KindNotInProtocol, TrackNotInProtocol
from annotation.packages.models import Package
from annotation.tallies import queries as tallies
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.images.errors import CategoryUnknown
from curation.images.models import Image
from curation.lib.sampling import PREVIEWED_PERCENTS, Draw, draw_from, plan_warnings
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.models import Category

SHOWN_PACKAGES = 50


class Loose(NamedTuple):
    """An item that waits outside packages, or that a build would make for a picture which has none yet.

    Attributes:
        number: The item's number, or the one it will get.
        item_id: None while it is not made.
        image_id: Its picture.
        category_id: The picture's category.
    """

    number: int
    item_id: int | None
    image_id: int
    category_id: int | None


class Plan(NamedTuple):
    """How a build batches what waits.

    Attributes:
        waiting: Everything outside packages, by number, whatever its category.
        batches: Numbers of items, a batch for each package.
        left_over: Items of the chosen categories that no batch holds.
        size: Items in a full package.
        seed: What the order is drawn by.
    """

    waiting: dict[int, Loose]
    batches: list[list[int]]
    left_over: int
    size: int
    seed: int


def publishable(prefix: str = "") -> Q:
    """Pictures that may be worked on: accepted, and seen by a person to hold no personal information."""
    return Q(**{f"{prefix}state": Image.State.ACCEPTED, f"{prefix}pii_clear_by__isnull": False})


def protocol_with(benchmark: Benchmark, kind: str) -> ProtocolVersion:
    """The protocol in force, when it uses a kind of work.

    Raises:
        KindNotInProtocol.
    """
    protocol = benchmark.protocol
    if protocol is None or kind not in KINDS or kind not in protocol.content.get("kinds", {}):
        raise KindNotInProtocol(kind=kind)
    return protocol


def plan(
    benchmark: Benchmark,
    *,
    kind: str,
    size: int | None,
    seed: int,
    mix: str,
    categories: Sequence[str] | None,
    maximum: int | None,
    complete_only: bool,
) -> Plan:
    """Batch what waits; the same numbers and seed give the same packages.

    Raises:
        CategoryUnknown, KindNotInProtocol, TrackNotInProtocol.
    """
    protocol = protocol_with(benchmark, kind)
    if not protocol.content.get("tracks", {}).get("package"):
        raise TrackNotInProtocol(track="package")
    waiting = {loose.number: loose for loose in loose_items(benchmark, kind)}
    chosen = list(waiting.values())
    if categories is not None:
        wanted = _category_ids(benchmark, categories)
        chosen = [loose for loose in chosen if loose.category_id in wanted]
    size = size or access.track_settings(protocol.pk).size
    batches = rules.batches(
        [(loose.number, loose.category_id) for loose in chosen],
        seed=str(seed).encode(),
        size=size,
        mix=mix,
        complete_only=complete_only,
    )[:maximum]
    return Plan(waiting, batches, len(chosen) - sum(map(len, batches)), size, seed)


def loose_items(benchmark: Benchmark, kind: str) -> Iterable[Loose]:
    """Items outside packages that can be written, and pictures without an item, numbered on from the last item."""
    items = Item.objects.filter(benchmark=benchmark, kind=kind)
    open_ = items.filter(publishable("image__"), state__in=[Item.State.TODO, Item.State.RETURNED])
    for row in open_.exclude(memberships__active=True).values_list("number", "pk", "image_id", "image__category_id"):
        yield Loose(*row)
    last = items.aggregate(n=Max("number"))["n"] or 0
    fresh = Image.objects.filter(publishable(), benchmark=benchmark).exclude(items__kind=kind).order_by("number")
    for number, (image_id, category_id) in enumerate(fresh.values_list("pk", "category_id"), last + 1):
        yield Loose(number, None, image_id, category_id)


def _category_ids(benchmark: Benchmark, slugs: Sequence[str]) -> set[int]:
    found = dict(Category.objects.filter(benchmark=benchmark, slug__in=slugs).values_list("slug", "pk"))
    for slug in slugs:
        if slug not in found:
            raise CategoryUnknown(category=slug)
    return set(found.values())


def preview(
    person: Person, slug: str, *, kind: str, seed: int | None, assignees: Sequence[int] = (), **asked: Any
) -> dict[str, Any]:
    """What a build would make of this moment's pictures, and what the inspection of such packages would mean.

    Args:
        person: Who asks.
        slug: The benchmark.
        kind: The kind of work.
        seed: What a build is to draw by; without one a fresh one is chosen, for the build to name.
        assignees: Whom packages would be dealt to; says nothing about the packages.
        asked: ``size``, ``mix``, ``categories``, ``maximum`` and ``complete_only`` as for a build.

    Raises:
        CategoryUnknown, KindNotInProtocol, TrackNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, slug, "package_preview")
    found = plan(benchmark, kind=kind, seed=secrets.randbits(32) if seed is None else seed, **asked)
    names = {c.pk: {"slug": c.slug, "name": c.name} for c in Category.objects.filter(benchmark=benchmark)}
    last = Package.objects.filter(benchmark=benchmark, kind=kind).aggregate(n=Max("number"))["n"] or 0
    packed = [number for batch in found.batches for number in batch]

    def mixed(numbers: Iterable[int]) -> list[dict[str, Any]]:
        counted = Counter(found.waiting[number].category_id for number in numbers)
        nothing: dict[str, Any] = {"slug": None, "name": None}
        rows = [{**names.get(category or 0, nothing), "n": n} for category, n in counted.items()]
        return sorted(rows, key=lambda row: (-row["n"], row["slug"] or "~"))

    track = access.track_settings(benchmark.protocol_id or 0)
    draw = draw_from(found.size, sample_percent=track.sample_percent, pass_over_percent=track.pass_over_percent)
    smallest = min(map(len, found.batches), default=found.size)
    small = draw_from(smallest, sample_percent=track.sample_percent, pass_over_percent=track.pass_over_percent)
    return {
        "waiting": len(found.waiting),
        "chosen": len(packed),
        "left_over": found.left_over,
        "size": found.size,
        "seed": found.seed,
        "total": len(found.batches),
        "packages": [
            {"number": last + i, "items": len(batch), "categories": mixed(batch)}
            for i, batch in enumerate(found.batches[:SHOWN_PACKAGES], 1)
        ],
        "categories": mixed(packed),
        "inspection": {
            "size": draw.size,
            "errors_allowed": draw.errors_allowed,
            "pass_chances": [{"right_percent": p, "chance": float(draw.chance(p))} for p in PREVIEWED_PERCENTS],
        },
        "warnings": _warnings(draw, small, _not_clear(benchmark)),
    }


def _not_clear(benchmark: Benchmark) -> int:
    """Accepted pictures that nobody has cleared of personal information yet."""
    return tallies.counts(benchmark.pk, "clear", of="image", state=Image.State.ACCEPTED).get(False, 0)


def _warnings(draw: Draw, small: Draw, not_clear: int) -> list[dict[str, Any]]:
    found = [warning._asdict() for warning in plan_warnings(draw)]
    weak = [warning for warning in plan_warnings(small) if warning.code == "inspection_weak"]
    if weak and not found:
        # Full packages are judged well, and the last one, or a rare category's, is too small for that.
        found.append({"code": "package_small", "params": weak[0].params})
    if not_clear:
        found.append({"code": "pictures_not_clear", "params": {"count": not_clear}})
    return found
