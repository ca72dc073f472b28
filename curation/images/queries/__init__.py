"""Reads about pictures and uploads."""

from curation.images.queries.lists import IMAGE_COLUMNS, ImageFilters, image_cells, image_page, listed_image_ids
from curation.images.queries.pictures import (
    axis_values_in_use,
    held_answer,
    image_counts,
    image_detail,
    images_to_judge,
    judged_rows,
    last_correction_key,
)
from curation.images.queries.regions import covered_picture, held_to_cover, image_regions
from curation.images.queries.uploads import finalized_rows, staged_thumb, upload_page, uploads_by_id

__all__ = [
    "IMAGE_COLUMNS",
    "ImageFilters",
    "axis_values_in_use",
    "covered_picture",
    "finalized_rows",
    "held_answer",
    "held_to_cover",
    "image_cells",
    "image_counts",
    "image_detail",
    "image_page",
    "image_regions",
    "images_to_judge",
    "judged_rows",
    "last_correction_key",
    "listed_image_ids",
    "staged_thumb",
    "upload_page",
    "uploads_by_id",
]
