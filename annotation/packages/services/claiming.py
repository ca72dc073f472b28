"""Claiming the next package, and resuming a returned one."""

from __future__ import annotations

from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count, Q

from annotation.kinds.registry import is_doubled
from annotation.packages import access
from annotation.packages.errors import AnotherPackageOpen, NoPackageLeft, OnlyOwnDoublesLeft, ReturnedPackageWaits
from annotation.packages.models import Package
from annotation.packages.services.moving import move_package
from annotation.seats.errors import TryAgain
from curation.benchmarks.models import Benchmark
from curation.core.decisions import Decision
from curation.people.access import benchmark_for
from curation.people.models import Person

State = Package.State


def claim_package(*, actor: Person, benchmark_slug: str, kind: str) -> tuple[Package, bool]:
    """Claim the package assigned to the person or the next free one; if they are writing one already, return that.

    No one gets a package that they have reviewed, one with the other item of a double of theirs, or one with a picture
    that they ask about in a dialogue. Constraints prevent double assignment: a package has one row, a person one
    ``working`` package per kind.

    Returns:
        The package, and whether the person held it before.

    Raises:
        ReturnedPackageWaits: A package was returned to the person and has to be corrected first.
        NoPackageLeft: None is free.
        OnlyOwnDoublesLeft: All that are free have the other item of a double of theirs.
        TryAgain: Other requests have the last free rows locked.
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "package_claim", kind)
    mine = Package.objects.select_related("assignee", "reviewer").filter(benchmark=benchmark, kind=kind, assignee=actor)
    held = mine.filter(state__in=[State.WORKING, State.RETURNED]).order_by("number")
    for package in held:
        if package.state == State.WORKING:
            return package, True
    if returned := held.first():
        raise ReturnedPackageWaits(package=returned.label, package_id=returned.pk)
    try:
        with transaction.atomic():
            package = _claim_next(benchmark, kind, actor)
    except IntegrityError:
        # Another request of the same person was faster; both get its package.
        return mine.get(state=State.WORKING), True
    return package, False


def _claim_next(benchmark: Benchmark, kind: str, actor: Person) -> Package:
    packages = Package.objects.filter(benchmark=benchmark, kind=kind)
    assigned = packages.filter(access.packages_movable_by(actor, "claim_assigned")).order_by("number")
    if (package := assigned.select_for_update(skip_locked=True, no_key=True).first()) is not None:
        move_package(package, "claim_assigned", _claim(actor, package))
        return package
    free = packages.filter(access.packages_movable_by(actor, "claim")).exclude(access.reviewed_by(actor))
    free = free.exclude(access.has_hidden_picture(actor))
    others = free
    if is_doubled(kind):
        free = free.exclude(access.has_double_of(actor))
    package = free.order_by("number").select_for_update(skip_locked=True, no_key=True).first()
    if package is None:
        if free.exists() or assigned.exists():
            raise TryAgain
        if own_doubles := others.count():
            raise OnlyOwnDoublesLeft(packages=own_doubles)
        counts = packages.aggregate(
            working=Count("pk", filter=Q(state__in=[State.ASSIGNED, State.WORKING, State.RETURNED])),
            in_review=Count("pk", filter=Q(state__in=[State.HANDED_OVER, State.REVIEWING, State.INSPECTING])),
        )
        raise NoPackageLeft(**counts)
    package.assignee = actor
    move_package(package, "claim", _claim(actor, package), extra=["assignee"])
    return package


def _claim(actor: Person, package: Package) -> Decision:
    # No key is needed: a repeated claim gets the same package.
    return Decision(actor_id=actor.pk, action="package_claim", row=package, client_key=None)


@transaction.atomic
def resume_package(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """Open a returned package to correct it.

    Raises:
        AnotherPackageOpen: The person is writing another package.
        StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_resume")
    decision = Decision(actor_id=actor.pk, action="package_resume", row=package, client_key=client_key)
    if decision.is_repeat(revision=revision):
        return package
    try:
        with transaction.atomic():
            move_package(package, "resume", decision)
    except IntegrityError as error:
        mine = Package.objects.filter(benchmark_id=package.benchmark_id, kind=package.kind, assignee=actor)
        other = mine.get(state=State.WORKING)
        raise AnotherPackageOpen(package=other.label, package_id=other.pk) from error
    return package
