"""Items whatever their track: pages of them, one of them, its history, and the answer to a submission."""

from annotation.tracks.queries.history import history
from annotation.tracks.queries.items import item_detail, item_page, items_of_image, submit_answer

__all__ = ["history", "item_detail", "item_page", "items_of_image", "submit_answer"]
