"""Whose credit an item is when its text was submitted before, on an item that was discarded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import Q

from annotation.items.models import FREES_SLOT, Item, ItemRevision
from annotation.kinds.comparison import key_of

COMPARED: Final = 200  # revisions, the oldest; a team writes a few on each picture


def keep_credit(item: Item, revision: ItemRevision) -> None:
    """Credit a discarded item's first author with the item that repeats its text.

    Of equal texts on the picture the oldest decides. Only members' own new items are looked at: an item that a
    colleague began stays that colleague's. Two statements, and another one if there is such a text.

    Args:
        item: The locked item.
        revision: The revision that was just submitted.
    """
    own = ItemRevision.objects.filter(item=item)
    if own.exclude(author=revision.author_id, origin="annotator").exists():
        return
    texts = ItemRevision.objects.filter(
        Q(item__excluded_for__in=FREES_SLOT) | Q(item=item), item__image_id=item.image_id, item__kind=item.kind
    ).exclude(pk=revision.pk)
    key = _key(revision.content)
    for earlier in texts.select_related("item").order_by("pk")[:COMPARED]:
        if _key(earlier.content) == key:
            if earlier.item_id != item.pk:
                Item.objects.filter(pk=item.pk).update(credited=earlier.item.credited_id or earlier.item_id)
            return


def _key(content: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The same for contents whose texts say the same, in any order: swapped distractors make no other question."""
    return sorted(map(key_of, _texts(content)))


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return [text for one in inside for text in _texts(one)]
