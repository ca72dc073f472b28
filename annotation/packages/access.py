"""The only ways to get at packages and their items: how far an operation reaches, and what the state table asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet

from annotation.items.models import Item
from annotation.items.queries import guidelines_read, protocol_content
from annotation.items.states import Relation
from annotation.kinds.registry import KINDS
from annotation.packages import states
from annotation.packages.models import Package, PackageItem
from annotation.seats.models import Seat
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import PackageTrack
from curation.core.errors import DomainError, NotFound, OwnWork
from curation.core.operations import Reach
from curation.core.shapes import PersonBrief
from curation.core.transitions import SYSTEM, Table, available_actions, check_state, relations_for, sources_of
from curation.lib.statements import Param, Prepared
from curation.people import access as people
from curation.people.access import require
from curation.people.models import Person


@lru_cache(maxsize=64)
def track_settings(protocol_id: int) -> PackageTrack:
    """The package track's numbers of a protocol version."""
    return PackageTrack.model_validate(protocol_content(protocol_id)["tracks"]["package"])


def names_shown(person: Person, benchmark_id: int, protocol_id: int | None) -> bool:
    """Whether somebody may see colleagues' names in work done under a protocol version; no statement of its own.

    Where the package track is ``blind``, only those who administer may.
    """
    return people.names_shown(person, benchmark_id, protocol_content(protocol_id) if protocol_id else None)


def brief_for(viewer: Person, colleague: Mapping[str, Any] | Person | None, *, shown: bool) -> PersonBrief | None:
    """Somebody as an answer names them, ``{"id", "name"}``: nobody, or a colleague who is hidden, is None.

    Args:
        viewer: Who asks; their own name they always see.
        colleague: A person, or ``{"id", "name"}`` as it was read.
        shown: What :func:`names_shown` says.
    """
    if colleague is None:
        return None
    id_, name = (
        (colleague.pk, colleague.name) if isinstance(colleague, Person) else (colleague["id"], colleague["name"])
    )
    return {"id": id_, "name": name} if id_ is not None and (shown or id_ == viewer.pk) else None


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
    """The condition on packages that somebody reviewed, or reviewed an item of from a pool: they never write them."""
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
    if not _lies_within(require(person, package.benchmark_id, operation, package.kind), person, package):
        raise NotFound
    return package


def _lies_within(reach: Reach, person: Person, package: Package) -> bool:
    # "assigned" means the annotator for what annotators do and the reviewer for what seniors do.
    return reach is Reach.ALL or (reach is not Reach.NONE and person.pk in {package.assignee_id, package.reviewer_id})


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


def lock_for(person: Person, package_id: int, operation: str) -> Package:
    """A package for a command: locked, reached by the operation, the person in the relation that its table asks for.

    Call :func:`check_operation` for its state, after replays and revisions were looked at.

    Raises:
        NotFound: There is none, it lies beyond the person's reach, or the command is for its assignee or reviewer.
        OwnWork: The person wrote the package, or reviewed it, and the command judges it.
        OperationNotAllowed: No role of theirs opens the operation.
    """
    package = package_for(person, package_id, operation, lock=True)
    check_relation(person, package, operation)
    return package


def table_of(package: Package) -> Table:
    """The life cycle of a package under its protocol's pools."""
    inspection_pool = track_settings(package.protocol_id).inspection_pool is not None
    return states.table_with(review_pool=package.pooled, inspection_pool=inspection_pool)


def relations(person_id: int, *, assignee_id: int | None, reviewer_id: int | None) -> set[Relation]:
    """How somebody relates to a package with this assignee and reviewer."""
    found = {Relation.ASSIGNEE if person_id == assignee_id else Relation.NOT_ASSIGNEE}
    if person_id == reviewer_id:
        found.add(Relation.REVIEWER)
    if person_id not in {assignee_id, reviewer_id}:
        found.add(Relation.UNINVOLVED)
    return found


# How a missing relation is refused. Whoever does not hold a seat is refused where the seat is looked up.
_REFUSALS: Final[Mapping[str, type[DomainError]]] = {
    Relation.ASSIGNEE: NotFound,
    Relation.REVIEWER: NotFound,
    Relation.NOT_ASSIGNEE: OwnWork,
    Relation.UNINVOLVED: OwnWork,
}


def check_relation(person: Person, package: Package, operation: str, *, state: str | None = None) -> tuple[str, ...]:
    """Refuse whoever lacks a relation that the package's table asks for; return the relations it asks for.

    Args:
        person: Who asks.
        package: The package.
        operation: What they ask for.
        state: The state whose row counts; None: the package's own.

    Raises:
        NotFound, OwnWork.
    """
    asked = relations_for(table_of(package), operation, state or package.state)
    theirs = relations(person.pk, assignee_id=package.assignee_id, reviewer_id=package.reviewer_id)
    for relation in asked:
        if relation not in theirs and relation in _REFUSALS:
            raise _REFUSALS[relation]
    return asked


def check_operation(package: Package, operation: str) -> None:
    """Refuse an operation that no person may do in the package's state.

    Raises:
        ActionNotAllowed.
    """
    check_state(table_of(package), operation, package.state)


def actions(person: Person, package: Package) -> list[str]:
    """The operations that a person may do on a package now, work on its items included."""

    def may(operation: str) -> bool:
        return _lies_within(person.reach(package.benchmark_id, operation, package.kind), person, package)

    theirs = relations(person.pk, assignee_id=package.assignee_id, reviewer_id=package.reviewer_id)
    return available_actions(table_of(package), package.state, may=may, relations=theirs)


def item_actions(person: Person, package: Package, *, has_seat: bool) -> list[str]:
    """The operations that a package's table opens to a person for one of its items.

    Args:
        person: Who asks.
        package: The item's package.
        has_seat: Whether they hold a review seat of the item.
    """
    theirs = relations(person.pk, assignee_id=package.assignee_id, reviewer_id=package.reviewer_id)
    if has_seat:
        theirs.add(Relation.SEAT_HOLDER)
    return available_actions(table_of(package), package.state, may=lambda _: True, relations=theirs)


_RELATED: Final[Mapping[str, Callable[[Person], Q]]] = {
    Relation.ASSIGNEE: lambda person: Q(assignee=person),
    Relation.NOT_ASSIGNEE: lambda person: ~Q(assignee=person),
    Relation.REVIEWER: lambda person: Q(reviewer=person),
    Relation.UNINVOLVED: lambda person: ~Q(assignee=person) & ~Q(reviewer=person),
}


def packages_ready_for(person: Person, operation: str) -> Q:
    """The condition on packages in which the table lets somebody do ``operation`` now; pools are not considered."""
    condition = Q(pk__in=[])
    for action, row in states.TABLE.items():
        if row.operation == operation and SYSTEM not in row.by:
            condition |= packages_movable_by(person, action)
    return condition


def packages_movable_by(person: Person, action: str) -> Q:
    """The condition on packages for which the person may make one move of the table."""
    row = states.TABLE[action]
    return Q(*(_RELATED[relation](person) for relation in row.by), state__in=sorted(row.sources))


_MEMBER: Prepared[Any] = Prepared(
    lambda: (
        PackageItem.objects.select_related("item", "package")
        .select_for_update(of=("item", "package"), no_key=True)
        .filter(item_id=Param("item", BigIntegerField()), active=True)
        .annotate(
            guidelines=guidelines_read("package__benchmark_id", "package__kind", Param("person", BigIntegerField()))
        )
    )
)


def lock_item_in_own_package(person: Person, item_id: int, operation: str) -> Any:
    """An item with its package, both locked; None unless the package's table lets the person do ``operation`` now.

    Without the package's lock a submission could slip in between the check and the end of a hand-over, and the package
    would go to review with an item that nobody ticked. Its ``guidelines`` are what ``guidelines_read`` selects.
    """
    member = _MEMBER.row(item=item_id, person=person.pk)
    if member is None:
        return None
    package, table = member.package, table_of(member.package)
    asked = relations_for(table, operation, package.state)
    theirs = relations(person.pk, assignee_id=package.assignee_id, reviewer_id=package.reviewer_id)
    return member if package.state in sources_of(table, operation) and theirs.issuperset(asked) else None


def holds_picture(person: Person, image_id: int) -> bool:
    """Whether a picture belongs to a package the person writes; what annotators may see of pictures."""
    return (
        PackageItem.objects.filter(item__image_id=image_id, active=True, package__assignee=person)
        .exclude(package__state=Package.State.WITHDRAWN)
        .exists()
    )
