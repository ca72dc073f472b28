"""Planning and previewing a build: the items outside packages, their batches, and what the inspection would mean."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, Exists, ExpressionWrapper, Max, OuterRef, Q, Value

from annotation.items.errors import TrackNotInProtocol
from annotation.items.models import FREES_SLOT, Item, ItemRevision
from annotation.items.queries import double_percent, protocol_with, publishable
from annotation.kinds.registry import is_doubled
from annotation.packages import access, rules
from annotation.packages.errors import KindNotInPackages
from annotation.packages.models import Package
from annotation.packages.shapes import MixedRow, PreviewAnswer, PreviewWarning
from annotation.tallies import queries as tallies
from annotation.tallies.models import PictureItems
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.rules import KindWork, track_content, work_of
from curation.images.errors import CategoryUnknown
from curation.images.models import Image
from curation.lib.sampling import PREVIEWED_PERCENTS, Draw, draw_from, plan_warnings, seeded_order
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.models import Category

LISTED_PACKAGES = 50  # of a plan; its counts cover all


class UnpackagedItem(NamedTuple):
    """An item outside packages, or one that a build would create for a picture that needs it.

    Attributes:
        number: The item's number, or the one it will get.
        item_id: None if it does not exist yet.
        image_id: Its picture.
        category_id: The picture's category.
        slot: Which of the picture's items it is.
        copy_no: 1 for the second item of a double.
        may_double: Whether a second person may do it, too: nobody began it, and it has no copy yet.
    """

    number: int
    item_id: int | None
    image_id: int
    category_id: int | None
    slot: int = 0
    copy_no: int = 0
    may_double: bool = True


class Plan(NamedTuple):
    """How a build batches the items outside packages.

    Attributes:
        waiting: All items outside packages, by number, of any category, and the copies that the build makes.
        batches: The numbers of the items of each package.
        left_over: Items of the chosen categories that are in no batch.
        size: Items in a full package, without copies.
        seed: Determines the order.
        copies: How many copies the build makes.
    """

    waiting: dict[int, UnpackagedItem]
    batches: list[list[int]]
    left_over: int
    size: int
    seed: int
    copies: int = 0


def check_worked_in_packages(protocol: ProtocolVersion, kind: str) -> KindWork:
    """Return how items of a kind come about, which must be in packages.

    Raises:
        KindNotInPackages.
    """
    work = work_of(protocol.content, kind)
    if work.track != "package":
        raise KindNotInPackages(kind=kind, track=work.track)
    return work


def check_has_packages(protocol: ProtocolVersion, kind: str) -> KindWork:
    """As :func:`check_worked_in_packages`, and the protocol must have settings for packages of the kind.

    Raises:
        KindNotInPackages, TrackNotInProtocol.
    """
    work = check_worked_in_packages(protocol, kind)
    if track_content(protocol.content, work.track, kind) is None:
        raise TrackNotInProtocol(track=work.track)
    return work


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
    people: int = 0,
) -> Plan:
    """Batch the items outside packages; the same numbers and seed give the same packages.

    Where the protocol has a share of the items done twice, copies are added to packages that another person gets.

    Args:
        benchmark: The benchmark.
        kind: The kind of work.
        size: Items in a package without copies; None: the protocol's.
        seed: Determines the order.
        mix: How categories are mixed.
        categories: Only pictures of these categories; None: of all.
        maximum: The largest number of packages.
        complete_only: Leave out the last, smaller package.
        people: Number of people who get the packages in turn; 0: they claim them.

    Raises:
        CategoryUnknown, KindNotInPackages, KindNotInProtocol, TrackNotInProtocol.
    """
    protocol = protocol_with(benchmark, kind)
    work = check_has_packages(protocol, kind)
    waiting = {row.number: row for row in unpackaged_items(benchmark, kind, work)}
    chosen = list(waiting.values())
    if categories is not None:
        category_ids = _category_ids(benchmark, categories)
        chosen = [row for row in chosen if row.category_id in category_ids]
    size = size or access.track_settings(protocol.pk, kind).size
    originals = {(row.image_id, row.slot) for row in chosen if row.copy_no == 0}
    beside = [row for row in chosen if row.copy_no and (row.image_id, row.slot) in originals]
    batches = rules.batches(
        [(row.number, row.category_id) for row in chosen if row not in beside],
        seed=str(seed).encode(),
        size=size,
        mix=mix,
        complete_only=complete_only,
    )
    last = Item.objects.filter(benchmark=benchmark, kind=kind).aggregate(n=Max("number"))["n"] or 0
    doubles = _Doubles(waiting, batches, batches[:maximum], mix=mix, seed=str(seed).encode(), people=people)
    kept = doubles.add(beside, percent=double_percent(protocol.pk, kind), last=max([last, *waiting]))
    left_over = len(chosen) + doubles.made - sum(map(len, kept))
    return Plan(waiting, kept, left_over, size, seed, doubles.made)


class _Doubles:
    """Adds copies of items to the batches of a build."""

    def __init__(
        self,
        waiting: dict[int, UnpackagedItem],
        batches: Sequence[Sequence[int]],
        kept: Sequence[Sequence[int]],
        *,
        mix: str,
        seed: bytes,
        people: int,
    ) -> None:
        self.made = 0
        self._waiting = waiting
        self._kept = [list(batch) for batch in kept]
        self._origins = {number: i for i, batch in enumerate(batches) for number in batch}
        self._by_place = {(row.image_id, row.slot): row.number for row in waiting.values() if row.copy_no == 0}
        self._by_category = mix == "single"
        self._seed = seed
        self._people = people

    def add(self, beside: Sequence[UnpackagedItem], *, percent: int, last: int) -> list[list[int]]:
        """Return the batches that are made, with copies in the seeded order of the others.

        Args:
            beside: Copies that exist and wait for a package as their originals do.
            percent: Share of the items of this build that get a copy, rounded up.
            last: The highest number of an item, existing or planned.
        """
        existing = {self._by_place[row.image_id, row.slot]: row.number for row in beside}
        placed = self._place({n: self._origins.get(n) for n in existing}, len(existing))
        added = [(existing[number], batch) for number, batch in placed.items()]
        if percent:
            may = {
                n: i for n, i in self._origins.items() if self._waiting[n].may_double and not self._waiting[n].copy_no
            }
            packed = {n: i for n, i in may.items() if i < len(self._kept)}
            most = -(-percent * len(packed) // 100)
            # Both are in packages now, so that they can be compared soon; a single package has none of its own.
            drawn = self._place(packed, most) or self._place(may, most)
            for copy, (number, batch) in enumerate(sorted(drawn.items()), last + 1):
                self._waiting[copy] = self._waiting[number]._replace(number=copy, item_id=None, copy_no=1)
                added.append((copy, batch))
            self.made = len(drawn)
        for number, batch in added:
            self._kept[batch].append(number)
        changed = {batch for _, batch in added}
        return [seeded_order(self._seed, batch) if i in changed else batch for i, batch in enumerate(self._kept)]

    def _place(self, origins: Mapping[int, int | None], most: int) -> dict[int, int]:
        return rules.place_copies(self._kept, origins, seed=self._seed, most=most, people=self._people, fits=self._fits)

    def _fits(self, number: int, batch: int) -> bool:
        if not self._by_category:
            return True
        return self._waiting[self._kept[batch][0]].category_id == self._waiting[number].category_id


def unpackaged_items(benchmark: Benchmark, kind: str, work: KindWork) -> Iterable[UnpackagedItem]:
    """Writable items outside packages, then those that pictures still need, numbered from the last item on.

    Only pictures of the kind's subset count; each needs items up to the minimum for a picture.
    """
    items = Item.objects.filter(benchmark=benchmark, kind=kind)
    open_ = items.filter(publishable("image__", subset=work.subset), state__in=[Item.State.TODO, Item.State.RETURNED])
    columns = ("number", "pk", "image_id", "image__category_id", "slot", "copy_no")
    others = Item.objects.filter(image_id=OuterRef("image_id"), kind=kind, slot=OuterRef("slot"))
    untouched = Q(revision_no=0) & ~Q(Exists(others.exclude(pk=OuterRef("pk"))))
    may_double = ExpressionWrapper(untouched, output_field=BooleanField()) if is_doubled(kind) else Value(True)
    for row in open_.filter(packed=False).values_list(*columns, may_double):
        yield UnpackagedItem(*row)
    minimum = work.per_picture.minimum
    taken = items.filter(image_id=OuterRef("image_id"), copy_no=0).exclude(excluded_for__in=FREES_SLOT)
    # One value after the other, so that PostgreSQL reads only the pictures of the subset from the index.
    ready = PictureItems.objects.filter(benchmark=benchmark, kind=kind, ready=True, items__in=range(minimum))
    pictures = ready if work.subset is None else ready.filter(subset=work.subset)
    rows = pictures.order_by("image__number").values_list(
        "image_id", "image__category_id", ArraySubquery(taken.order_by("slot").values("slot"))
    )
    last = items.aggregate(n=Max("number"))["n"] or 0
    new = (
        (image_id, category_id, slot)
        for image_id, category_id, slots in rows
        for slot in rules.free_slots(slots, minimum)
    )
    for number, (image_id, category_id, slot) in enumerate(new, last + 1):
        yield UnpackagedItem(number, None, image_id, category_id, slot)


def _category_ids(benchmark: Benchmark, slugs: Sequence[str]) -> set[int]:
    id_of = dict(Category.objects.filter(benchmark=benchmark, slug__in=slugs).values_list("slug", "pk"))
    for slug in slugs:
        if slug not in id_of:
            raise CategoryUnknown(category=slug)
    return set(id_of.values())


def preview(
    *,
    actor: Person,
    benchmark_slug: str,
    kind: str,
    size: int | None = None,
    seed: int | None = None,
    mix: str = "shuffled",
    categories: Sequence[str] | None = None,
    maximum: int | None = None,
    complete_only: bool = False,
    assignees: Sequence[int] = (),
) -> PreviewAnswer:
    """Show the packages that a build would make now, and what their inspection would mean; stores nothing.

    Args:
        actor: The person who asks.
        benchmark_slug: The benchmark.
        kind: The kind of work.
        size: Items in a package; None: the protocol's.
        seed: Determines the order; None: a random seed is chosen, and the build has to use it.
        mix: How categories are mixed.
        categories: Only pictures of these categories; None: of all.
        maximum: The largest number of packages.
        complete_only: Leave out the last, smaller package.
        assignees: The people who get the packages in turn; copies go to others than their originals.

    Raises:
        CategoryUnknown, KindNotInPackages, KindNotInProtocol, TrackNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "package_preview")
    planned = plan(
        benchmark,
        kind=kind,
        size=size,
        seed=secrets.randbits(32) if seed is None else seed,
        mix=mix,
        categories=categories,
        maximum=maximum,
        complete_only=complete_only,
        people=len(set(assignees)),
    )
    mixed = _category_counter(benchmark, planned)
    last = Package.objects.filter(benchmark=benchmark, kind=kind).aggregate(n=Max("number"))["n"] or 0
    packed = [number for batch in planned.batches for number in batch]
    track = access.track_settings(benchmark.protocol_id or 0, kind)
    # Where all packages are smaller than asked, what their inspection would mean is what counts.
    largest = min(planned.size, max(map(len, planned.batches), default=planned.size))
    draw = draw_from(largest, sample_percent=track.sample_percent, pass_over_percent=track.pass_over_percent)
    subset = work_of(benchmark.protocol.content, kind).subset if benchmark.protocol else None
    smallest = min(map(len, planned.batches), default=planned.size)
    small = draw_from(smallest, sample_percent=track.sample_percent, pass_over_percent=track.pass_over_percent)
    return {
        "waiting": len(planned.waiting) - planned.copies,
        "chosen": len(packed) - planned.copies,
        "copies": planned.copies,
        "left_over": planned.left_over,
        "size": planned.size,
        "subset": subset,
        "seed": planned.seed,
        "total": len(planned.batches),
        "packages": [
            {"number": last + i, "items": len(batch), "categories": mixed(batch)}
            for i, batch in enumerate(planned.batches[:LISTED_PACKAGES], 1)
        ],
        "categories": mixed(packed),
        "inspection": {
            "size": draw.size,
            "errors_allowed": draw.errors_allowed,
            "pass_chances": [{"right_percent": p, "chance": float(draw.chance(p))} for p in PREVIEWED_PERCENTS],
        },
        "warnings": _warnings(draw, small, _not_included(benchmark, subset)),
    }


def _category_counter(benchmark: Benchmark, planned: Plan) -> Callable[[Iterable[int]], list[MixedRow]]:
    """Return a function that counts planned items, given by number, by category, the most frequent first."""
    categories = Category.objects.filter(benchmark=benchmark).in_bulk()

    def count(numbers: Iterable[int]) -> list[MixedRow]:
        counted = Counter(planned.waiting[number].category_id for number in numbers)
        rows: list[MixedRow] = []
        for category_id, n in counted.items():
            category = categories.get(category_id or 0)
            rows.append(
                {"slug": category.slug if category else None, "name": category.name if category else None, "n": n}
            )
        return sorted(rows, key=lambda row: (-row["n"], row["slug"] or "~"))

    return count


def _not_included(benchmark: Benchmark, subset: str | None) -> dict[str, int]:
    """Count the accepted pictures that a kind of this subset leaves out, by the code of the warning.

    They are not marked as free of personal information yet, or belong to no subset although the kind has one.
    """
    accepted = tallies.counts(benchmark.pk, "subset", "clear", of="image", state=Image.State.ACCEPTED)
    not_clear = [n for (of, clear), n in accepted.items() if not clear and subset in (None, of)]
    without_subset = [n for (of, _), n in accepted.items() if subset is not None and not of]
    return {"pictures_not_clear": sum(not_clear), "pictures_without_subset": sum(without_subset)}


def _warnings(draw: Draw, small: Draw, not_included: Mapping[str, int]) -> list[PreviewWarning]:
    warnings: list[PreviewWarning] = [{"code": w.code, "params": dict(w.params)} for w in plan_warnings(draw)]
    weak = [warning for warning in plan_warnings(small) if warning.code == "inspection_weak"]
    if weak and not warnings:
        # Full packages are fine, but the last one, or that of a rare category, is too small for its inspection.
        warnings.append({"code": "package_small", "params": dict(weak[0].params)})
    warnings += [{"code": code, "params": {"count": count}} for code, count in not_included.items() if count]
    return warnings


def unpackaged_imports(importer: Person, benchmark_id: int, kind: str, limit: int) -> list[int]:
    """The ids of items that a person imported, from any file, and that no package holds; by number."""
    revision = ItemRevision.objects.filter(
        item_id=OuterRef("pk"), no=OuterRef("revision_no"), origin="import", author=importer
    )
    items = Item.objects.filter(benchmark_id=benchmark_id, kind=kind, state=Item.State.MADE)
    unpackaged = items.filter(Exists(revision), packed=False)
    return list(unpackaged.order_by("number").values_list("pk", flat=True)[:limit])
