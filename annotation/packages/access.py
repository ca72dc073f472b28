"""Access to packages and their items: how far an operation reaches, and which relation the state table requires.

Other modules read packages on behalf of a person only through these functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet

from annotation.items.models import DoubleHand
from annotation.items.queries import guidelines_read, kinds_open_to, picture_facts, protocol_content
from annotation.items.states import Relation
from annotation.judging.models import Verdict
from annotation.kinds.registry import KINDS
from annotation.packages import states
from annotation.packages.models import Package, PackageItem
from annotation.seats.models import Seat
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import PackageTrack, track_content
from curation.core.errors import DomainError, NotFound, OwnWork
from curation.core.operations import Reach
from curation.core.transitions import SYSTEM, Table, available_actions, check_state, relations_for, sources_of
from curation.images.models import Image, hidden_from
from curation.lib.statements import Param, Prepared
from curation.people.access import require
from curation.people.models import Person


@lru_cache(maxsize=256)
def track_settings(protocol_id: int, kind: str) -> PackageTrack:
    """The package track's numbers of a protocol version for a kind."""
    return PackageTrack.model_validate(track_content(protocol_content(protocol_id), "package", kind))


def packages_visible_to(person: Person, benchmark: Benchmark, operation: str) -> QuerySet[Package]:
    """The packages that the operation reaches: all, or those that the person writes or reviews."""
    require(person, benchmark.pk, operation)
    rows = Package.objects.filter(benchmark=benchmark)
    if sees_all(person, benchmark, operation, KINDS):
        return rows
    kinds_seen = [kind for kind in KINDS if sees_all(person, benchmark, operation, [kind])]
    mine = Q(assignee=person) | Q(reviewer=person)
    return rows.filter(Q(kind__in=kinds_seen) | mine & Q(kind__in=kinds_open_to(person, benchmark.pk, operation)))


def sees_all(person: Person, benchmark: Benchmark, operation: str, kinds: Iterable[str]) -> bool:
    """Whether the operation reaches every row of these kinds."""
    return all(person.reach(benchmark.pk, operation, kind) is Reach.ALL for kind in kinds)


def reviewed_by(person: Person) -> Q:
    """The condition on packages in which a person reviewed anything, also from a pool; they may not write these."""
    judged = Seat.objects.filter(group_id=OuterRef("pk"), purpose="review", holder=person, state=Seat.State.DONE)
    return Q(reviewer=person) | Q(Exists(judged))


def has_hidden_picture(person: Person) -> Q:
    """The condition on packages with a picture that a person asks about in a dialogue; they could not finish these."""
    rows = PackageItem.objects.filter(package_id=OuterRef("pk"), active=True)
    return Q(Exists(rows.filter(hidden_from(person.pk, "item__image_id"))))


def has_double_of(person: Person) -> Q:
    """The condition on packages with an item of which a person has the other one of the double; they may not write it.

    They have it if they wrote a revision of it or judged it, if they got a seat to judge it, or if it is in a package
    that they write or review: they have seen what is in it.
    """
    other = {name: OuterRef(f"item__{name}") for name in ("image_id", "kind", "slot")}
    of_item = {f"item__{name}": value for name, value in other.items()}
    wrote = DoubleHand.objects.filter(**other, person=person).exclude(copy_no=OuterRef("item__copy_no"))
    seen = (
        PackageItem.objects.filter(Q(package__assignee=person) | Q(package__reviewer=person), active=True),
        Verdict.objects.filter(judge=person),
        Seat.objects.filter(Q(holder=person) | Q(lapsed_holder=person)),
    )
    has = Q(Exists(wrote))
    for rows in seen:
        has |= Q(Exists(rows.filter(**of_item).exclude(item__copy_no=OuterRef("item__copy_no"))))
    return Q(Exists(PackageItem.objects.filter(has, package_id=OuterRef("pk"), active=True)))


def package_for(
    person: Person,
    package_id: int,
    operation: str,
    *,
    lock: bool = False,
    rows: QuerySet[Package] | None = None,
) -> Package:
    """Fetch a package that the operation reaches.

    Args:
        person: The person who asks.
        package_id: The package.
        operation: The operation.
        lock: Lock the row until the transaction ends.
        rows: A query set to fetch it from, for example with annotations.

    Raises:
        NotFound: It does not exist, or it is out of the person's reach.
        OperationNotAllowed: No role of theirs allows the operation.
    """
    if rows is None:
        rows = Package.objects.select_related("assignee", "reviewer")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    return check_reach(person, rows.filter(pk=package_id).first(), operation)


def check_reach(person: Person, package: Package | None, operation: str) -> Package:
    """Return a package that was fetched if the operation reaches it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    if package is None:
        raise NotFound
    if not _is_within(require(person, package.benchmark_id, operation, package.kind), person, package):
        raise NotFound
    return package


def _is_within(reach: Reach, person: Person, package: Package) -> bool:
    # "assigned" means the annotator for what annotators do and the reviewer for what seniors do.
    return reach is Reach.ALL or (reach is not Reach.NONE and person.pk in {package.assignee_id, package.reviewer_id})


def lock_for(person: Person, package_id: int, operation: str) -> Package:
    """Lock a package for a command if the operation reaches it and the person has the relation that the table requires.

    The state is not checked here: call :func:`check_operation` after the checks for repeats and stale revisions.

    Raises:
        NotFound: It does not exist, is out of the person's reach, or the command is only for its assignee or reviewer.
        OwnWork: The command judges the package, and the person wrote or reviewed it.
        OperationNotAllowed: No role of theirs allows the operation.
    """
    package = package_for(person, package_id, operation, lock=True)
    check_relation(person, package, operation)
    return package


def table_of(package: Package) -> Table:
    """The life cycle of a package under its protocol's pools."""
    inspection_pool = track_settings(package.protocol_id, package.kind).inspection_pool is not None
    return states.table_with(review_pool=package.pooled, inspection_pool=inspection_pool)


def relations(person_id: int, *, assignee_id: int | None, reviewer_id: int | None) -> set[Relation]:
    """The relations of a person to a package with this assignee and reviewer."""
    relations_held = {Relation.ASSIGNEE if person_id == assignee_id else Relation.NOT_ASSIGNEE}
    if person_id == reviewer_id:
        relations_held.add(Relation.REVIEWER)
    if person_id not in {assignee_id, reviewer_id}:
        relations_held.add(Relation.UNINVOLVED)
    return relations_held


# The error for each missing relation. SEAT_HOLDER is not here: it is checked when the seat is fetched.
_RELATION_ERRORS: Final[Mapping[str, type[DomainError]]] = {
    Relation.ASSIGNEE: NotFound,
    Relation.REVIEWER: NotFound,
    Relation.NOT_ASSIGNEE: OwnWork,
    Relation.UNINVOLVED: OwnWork,
}


def check_relation(person: Person, package: Package, operation: str, *, state: str | None = None) -> tuple[str, ...]:
    """Check that a person has the relations that the package's table requires, and return these relations.

    Args:
        person: The person who asks.
        package: The package.
        operation: The operation.
        state: The state to look up in the table; None: the package's own.

    Raises:
        NotFound, OwnWork.
    """
    required = relations_for(table_of(package), operation, state or package.state)
    theirs = relations(person.pk, assignee_id=package.assignee_id, reviewer_id=package.reviewer_id)
    for relation in required:
        if relation not in theirs and relation in _RELATION_ERRORS:
            raise _RELATION_ERRORS[relation]
    return required


def check_operation(package: Package, operation: str) -> None:
    """Check that the table allows an operation in the package's state.

    Raises:
        ActionNotAllowed.
    """
    check_state(table_of(package), operation, package.state)


def actions(person: Person, package: Package) -> list[str]:
    """The operations that a person may do on a package now, including work on its items."""

    def may(operation: str) -> bool:
        return _is_within(person.reach(package.benchmark_id, operation, package.kind), person, package)

    theirs = relations(person.pk, assignee_id=package.assignee_id, reviewer_id=package.reviewer_id)
    return available_actions(table_of(package), package.state, may=may, relations=theirs)


def item_actions(person: Person, package: Package, *, has_seat: bool) -> list[str]:
    """The operations that a package's table allows a person to do on one of its items.

    Args:
        person: The person who asks.
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
    """The condition on packages in which the table allows a person to do ``operation`` now; ignores pools."""
    condition = Q(pk__in=[])
    for action, row in states.TABLE.items():
        if row.operation == operation and SYSTEM not in row.by:
            condition |= packages_movable_by(person, action)
    return condition


def packages_movable_by(person: Person, action: str) -> Q:
    """The condition on packages on which a person may make one move of the table."""
    row = states.TABLE[action]
    return Q(*(_RELATED[relation](person) for relation in row.by), state__in=sorted(row.sources))


_MEMBER: Prepared[Any] = Prepared(
    lambda: (
        PackageItem.objects.select_related("item", "package")
        .select_for_update(of=("item", "package"), no_key=True)
        .filter(item_id=Param("item", BigIntegerField()), active=True)
        .exclude(item__image__state=Image.State.WITHDRAWN)
        .exclude(hidden_from(Param("person", BigIntegerField()), "item__image_id"))
        .annotate(
            guidelines=guidelines_read("package__benchmark_id", "package__kind", Param("person", BigIntegerField())),
            picture=picture_facts("item__image"),
        )
    )
)


def lock_item_in_own_package(person: Person, item_id: int, operation: str) -> Any:
    """Lock an item with its package; None if the package's table does not allow the person to do ``operation`` now.

    Also None if the item's picture was withdrawn: the sweep that excludes its items comes to a locked one later; or if
    the person asks about the picture in a dialogue.

    The package is locked too because an item submitted while its package is being submitted would otherwise go to
    review without a tick. The row's ``guidelines`` come from ``guidelines_read``, its ``picture`` from
    ``picture_facts``.
    """
    member = _MEMBER.row(item=item_id, person=person.pk)
    if member is None:
        return None
    package, table = member.package, table_of(member.package)
    required = relations_for(table, operation, package.state)
    theirs = relations(person.pk, assignee_id=package.assignee_id, reviewer_id=package.reviewer_id)
    return member if package.state in sources_of(table, operation) and theirs.issuperset(required) else None
