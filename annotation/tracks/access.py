"""Access to items and their pictures, whatever track an item is in."""

from __future__ import annotations

from functools import reduce
from operator import or_

from django.db.models import Q

from annotation.items.models import Item
from annotation.tracks.registry import TRACKS
from curation.core.errors import ActionNotAllowed, NotFound
from curation.core.operations import Reach
from curation.images.models import Image, hidden_from
from curation.people.access import require
from curation.people.models import Person


def item_for(person: Person, item_id: int, operation: str) -> Item:
    """Fetch an item with its picture if the operation reaches it: all of a kind, or those of the person's own work.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = Item.objects.select_related("image__category", "benchmark").exclude(hidden_from(person.pk, "image_id"))
    item = rows.filter(pk=item_id).first()
    if item is None:
        raise NotFound
    if require(person, item.benchmark_id, operation, item.kind) is Reach.ALL:
        return item
    if not Item.objects.filter(TRACKS[item.track].opens(person), pk=item_id).exists():
        raise NotFound
    return item


def check_may_write(person: Person, item: Item, operation: str) -> None:
    """Check that a person may submit a revision of an item now.

    Raises:
        ActionNotAllowed: They may not do ``operation``, because the item's track does not let them.
    """
    track = TRACKS[item.track]
    if "item_submit" not in track.actions(person, track.annotated(Item.objects.filter(pk=item.pk)).get()):
        raise ActionNotAllowed(action=operation, state=item.state)


def holds_picture(person: Person, image_id: int) -> bool:
    """Whether the person's work in a track lets them see a picture; annotators see only these."""
    shown: Q = reduce(or_, (TRACKS[name].shows_picture(person) for name in TRACKS))
    return Image.objects.filter(shown, pk=image_id).exists()
