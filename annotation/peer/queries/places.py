"""The items of a team in a row, for moving around among them."""

from __future__ import annotations

from annotation.items.models import FREES_SLOT, Item
from annotation.items.queries import publishable
from annotation.items.shapes import PlacesAnswer
from annotation.peer.queries.work import team_for
from annotation.peer.rules import MOST_PLACES
from curation.people.access import benchmark_for
from curation.people.models import Person


def team_places(person: Person, benchmark_slug: str, *, kind: str, team: int) -> PlacesAnswer:
    """List a team's items of a kind with their states, in the order of its board; of many the newest pictures' items.

    Raises:
        NotFound: Another team's.
        OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "team_places", kind)
    shown = team_for(person, benchmark, kind, team, "team_places")
    items = Item.objects.filter(
        publishable("image__"), benchmark=benchmark, kind=kind, team=shown, track=Item.Track.PEER
    ).exclude(excluded_for__in=FREES_SLOT)
    rows = items.only("kind", "number", "state").order_by("-image__number", "slot")[:MOST_PLACES]
    return {
        "items": [
            {"id": row.pk, "label": row.label, "position": position, "state": row.state}
            for position, row in enumerate(rows, 1)
        ]
    }
