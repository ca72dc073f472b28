"""Access to the seats of a person."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from annotation.seats import states
from annotation.seats.models import Seat
from curation.people.models import Person


def seats_of(person: Person, purpose: str) -> QuerySet[Seat]:
    """The seats from which a person may judge: held, or lapsed and not claimed by anyone else since."""
    holder = Q(holder=person) | Q(lapsed_holder=person)
    action = {"review": "review", "inspection": "inspect", "panel": "judge", "clicks": "click"}[purpose]
    moves = {**states.TABLE, **states.PANEL, **states.CLICKS}
    return Seat.objects.filter(holder, purpose=purpose, state__in=sorted(moves[action].sources))
