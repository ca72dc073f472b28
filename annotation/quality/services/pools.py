"""Reviewing and inspecting from pools: seats instead of whole packages (W-Q1 where the protocol asks for it).

A package handed over opens seats for each of its items, a draw for each drawn one; whoever may judge takes some, and
the last seat done ends the stage. Packages know nothing of verdicts, so the hand-over that opens the pool is here.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from annotation.items.models import Item
from annotation.items.states import Relation
from annotation.packages import services as packages
from annotation.packages.access import track_settings
from annotation.packages.models import Package, PackageItem
from annotation.quality import access
from annotation.quality.models import Inspection
from annotation.quality.queries import unsettled
from annotation.quality.services.ending import end_inspection, end_review
from annotation.seats import services as seats
from annotation.seats.models import Seat
from curation.people.models import Person

SWEPT_AT_ONCE = 200  # packages


@transaction.atomic
def hand_over_for_review(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """Hand a package over; where the protocol reviews from a pool, its items get their seats at once.

    In a later round only what changed since its last verdict is looked at again.

    Raises:
        NotAllChecked, StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = packages.hand_over(actor=actor, package_id=package_id, revision=revision, client_key=client_key)
    return open_review(package, actor)


def open_review(package: Package, actor: Person) -> Package:
    """Open the seats of a locked package that was handed over, where the protocol reviews from a pool."""
    pool = track_settings(package.protocol_id).review_pool
    if pool is None or package.state != Package.State.HANDED_OVER:
        return package
    package.pooled, package.reviewer = True, None
    packages.move_package(package, "open_pool", actor=actor, client_key=None, extra=["pooled", "reviewer"])
    seats.open_seats(
        benchmark_id=package.benchmark_id,
        kind=package.kind,
        purpose="review",
        group_id=package.pk,
        round_no=package.round,
        places=[(m.item_id, m.position) for m in unsettled(package)],
        people=pool.people,
    )
    end_when_over(package.pk, "review", actor)  # when what was sent back has left with its pictures meanwhile
    package.refresh_from_db()
    return package


def claim_seats(*, actor: Person, benchmark_slug: str, purpose: str, kind: str, count: int) -> list[int]:
    """Take up to ``count`` seats of a pool, as far as the protocol lets one person hold any more.

    Nobody gets a seat in a package they wrote; at an inspection, in one that they reviewed in.

    Returns:
        The seats taken; none when the actor holds as many as they may.

    Raises:
        PoolNotInProtocol, PoolEmpty, NothingLeft, TryAgain, NotFound, OperationNotAllowed, ConsentMissing.
    """
    benchmark, pool = access.pool_for(actor, benchmark_slug, "pool_claim", purpose, kind)
    return seats.claim(
        actor=actor,
        benchmark_id=benchmark.pk,
        kind=kind,
        purpose=purpose,
        count=count,
        most=pool.held,
        barred=list(access.packages_barred(actor, benchmark.pk, kind, purpose)),
    )


def renew_seats(*, actor: Person, benchmark_slug: str, purpose: str, seat_ids: Collection[int]) -> dict[int, datetime]:
    """Say that one is still at it; return the seats that are the actor's, with the new end of their lease.

    Raises:
        PoolNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark, _ = access.pool_for(actor, benchmark_slug, "pool_renew", purpose)
    return seats.renew(actor=actor, benchmark_id=benchmark.pk, purpose=purpose, seats=seat_ids)


def release_seats(*, actor: Person, benchmark_slug: str, purpose: str, seat_ids: Collection[int]) -> int:
    """Give seats back; return how many were the actor's.

    Raises:
        PoolNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark, _ = access.pool_for(actor, benchmark_slug, "pool_release", purpose)
    return seats.release(actor=actor, benchmark_id=benchmark.pk, purpose=purpose, seats=seat_ids)


def check_judge(actor: Person, member: PackageItem, operation: str) -> Seat | None:
    """Refuse whoever may not judge a locked item now; return the seat it is judged from, locked, or None outside pools.

    Raises:
        OwnWork, SeatNotHeld, NotFound.
    """
    package = member.package
    if Relation.SEAT_HOLDER not in access.check_relation(actor, package, operation):
        return None
    purpose = "inspection" if operation == access.JUDGES["inspection"] else "review"
    return seats.seat_of(actor, item_id=member.item_id, purpose=purpose, round_no=package.round)


def end_when_over(package_id: int, purpose: str, actor: Person | None) -> bool:
    """End the stage when its last seat is done; say whether it did.

    The package is locked last, after item and seat: of two who finish the last two seats at the same time, the second
    waits here for the first one's commit and then sees both.
    """
    package = Package.objects.select_for_update(of=("self",), no_key=True).get(pk=package_id)
    stage = {"review": Package.State.REVIEWING, "inspection": Package.State.INSPECTING}[purpose]
    if package.state != stage or not seats.is_over(group_id=package.pk, purpose=purpose, round_no=package.round):
        return False
    if purpose == "review":
        end_review(package, actor=actor, client_key=None)
    else:
        inspection = Inspection.objects.select_for_update().get(package=package, round=package.round)
        end_inspection(package, inspection, actor=actor, client_key=None)
    return True


def sweep_pools() -> dict[str, int]:
    """Free lapsed seats, drop those of items that left with their pictures, end reviews that wait for nothing else.

    Items leave packages in a room below that knows no verdicts, so that what they held up ends here; beat runs it.
    """
    freed = seats.sweep()
    gone = Seat.objects.exclude(state=Seat.State.DONE).filter(purpose="review", item__state=Item.State.EXCLUDED)
    dropped = seats.drop_open(list(gone.values_list("item_id", flat=True)[:SWEPT_AT_ONCE]))
    waiting: dict[str, Any] = {"state": Package.State.REVIEWING, "pooled": True}
    open_groups = Seat.objects.filter(purpose="review").exclude(state=Seat.State.DONE).values("group_id")
    ended = 0
    for package_id in Package.objects.filter(**waiting).exclude(pk__in=open_groups).values_list("pk", flat=True):
        with transaction.atomic():
            ended += end_when_over(package_id, "review", None)
    return {"freed": freed, "dropped": dropped, "ended": ended}
