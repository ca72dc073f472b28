"""Reviewing and inspecting from pools: judges claim seats of single items instead of whole packages.

Submitting a package creates seats for its items, a draw creates seats for the drawn items. Judges claim seats, and the
stage ends when the last seat is done. The submission that opens a pool is here because ``annotation.packages`` may not
import this module.
"""

from __future__ import annotations

from collections.abc import Collection
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
from annotation.quality.queries import undecided_items
from annotation.quality.services.ending import end_inspection, end_review
from annotation.seats import services as seats
from annotation.seats.models import Seat
from annotation.seats.shapes import RenewAnswer
from curation.core.decisions import Decision
from curation.people.models import Person

# Excluded items of one sweep, which bounds how long their seats are locked; the next sweep takes the rest.
SWEPT_AT_ONCE = 200


@transaction.atomic
def submit_package_for_review(*, actor: Person, package_id: int, revision: int, client_key: UUID) -> Package:
    """Submit a package for review; if the protocol has a review pool, create seats for its items.

    In a later round only items that changed since their last verdict are reviewed.

    Raises:
        NotAllChecked, StaleRow, ActionNotAllowed, NotFound, OperationNotAllowed.
    """
    package = packages.submit_package(actor=actor, package_id=package_id, revision=revision, client_key=client_key)
    return open_review(package, actor)


def open_review(package: Package, actor: Person) -> Package:
    """Create the review seats of a locked package that was submitted, if the protocol has a review pool."""
    pool = track_settings(package.protocol_id, package.kind).review_pool
    if pool is None or package.state != Package.State.HANDED_OVER:
        return package
    package.pooled, package.reviewer = True, None
    decision = Decision(actor_id=actor.pk, action="package_hand_over", row=package, client_key=None)
    packages.move_package(package, "open_pool", decision, extra=["pooled", "reviewer"])
    seats.open_seats(
        benchmark_id=package.benchmark_id,
        kind=package.kind,
        purpose="review",
        group_id=package.pk,
        round_no=package.round,
        places=[(m.item_id, m.position) for m in undecided_items(package)],
        people=pool.people,
    )
    # There is no seat if the pictures of all returned items are withdrawn.
    end_stage_if_done(package.pk, "review", actor)
    package.refresh_from_db()
    return package


def claim_seats(*, actor: Person, benchmark_slug: str, purpose: str, kind: str, count: int) -> list[int]:
    """Claim up to ``count`` seats of a pool, but no more than the protocol allows one person to hold.

    No one gets a seat in a package that they wrote, nor a seat for inspection in one where they reviewed.

    Returns:
        The claimed seats; none if the actor already holds as many as allowed.

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


def renew_seats(*, actor: Person, benchmark_slug: str, purpose: str, seat_ids: Collection[int]) -> RenewAnswer:
    """Heartbeat: renew the lease of held seats, and list the seats that the actor lost.

    Raises:
        PoolNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark, _ = access.pool_for(actor, benchmark_slug, "pool_renew", purpose)
    kept = seats.renew(actor=actor, benchmark_id=benchmark.pk, purposes=[purpose], seats=seat_ids)
    return {
        "kept": [{"seat": seat, "lease_until": until} for seat, until in kept.items()],
        "lost": [seat for seat in seat_ids if seat not in kept],
    }


def release_seats(*, actor: Person, benchmark_slug: str, purpose: str, seat_ids: Collection[int]) -> int:
    """Release seats; return how many the actor held.

    Raises:
        PoolNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark, _ = access.pool_for(actor, benchmark_slug, "pool_release", purpose)
    return seats.release(actor=actor, benchmark_id=benchmark.pk, purposes=[purpose], seats=seat_ids)


def check_judge(actor: Person, member: PackageItem, operation: str) -> Seat | None:
    """Check that a person may judge a locked item now; return their seat, locked, or None outside pools.

    Raises:
        OwnWork, SeatNotHeld, NotFound.
    """
    package = member.package
    if Relation.SEAT_HOLDER not in access.check_relation(actor, package, operation):
        return None
    purpose = "inspection" if operation == access.JUDGES["inspection"] else "review"
    return seats.seat_of(actor, item_id=member.item_id, purpose=purpose, round_no=package.round)


def end_stage_if_done(package_id: int, purpose: str, actor: Person | None) -> bool:
    """End the stage if its last seat is done; return whether it ended.

    The package is locked last, after item and seat: if two people finish the last two seats at the same time, the
    second waits here for the commit of the first and then sees both seats done.
    """
    package = Package.objects.select_for_update(of=("self",), no_key=True).get(pk=package_id)
    stage = {"review": Package.State.REVIEWING, "inspection": Package.State.INSPECTING}[purpose]
    if package.state != stage or not seats.all_done(group_id=package.pk, purpose=purpose, round_no=package.round):
        return False
    operation = "package_review_complete" if purpose == "review" else "package_inspection_complete"
    decision = Decision(actor_id=actor.pk if actor else None, action=operation, row=package, client_key=None)
    if purpose == "review":
        end_review(package, decision, actor=actor)
    else:
        inspection = (
            Inspection.objects.select_for_update(of=("self",))
            .select_related("draw")
            .get(package=package, round=package.round)
        )
        end_inspection(package, inspection, decision, actor=actor)
    return True


def sweep_pools() -> dict[str, int]:
    """Free lapsed seats, delete those of excluded items, and end reviews that have no open seat any more.

    ``annotation.packages`` excludes items and may not import this module, so reviews whose last open seats belonged to
    excluded items are ended here. Run by beat.
    """
    freed = seats.sweep()
    of_excluded = (
        Seat.objects.exclude(state=Seat.State.DONE)
        .exclude(purpose="inspection")
        .filter(item__state=Item.State.EXCLUDED)
    )
    dropped = seats.delete_open_seats(list(of_excluded.values_list("item_id", flat=True)[:SWEPT_AT_ONCE]))
    waiting: dict[str, Any] = {"state": Package.State.REVIEWING, "pooled": True}
    open_groups = Seat.objects.filter(purpose="review").exclude(state=Seat.State.DONE).values("group_id")
    ended = 0
    for package_id in Package.objects.filter(**waiting).exclude(pk__in=open_groups).values_list("pk", flat=True):
        with transaction.atomic():
            ended += end_stage_if_done(package_id, "review", None)
    return {"freed": freed, "dropped": dropped, "ended": ended}
