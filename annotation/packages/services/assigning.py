"""Assigning packages, revoking assignments, and withdrawing packages that are not started."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from django.db import transaction

from annotation.kinds.registry import is_doubled
from annotation.packages import access
from annotation.packages.errors import CannotAnnotate, DoubleOfAssignee
from annotation.packages.models import Package, PackageItem
from annotation.packages.services.moving import move_package
from curation.benchmarks.models import Benchmark
from curation.core.decisions import Decision
from curation.core.errors import DomainError, NotFound, OwnWork
from curation.people import access as people
from curation.people.models import Person
from curation.people.services import notify

State = Package.State


@transaction.atomic
def assign_package(
    *, actor: Person, package_id: int, person: int, revision: int, client_key: UUID, quietly: bool = False
) -> Package:
    """Assign a free package to an annotator; their next claim gets it.

    With ``quietly`` the caller notifies the annotator, of many packages at once.

    Raises:
        CannotAnnotate: The annotator may not write this kind.
        OwnWork: The annotator reviewed the package.
        DoubleOfAssignee: The annotator has the other item of a double in it.
        StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_assign")
    decision = Decision(actor_id=actor.pk, action="package_assign", row=package, client_key=client_key)
    if decision.is_repeat(revision=revision, person_id=person):
        return package
    [assignee] = annotators(Benchmark.objects.get(pk=package.benchmark_id), package.kind, [person])
    if Package.objects.filter(access.reviewed_by(assignee), pk=package.pk).exists():
        raise OwnWork
    check_no_doubles([package], assignee)
    package.assignee = assignee
    move_package(package, "assign", decision, extra=["assignee"], person_id=assignee.pk)
    if not quietly:
        notify_assignees([package], actor=actor)
    return package


def check_no_doubles(packages: Collection[Package], assignee: Person) -> None:
    """Check that none of some packages of one kind has the other item of a double of a person.

    Raises:
        DoubleOfAssignee.
    """
    if _with_doubles(packages, assignee.pk):
        raise DoubleOfAssignee


def _with_doubles(packages: Collection[Package], person_id: int) -> list[int]:
    ids = [package.pk for package in packages if is_doubled(package.kind)]
    rows = (
        Package.objects.filter(access.has_double_of(Person(pk=person_id)), pk__in=ids)
        if ids
        else Package.objects.none()
    )
    return list(rows.values_list("pk", flat=True))


@transaction.atomic
def revoke_assignment(
    *,
    actor: Person,
    package_id: int,
    revision: int,
    client_key: UUID,
    comment: str = "",
    quietly: bool = False,
) -> Package:
    """Revoke the assignment of a package; submitted items stay, and so do the annotator's drafts.

    All ticks are removed, because the next annotator has to check every item. The annotator gets a notification with
    the comment; with ``quietly`` the caller notifies them, of many packages at once.

    Raises:
        StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_take_back")
    decision = Decision(actor_id=actor.pk, action="package_take_back", row=package, client_key=client_key)
    if decision.is_repeat(revision=revision):
        return package
    former, package.assignee = package.assignee, None
    move = "unassign" if package.state == State.ASSIGNED else "revoke"
    move_package(package, move, decision, extra=["assignee"], person_id=former.pk if former else None)
    PackageItem.objects.filter(package=package, active=True, checked_no__isnull=False).update(checked_no=None)
    if not quietly:
        _notify(package, former, "package_taken_back", actor, comment=comment)
    return package


def assignment_refusals(
    actor: Person, benchmark: Benchmark, packages: Collection[Package], person: int
) -> dict[int, DomainError]:
    """What :func:`assign_package` would raise for packages of one benchmark, by id; without one it can be assigned.

    Raises:
        NotFound: The person has no role in the benchmark.
    """
    refusals = {package.pk: refusal for package in packages if (refusal := _refusal(actor, package, "package_assign"))}
    by_kind: dict[str, CannotAnnotate | None] = {}
    for package in packages:
        if package.kind not in by_kind:
            by_kind[package.kind] = _kind_refusal(benchmark, package.kind, person)
        if refusal := by_kind[package.kind]:
            refusals.setdefault(package.pk, refusal)
    reviewed = Package.objects.filter(access.reviewed_by(Person(pk=person)), pk__in=[p.pk for p in packages])
    others = {pk: DoubleOfAssignee() for pk in _with_doubles(packages, person)}
    return {**others, **{pk: OwnWork() for pk in reviewed.values_list("pk", flat=True)}, **refusals}


def _kind_refusal(benchmark: Benchmark, kind: str, person: int) -> CannotAnnotate | None:
    try:
        annotators(benchmark, kind, [person])
    except CannotAnnotate as error:
        return error
    return None


def revocation_refusal(actor: Person, package: Package) -> DomainError | None:
    """What :func:`revoke_assignment` would raise for a package; None if it can be revoked."""
    return _refusal(actor, package, "package_take_back")


def _refusal(actor: Person, package: Package, operation: str) -> DomainError | None:
    try:
        access.check_reach(actor, package, operation)
        access.check_relation(actor, package, operation)
        access.check_operation(package, operation)
    except DomainError as error:
        return error
    return None


@transaction.atomic
def withdraw_package(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """Withdraw a package that is not started; its items can go into new packages.

    Raises:
        StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_withdraw")
    decision = Decision(actor_id=actor.pk, action="package_withdraw", row=package, client_key=client_key)
    if decision.is_repeat(revision=revision):
        return package
    former, package.assignee = package.assignee, None
    move_package(package, "withdraw", decision, extra=["assignee"])
    PackageItem.objects.filter(package=package, active=True).update(active=False)
    if former is not None:
        _notify(package, former, "package_taken_back", actor, comment="")
    return package


def annotators(benchmark: Benchmark, kind: str, ids: Sequence[int]) -> list[Person]:
    """Fetch people by id, in this order, and check that all may write a kind of work; two statements for any number.

    Raises:
        NotFound: One of them has no role in the benchmark.
        CannotAnnotate: One of them may not write this kind, did not agree to the terms, or has a closed account.
    """
    if not ids:
        return []
    by_id = {person.pk: person for person in people.with_grants(people.people_of(benchmark).filter(pk__in=ids))}
    if len(by_id) != len(set(ids)):
        raise NotFound
    for person in by_id.values():
        may_claim = person.may(benchmark.pk, "package_claim", kind) and person.consented(benchmark.pk)
        if not (may_claim and person.is_active):
            raise CannotAnnotate(person=person.name, kind=kind)
    return [by_id[i] for i in ids]


def notify_assignees(packages: Sequence[Package], *, actor: Person) -> None:
    """Send each assignee one notification, about the first of their packages."""
    notified: set[int] = set()
    for package in packages:
        if package.assignee is not None and package.assignee.pk not in notified:
            notified.add(package.assignee.pk)
            _notify(package, package.assignee, "package_assigned", actor)


def _notify(package: Package, person: Person | None, code: str, actor: Person, **params: str) -> None:
    notify(
        person_ids=[person.pk if person else None],
        code=code,
        params={"package": package.label, **params},
        actor_id=actor.pk,
        benchmark_id=package.benchmark_id,
        target_type="package",
        target_id=package.pk,
    )
