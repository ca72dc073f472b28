"""Reads about pools."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from annotation.seats.models import Seat
from annotation.tallies import queries as tallies
from curation.people.models import Person


def counts(benchmark_id: int) -> list[dict[str, Any]]:
    """How many seats of each pool of a benchmark are free, held and done: one statement."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    for (purpose, kind, state), n in tallies.counts(benchmark_id, "purpose", "kind", "state", of="seat").items():
        found.setdefault((purpose, kind), dict.fromkeys(Seat.State.values, 0))[state] = n
    return [{"purpose": purpose, "kind": kind} | states for (purpose, kind), states in sorted(found.items())]


def held(person: Person, benchmark_id: int, purpose: str, kind: str) -> QuerySet[Seat]:
    """Seats that somebody holds, in the order of hand-out."""
    mine = Seat.objects.filter(benchmark_id=benchmark_id, purpose=purpose, kind=kind, holder=person)
    return mine.filter(state=Seat.State.HELD).order_by("rank")
