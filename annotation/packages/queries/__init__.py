"""Reads about packages and the work in them; one module for each thing that is looked at."""

from annotation.packages.queries.board import board, progress
from annotation.packages.queries.building import preview
from annotation.packages.queries.items import item_detail, item_page, items_of_image
from annotation.packages.queries.packages import (
    build_json,
    counted,
    one,
    package_json,
    package_page,
    packages_json,
    with_counts,
)
from annotation.packages.queries.work import (
    PREFETCHED,
    detail,
    members,
    next_work,
    rules_of,
    submit_json,
    work_item,
)

__all__ = [
    "PREFETCHED",
    "board",
    "build_json",
    "counted",
    "detail",
    "item_detail",
    "item_page",
    "items_of_image",
    "members",
    "next_work",
    "one",
    "package_json",
    "package_page",
    "packages_json",
    "preview",
    "progress",
    "rules_of",
    "submit_json",
    "with_counts",
    "work_item",
]
