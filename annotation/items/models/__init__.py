"""Items, their append-only revisions, and drafts."""

from annotation.items.models.items import FREES_SLOT, Exclusion, Item
from annotation.items.models.revisions import DoubleHand, Draft, ItemHand, ItemRevision
from annotation.items.models.triggers import PICTURE_CHANGED, PICTURE_NOT_CLEAR

__all__ = [
    "FREES_SLOT",
    "PICTURE_CHANGED",
    "PICTURE_NOT_CLEAR",
    "DoubleHand",
    "Draft",
    "Exclusion",
    "Item",
    "ItemHand",
    "ItemRevision",
]
