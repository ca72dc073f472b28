"""Items whatever their track: pages of them, one of them, its history, and the answer to a submission."""

from annotation.tracks.queries.history import history
from annotation.tracks.queries.items import changed_item, item_detail, item_page, items_of_image, submit_answer

__all__ = ["changed_item", "history", "item_detail", "item_page", "items_of_image", "submit_answer"]
