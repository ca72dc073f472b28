"""The accepted work that items rest on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject

from annotation.bases.models import ItemBase
from annotation.items.models import Item, ItemRevision
from annotation.kinds.registry import KINDS


def bases_for(kind: str) -> QuerySet[Item]:
    """The accepted items on which items of a kind can rest."""
    return Item.objects.filter(kind=KINDS[kind].base, copy_no=0, state=Item.State.ACCEPTED)


def drawn_text(content: Mapping[str, Any], path: str) -> str:
    """Return the text of a base that an item is about, such as that of ``captions.2``; empty without a path."""
    name, _, position = path.partition(".")
    return str(content[name][int(position)]) if path else ""


def base_row(item: str) -> Subquery:
    """What an item rests on, as JSON: ``item_id``, ``current``, ``kind``, ``path`` and ``content``; null if on nothing.

    Args:
        item: The row's column with the item's id.
    """
    of_item = ItemBase.objects.filter(item_id=OuterRef(item))
    revision = ItemRevision.objects.filter(item_id=OuterRef("base_item_id"), no=OuterRef("base_no"))
    fields: dict[str, Any] = {
        "item_id": "base_item_id",
        "current": "current",
        "kind": "base_item__kind",
        "path": "path",
        "content": Subquery(revision.values("content")),
    }
    return Subquery(of_item.values(row=JSONObject(**fields)))


def holds(prefix: str = "") -> Q:
    """The condition on items that rest on nothing, or on what is accepted now.

    Args:
        prefix: The way to the item from the rows that the condition is for.
    """
    return Q(**{f"{prefix}base__isnull": True}) | Q(**{f"{prefix}base__current": True})
