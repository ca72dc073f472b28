"""Taking the next package, or one that came back."""

from __future__ import annotations

from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count, Q

from annotation.packages import access
from annotation.packages.errors import (
    AnotherPackageOpen,
    NoPackageLeft,
    ReturnedPackageWaits,
)
from annotation.packages.models import Package
from annotation.packages.services.moving import check_revision, move_package
from annotation.seats.errors import TryAgain
from curation.benchmarks.models import Benchmark
from curation.core import audit
from curation.people.access import benchmark_for
from curation.people.models import Person

State = Package.State


def claim_package(*, actor: Person, benchmark_slug: str, kind: str) -> tuple[Package, bool]:
    """Give the person the package assigned to them, the next free one, or the one they are writing already.

    Nobody gets a package that they reviewed before it was taken back from somebody else. Over-assignment is impossible
    by constraint: a package has one row, a person one ``working`` package per kind.

    Returns:
        The package and whether it was held before.

    Raises:
        ReturnedPackageWaits: Something came back and is mended first.
        NoPackageLeft: None is free.
        TryAgain: Others hold the last free rows at this moment.
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
            package = _take_next(benchmark, kind, actor)
    except IntegrityError:
        # Another request of the same person was quicker: theirs is the answer.
        return mine.get(state=State.WORKING), True
    return package, False


def _take_next(benchmark: Benchmark, kind: str, actor: Person) -> Package:
    here = Package.objects.filter(benchmark=benchmark, kind=kind)
    assigned = here.filter(access.packages_movable_by(actor, "claim_assigned")).order_by("number")
    if (package := assigned.select_for_update(skip_locked=True, no_key=True).first()) is not None:
        move_package(package, "claim_assigned", actor=actor, client_key=None)
        return package
    free = here.filter(access.packages_movable_by(actor, "claim")).exclude(access.reviewed_by(actor)).order_by("number")
    package = free.select_for_update(skip_locked=True, no_key=True).first()
    if package is None:
        if free.exists() or assigned.exists():
            raise TryAgain
        counts = here.aggregate(
            working=Count("pk", filter=Q(state__in=[State.ASSIGNED, State.WORKING, State.RETURNED])),
            in_review=Count("pk", filter=Q(state__in=[State.HANDED_OVER, State.REVIEWING, State.INSPECTING])),
        )
        raise NoPackageLeft(**counts)
    package.assignee = actor
    move_package(package, "claim", actor=actor, client_key=None, extra=["assignee"])
    return package


@transaction.atomic
def resume_package(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """Open a package that came back.

    Raises:
        AnotherPackageOpen: One package at a time.
        StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = access.lock_for(actor, package_id, "package_resume")
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action="package_resume", target_id=package.pk):
        return package
    check_revision(package, revision)
    try:
        with transaction.atomic():
            move_package(package, "resume", actor=actor, client_key=client_key)
    except IntegrityError as error:
        mine = Package.objects.filter(benchmark_id=package.benchmark_id, kind=package.kind, assignee=actor)
        other = mine.get(state=State.WORKING)
        raise AnotherPackageOpen(package=other.label, package_id=other.pk) from error
    return package
