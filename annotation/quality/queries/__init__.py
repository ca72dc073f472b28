"""Reads for review, inspection, pools, an item's history and what waits for somebody."""

from annotation.quality.queries.history import history
from annotation.quality.queries.pools import pool, pool_of
from annotation.quality.queries.sheets import inspection_item, inspection_json, one_sheet_item, sheet, unsettled
from annotation.quality.queries.statistics import quality
from annotation.quality.queries.waiting import waiting

__all__ = [
    "history",
    "inspection_item",
    "inspection_json",
    "one_sheet_item",
    "pool",
    "pool_of",
    "quality",
    "sheet",
    "unsettled",
    "waiting",
]
