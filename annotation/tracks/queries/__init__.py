"""Items whatever their track: pages of them, one of them, its history, its values for prompts, and submissions."""

from annotation.tracks.queries.history import history
from annotation.tracks.queries.items import (
    ITEM_COLUMNS,
    ItemFilters,
    changed_item,
    item_cells,
    item_detail,
    item_page,
    items_of_image,
    listed_item_ids,
    submit_answer,
    waits_to_be_confirmed,
)
from annotation.tracks.queries.prompts import item_values

__all__ = [
    "ITEM_COLUMNS",
    "ItemFilters",
    "changed_item",
    "history",
    "item_cells",
    "item_detail",
    "item_page",
    "item_values",
    "items_of_image",
    "listed_item_ids",
    "submit_answer",
    "waits_to_be_confirmed",
]
