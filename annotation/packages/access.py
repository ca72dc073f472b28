"""The only ways to get at packages and the items in somebody's hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet

from annotation.items.models import Item
from annotation.items.queries import guidelines_read, protocol_content
from annotation.kinds.registry import KINDS
from annotation.packages.models import Package, PackageItem
from annotation.seats.models import Seat
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import PackageTrack
from curation.core.errors import NotFound
from curation.lib.statements import Param, Prepared
from curation.people import access as people
from curation.people.access import require
from curation.people.models import Person
from curation.people.rules import Reach


@lru_cache(maxsize=64)
def track_settings(protocol_id: int) -> PackageTrack:
    """The package track's numbers of a protocol version."""
    return PackageTrack.model_validate(protocol_content(protocol_id)["tracks"]["package"])


def names_shown(person: Person, benchmark_id: int, protocol_id: int | None) -> bool:
    """Whether somebody may see colleagues' names in work done under a protocol version; no statement of its own.

    Where the package track is ``blind``, only those who administer may.
    """
    return people.names_shown(person, benchmark_id, protocol_content(protocol_id) if protocol_id else None)


def brief_for(viewer: Person, colleague: Mapping[str, Any] | Person | None, *, shown: bool) -> dict[str, Any] | None:
    """Somebody as an answer names them, ``{"id", "name"}``: nobody, or a colleague who is hidden, is None.

    Args:
        viewer: Who asks; their own name they always see.
        colleague: A person, or ``{"id", "name"}`` as it was read.
        shown: What :func:`names_shown` says.
    """
    if colleague is None:
        return None
    told = {"id": colleague.pk, "name": colleague.name} if isinstance(colleague, Person) else colleague
    if told["id"] is None or not (shown or told["id"] == viewer.pk):
        return None
    return {"id": told["id"], "name": told["name"]}


def packages_visible_to(person: Person, benchmark: Benchmark, operation: str) -> QuerySet[Package]:
    """Packages the operation reaches: all, or those the person writes or reviews."""
    require(person, benchmark.pk, operation)
    rows = Package.objects.filter(benchmark=benchmark)
    if sees_all(person, benchmark, operation, KINDS):
        return rows
    everything = [kind for kind in KINDS if sees_all(person, benchmark, operation, [kind])]
    mine = Q(assignee=person) | Q(reviewer=person)
    return rows.filter(Q(kind__in=everything) | mine & Q(kind__in=kinds_open_to(person, benchmark.pk, operation)))


def sees_all(person: Person, benchmark: Benchmark, operation: str, kinds: Iterable[str]) -> bool:
    """Whether the operation reaches every row of these kinds."""
    return all(person.reach(benchmark.pk, operation, kind) is Reach.ALL for kind in kinds)


def reviewed_by(person: Person) -> Q:
    """The condition on packages that somebody reviewed, or an item of them out of a pool: they never write them."""
    judged = Seat.objects.filter(group_id=OuterRef("pk"), purpose="review", holder=person, state=Seat.State.DONE)
    return Q(reviewer=person) | Q(Exists(judged))


def kinds_open_to(person: Person, benchmark_id: int, operation: str) -> list[str]:
    """The kinds of work for which somebody's roles open an operation at all."""
    return [kind for kind in KINDS if person.may(benchmark_id, operation, kind)]


def package_for(
    person: Person,
    package_id: int,
    operation: str,
    *,
    lock: bool = False,
    rows: QuerySet[Package] | None = None,
) -> Package:
    """One package, when the operation reaches it; ``rows`` may bring annotations along in the same statement.

    Raises:
        NotFound: There is none, or it lies beyond the person's reach.
        OperationNotAllowed: No role of theirs opens the operation.
    """
    if rows is None:
        rows = Package.objects.select_related("assignee", "reviewer")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    return admitted(person, rows.filter(pk=package_id).first(), operation)


def admitted(person: Person, package: Package | None, operation: str) -> Package:
    """A package that was fetched for somebody, when the operation reaches it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    if package is None:
        raise NotFound
    if require(person, package.benchmark_id, operation, package.kind) is Reach.ALL:
        return package
    # "assigned" means the annotator for what annotators do and the reviewer for what seniors do.
    if person.pk not in {package.assignee_id, package.reviewer_id}:
        raise NotFound
    return package


def item_for(person: Person, item_id: int, operation: str) -> Item:
    """One item with its picture, when the operation reaches it: all of a kind, or those of packages in one's hands.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item = Item.objects.select_related("image__category").filter(pk=item_id).first()
    if item is None:
        raise NotFound
    if require(person, item.benchmark_id, operation, item.kind) is Reach.ALL:
        return item
    mine = PackageItem.objects.filter(Q(package__assignee=person) | Q(package__reviewer=person), item=item)
    if not mine.exists():
        raise NotFound
    return item


def lock_package_for(person: Person, package_id: int, operation: str) -> Package:
    """As :func:`package_for`, with the row locked until the transaction ends."""
    return package_for(person, package_id, operation, lock=True)


_IN_WORK: Prepared[Any] = Prepared(
    lambda: (
        PackageItem.objects.select_related("item", "package")
        .select_for_update(of=("item", "package"), no_key=True)
        .filter(
            item_id=Param("item", BigIntegerField()),
            active=True,
            package__assignee_id=Param("person", BigIntegerField()),
            package__state=Package.State.WORKING,
        )
        .annotate(
            guidelines=guidelines_read("package__benchmark_id", "package__kind", Param("person", BigIntegerField()))
        )
    )
)


def lock_member_in_work(person: Person, item_id: int) -> Any:
    """An item of the package the person is writing, both locked; None when it is in nobody's or other hands.

    Without the package's lock a submission could slip in between the check and the end of a hand-over, and the package
    would go to review with an item that nobody ticked. Its ``guidelines`` are what ``guidelines_read`` selects.
    """
    return _IN_WORK.row(item=item_id, person=person.pk)


def holds_picture(person: Person, image_id: int) -> bool:
    """Whether a picture belongs to a package the person writes; what annotators may see of pictures."""
    return (
        PackageItem.objects.filter(item__image_id=image_id, active=True, package__assignee=person)
        .exclude(package__state=Package.State.WITHDRAWN)
        .exists()
    )
