"""Claiming items to check or judge: a colleague's so that two do not check the same one, a panel's one seat each."""

from __future__ import annotations

from collections.abc import Collection

from annotation.items.models import Item
from annotation.peer import access
from annotation.peer.errors import SeatHeld
from annotation.peer.rules import PURPOSE
from annotation.seats import services as seats
from annotation.seats.models import Seat
from annotation.seats.rules import OF_BOARDS
from annotation.seats.shapes import RenewAnswer
from curation.benchmarks.models import Benchmark
from curation.people.access import benchmark_for
from curation.people.models import Person


def claim_items(
    *, actor: Person, benchmark_slug: str, kind: str, count: int = 1, team: int | None = None
) -> tuple[Benchmark, str, set[int]]:
    """Claim up to ``count`` items that others wrote, oldest first: of the actor's teams, or in the panel track of all.

    Seats that the actor holds in a team that they left are released first.

    Returns:
        The benchmark, the kind and the teams, for the answer; no teams in the panel track.

    Raises:
        PoolEmpty, NothingLeft, TryAgain: See :func:`annotation.seats.services.claim`.
        KindNotInProtocol, TrackNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "peer_pool_claim", kind)
    track = access.track_of(benchmark, kind, of=(Item.Track.PEER, Item.Track.PANEL))
    by_team = track == Item.Track.PEER
    teams = access.teams_to_check(actor, benchmark, kind, team) if by_team else set()
    _release_former(actor, benchmark)
    seats.claim(
        actor=actor,
        benchmark_id=benchmark.pk,
        kind=kind,
        purpose=track,
        count=count,
        most=access.most_held(benchmark, kind),
        within=teams if by_team else None,
        ticked=not by_team,
    )
    return benchmark, kind, teams


def renew_seats(*, actor: Person, benchmark_slug: str, seat_ids: Collection[int]) -> RenewAnswer:
    """Heartbeat: renew the lease of held seats, and list the seats that the actor lost.

    Seats in a team that the actor left are released, so they are lost.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "peer_pool_renew")
    _release_former(actor, benchmark)
    kept = seats.renew(actor=actor, benchmark_id=benchmark.pk, purposes=OF_BOARDS, seats=seat_ids)
    return {
        "kept": [{"seat": seat, "lease_until": until} for seat, until in kept.items()],
        "lost": [seat for seat in seat_ids if seat not in kept],
    }


def _release_former(actor: Person, benchmark: Benchmark) -> None:
    """Release the seats of items that the actor may not check any more, because they left the team."""
    held = Seat.objects.filter(holder=actor, benchmark=benchmark, purpose__in=OF_BOARDS, state=Seat.State.HELD)
    former = list(held.exclude(access.seats_open_to(actor, benchmark.pk)).values_list("pk", flat=True))
    if former:
        seats.release(actor=actor, benchmark_id=benchmark.pk, purposes=OF_BOARDS, seats=former)


def release_seats(*, actor: Person, benchmark_slug: str, seat_ids: Collection[int]) -> RenewAnswer:
    """Release held seats, so that colleagues can claim them; all of them are listed as lost.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "peer_pool_release")
    seats.release(actor=actor, benchmark_id=benchmark.pk, purposes=OF_BOARDS, seats=seat_ids)
    return {"kept": [], "lost": list(seat_ids)}


def lock_seat(actor: Person, item: Item) -> Seat | None:
    """Lock the seat of a locked item; None if it has none.

    Raises:
        SeatHeld: A colleague claimed it and is checking the item.
    """
    seat = seats.lock_seat(item_id=item.pk, purpose=PURPOSE)
    if seat is not None and seat.lease_until is not None and seats.is_held_by_other(seat, actor):
        raise SeatHeld(until=seat.lease_until.isoformat())
    return seat
