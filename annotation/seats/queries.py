"""Queries about pools."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.seats.models import Seat
from annotation.seats.shapes import SeatProgress
from annotation.tallies import queries as tallies
from curation.people.models import Person


def counts(benchmark_id: int) -> list[SeatProgress]:
    """Count the free, held and done seats of each pool of a benchmark: one statement."""
    numbers = tallies.counts(benchmark_id, "purpose", "kind", "state", of="seat")
    pools = sorted({(purpose, kind) for purpose, kind, _ in numbers})
    return [
        {
            "purpose": purpose,
            "kind": kind,
            "free": numbers.get((purpose, kind, Seat.State.FREE), 0),
            "held": numbers.get((purpose, kind, Seat.State.HELD), 0),
            "done": numbers.get((purpose, kind, Seat.State.DONE), 0),
        }
        for purpose, kind in pools
    ]


def held(person: Person, benchmark_id: int, purpose: str, kind: str) -> QuerySet[Seat]:
    """The seats that a person holds, in the order of claims."""
    mine = Seat.objects.filter(benchmark_id=benchmark_id, purpose=purpose, kind=kind, holder=person)
    return mine.filter(state=Seat.State.HELD).order_by("rank")
