"""The items of a board in a row, for moving around among them."""

from __future__ import annotations

from django.db.models import Exists, OuterRef

from annotation.items.models import FREES_SLOT, Draft, Item, ItemRevision
from annotation.items.queries import publishable
from annotation.items.shapes import PlacesAnswer
from annotation.peer import access
from annotation.peer.queries.board import team_for
from annotation.peer.rules import MOST_PLACES
from curation.people.access import benchmark_for
from curation.people.models import Person


def team_places(person: Person, benchmark_slug: str, *, kind: str, team: int | None = None) -> PlacesAnswer:
    """List a board's items of a kind with their states, in its order; of many the newest pictures' items.

    In the panel track, whose board has everybody's, these are the items that the person wrote.

    Raises:
        NotFound: Another team's.
        KindNotInProtocol, TrackNotInProtocol, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "team_places", kind)
    shown = team_for(person, benchmark, kind, team, "team_places")
    track = access.track_of(benchmark, kind)
    items = Item.objects.filter(publishable("image__"), benchmark=benchmark, kind=kind, team=shown, track=track)
    items = items.exclude(excluded_for__in=FREES_SLOT)
    if shown is None:
        wrote = ItemRevision.objects.filter(item_id=OuterRef("pk"), author=person)
        items = items.filter(Exists(wrote) | Exists(Draft.objects.filter(item_id=OuterRef("pk"), author=person)))
    rows = items.only("kind", "number", "state").order_by("-image__number", "slot")[:MOST_PLACES]
    return {
        "items": [
            {"id": row.pk, "label": row.label, "position": position, "state": row.state}
            for position, row in enumerate(rows, 1)
        ]
    }
