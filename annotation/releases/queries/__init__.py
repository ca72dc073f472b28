"""Reads about releases: what one would hold, what one holds, how it differs, and what pages show of it."""

from annotation.releases.queries.changes import CHANGES, changes_of, changes_page, count_changes, newest_frozen
from annotation.releases.queries.contents import (
    BATCH,
    facts_of,
    licence_counts,
    missing_files,
    records,
    split_counts,
)
from annotation.releases.queries.showing import (
    gate_lines,
    gate_row,
    has_open_job,
    is_being_frozen,
    release_detail,
    release_row,
    releases_of_image,
    releases_page,
    with_counts,
)
from annotation.releases.queries.snapshots import contents, gates_now, settings_of, snapshot, snapshot_of

__all__ = [
    "BATCH",
    "CHANGES",
    "changes_of",
    "changes_page",
    "contents",
    "count_changes",
    "facts_of",
    "gate_lines",
    "gate_row",
    "gates_now",
    "has_open_job",
    "is_being_frozen",
    "licence_counts",
    "missing_files",
    "newest_frozen",
    "records",
    "release_detail",
    "release_row",
    "releases_of_image",
    "releases_page",
    "settings_of",
    "snapshot",
    "snapshot_of",
    "split_counts",
    "with_counts",
]
