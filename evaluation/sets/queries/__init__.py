"""Reads about item sets: pages, and the rows and pictures of items."""

from evaluation.sets.queries.captions import CaptionRow, accepted_captions, release_captions
from evaluation.sets.queries.pages import created_set, example_sets, set_detail, set_list, suite_answer
from evaluation.sets.queries.pictures import CleanPicture, clean_pictures
from evaluation.sets.queries.rows import ItemRow, accepted_rows, release_rows, scored_entries

__all__ = [
    "CaptionRow",
    "CleanPicture",
    "ItemRow",
    "accepted_captions",
    "accepted_rows",
    "clean_pictures",
    "created_set",
    "example_sets",
    "release_captions",
    "release_rows",
    "scored_entries",
    "set_detail",
    "set_list",
    "suite_answer",
]
