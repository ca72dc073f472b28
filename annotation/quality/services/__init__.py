"""Commands of review and inspection, by one person or from pools."""

from annotation.quality.services.inspection import complete_inspection, inspect_item
from annotation.quality.services.keeping import keep_figures
from annotation.quality.services.pools import (
    claim_seats,
    open_review,
    release_seats,
    renew_seats,
    submit_package_for_review,
    sweep_pools,
)
from annotation.quality.services.review import complete_review, review_item, start_review
from annotation.quality.services.skips import decide_skip

__all__ = [
    "claim_seats",
    "complete_inspection",
    "complete_review",
    "decide_skip",
    "inspect_item",
    "keep_figures",
    "open_review",
    "release_seats",
    "renew_seats",
    "review_item",
    "start_review",
    "submit_package_for_review",
    "sweep_pools",
]
