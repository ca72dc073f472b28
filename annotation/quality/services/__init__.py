"""Judging: review of every item, inspection of a drawn sample."""

from annotation.quality.services.inspection import complete_inspection, inspect_item
from annotation.quality.services.review import complete_review, review_item, take_review

__all__ = ["complete_inspection", "complete_review", "inspect_item", "review_item", "take_review"]
