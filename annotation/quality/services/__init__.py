"""Judging: review of every item, inspection of a drawn sample, by one person or from pools."""

from annotation.quality.services.inspection import complete_inspection, inspect_item
from annotation.quality.services.pools import (
    claim_seats,
    hand_over_for_review,
    open_review,
    release_seats,
    renew_seats,
    sweep_pools,
)
from annotation.quality.services.review import complete_review, review_item, take_review
from annotation.quality.services.skips import decide_skip

__all__ = [
    "claim_seats",
    "complete_inspection",
    "complete_review",
    "decide_skip",
    "hand_over_for_review",
    "inspect_item",
    "open_review",
    "release_seats",
    "renew_seats",
    "review_item",
    "sweep_pools",
    "take_review",
]
