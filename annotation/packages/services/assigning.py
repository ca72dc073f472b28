"""Giving packages to people, taking them back, and withdrawing those that nobody has begun."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from annotation.packages import access
from annotation.packages.errors import CannotAnnotate
from annotation.packages.models import Package, PackageItem
from annotation.packages.services.moving import check_revision, move_package
from curation.benchmarks.models import Benchmark
from curation.core import audit
from curation.core.errors import ClientKeyReused, NotFound, OwnWork
from curation.people import access as people
from curation.people.models import Person
from curation.people.services import notify

State = Package.State


@transaction.atomic
def assign_package(*, actor: Person, package_id: int, person: int, revision: int, client_key: UUID) -> Package:
    """Give a free package to somebody, who finds it before any other when they next claim.

    Raises:
        CannotAnnotate: They may not write this kind.
        OwnWork: They reviewed it.
        StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_assign")
    done = audit.already_done(actor_id=actor.pk, client_key=client_key, action="package_assign", target_id=package.pk)
    if done is not None:
        if done.data["person_id"] != person:
            raise ClientKeyReused
        return package
    check_revision(package, revision)
    [assignee] = annotators(Benchmark.objects.get(pk=package.benchmark_id), package.kind, [person])
    if Package.objects.filter(access.reviewed_by(assignee), pk=package.pk).exists():
        raise OwnWork
    package.assignee = assignee
    move_package(
        package,
        "assign",
        actor=actor,
        client_key=client_key,
        extra=["assignee"],
        data={"person_id": assignee.pk},
    )
    tell_assigned([package], actor=actor)
    return package


@transaction.atomic
def take_back_package(*, actor: Person, package_id: int, revision: int, client_key: UUID, comment: str = "") -> Package:
    """Free a package that somebody was given or writes; what they handed in stays, and drafts stay with them.

    Whoever goes on with it checks everything anew, so that all ticks are taken out. The annotator is told, with the
    comment.

    Raises:
        StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_take_back")
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action="package_take_back", target_id=package.pk):
        return package
    check_revision(package, revision)
    former, package.assignee = package.assignee, None
    move_package(
        package,
        "unassign" if package.state == State.ASSIGNED else "take_back",
        actor=actor,
        client_key=client_key,
        extra=["assignee"],
        data={"person_id": former.pk if former else None},
    )
    PackageItem.objects.filter(package=package, active=True, checked_no__isnull=False).update(checked_no=None)
    _tell(package, former, "package_taken_back", actor, comment=comment)
    return package


@transaction.atomic
def withdraw_package(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """Dissolve a package that nobody has begun; its items wait to be packed anew.

    Raises:
        StaleRow, ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_withdraw")
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action="package_withdraw", target_id=package.pk):
        return package
    check_revision(package, revision)
    former, package.assignee = package.assignee, None
    move_package(package, "withdraw", actor=actor, client_key=client_key, extra=["assignee"])
    PackageItem.objects.filter(package=package, active=True).update(active=False)
    if former is not None:
        _tell(package, former, "package_taken_back", actor, comment="")
    return package


def annotators(benchmark: Benchmark, kind: str, ids: Sequence[int]) -> list[Person]:
    """People of a benchmark who may write a kind of work, in the order they are named; two statements for any number.

    Raises:
        NotFound: Somebody takes no part in the benchmark.
        CannotAnnotate: Somebody may not write this kind, did not agree to the terms, or their account is closed.
    """
    if not ids:
        return []
    found = {person.pk: person for person in people.with_grants(people.people_of(benchmark).filter(pk__in=ids))}
    if len(found) != len(set(ids)):
        raise NotFound
    for person in found.values():
        open_to_them = person.may(benchmark.pk, "package_claim", kind) and person.consented(benchmark.pk)
        if not (open_to_them and person.is_active):
            raise CannotAnnotate(person=person.name, kind=kind)
    return [found[i] for i in ids]


def tell_assigned(packages: Sequence[Package], *, actor: Person) -> None:
    """Tell each assignee of the first package among several that they were given."""
    told: set[int] = set()
    for package in packages:
        if package.assignee is not None and package.assignee.pk not in told:
            told.add(package.assignee.pk)
            _tell(package, package.assignee, "package_assigned", actor)


def _tell(package: Package, person: Person | None, code: str, actor: Person, **params: str) -> None:
    notify(
        person_ids=[person.pk if person else None],
        code=code,
        params={"package": package.label, **params},
        actor_id=actor.pk,
        benchmark_id=package.benchmark_id,
        target_type="package",
        target_id=package.pk,
    )
