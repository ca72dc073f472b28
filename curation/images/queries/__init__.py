"""Reads about pictures and uploads."""

from curation.images.queries.lists import IMAGE_COLUMNS, ImageFilters, image_cells, image_page, listed_image_ids
from curation.images.queries.pictures import (
    held_answer,
    image_counts,
    image_detail,
    images_to_judge,
    judged_rows,
)
from curation.images.queries.uploads import finalized_rows, staged_thumb, upload_page, uploads_by_id

__all__ = [
    "IMAGE_COLUMNS",
    "ImageFilters",
    "finalized_rows",
    "held_answer",
    "image_cells",
    "image_counts",
    "image_detail",
    "image_page",
    "images_to_judge",
    "judged_rows",
    "listed_image_ids",
    "staged_thumb",
    "upload_page",
    "uploads_by_id",
]
