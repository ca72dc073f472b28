"""Queries about packages and the work in them, one module for each page."""

from annotation.packages.queries.board import board, progress
from annotation.packages.queries.building import preview, unpackaged_imports
from annotation.packages.queries.packages import (
    PACKAGE_COLUMNS,
    PackageFilters,
    build_answer,
    claim_answer,
    listed_package_ids,
    own_doubles_available,
    package_cells,
    package_page,
    package_row,
    package_rows,
    package_with_counts,
    updated_package,
    with_counts,
)
from annotation.packages.queries.work import (
    PREFETCHED,
    checked_package,
    members,
    next_work,
    package_detail,
    package_places,
    skip_answer,
    work_item,
)

__all__ = [
    "PACKAGE_COLUMNS",
    "PREFETCHED",
    "PackageFilters",
    "board",
    "build_answer",
    "checked_package",
    "claim_answer",
    "listed_package_ids",
    "members",
    "next_work",
    "own_doubles_available",
    "package_cells",
    "package_detail",
    "package_page",
    "package_places",
    "package_row",
    "package_rows",
    "package_with_counts",
    "preview",
    "progress",
    "skip_answer",
    "unpackaged_imports",
    "updated_package",
    "with_counts",
    "work_item",
]
