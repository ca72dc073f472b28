"""Queries for review, inspection, pools and the home page."""

from annotation.quality.queries.audit import VERDICT_ACTIONS, data_of_unseen_verdicts
from annotation.quality.queries.doubles import double_page
from annotation.quality.queries.pools import pool, pool_of
from annotation.quality.queries.sheets import (
    completed_inspection,
    decided_item,
    inspected_item,
    inspection_page,
    reviewed_item,
    sheet,
    undecided_items,
)
from annotation.quality.queries.statistics import computed_figures, is_large, quality
from annotation.quality.queries.waiting import waiting

__all__ = [
    "VERDICT_ACTIONS",
    "completed_inspection",
    "computed_figures",
    "data_of_unseen_verdicts",
    "decided_item",
    "double_page",
    "inspected_item",
    "inspection_page",
    "is_large",
    "pool",
    "pool_of",
    "quality",
    "reviewed_item",
    "sheet",
    "undecided_items",
    "waiting",
]
