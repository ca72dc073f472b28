"""Reads about releases: what one would hold, what one holds, and what pages show of it."""

from annotation.releases.queries.contents import BATCH, facts_of, licence_counts, records, split_counts
from annotation.releases.queries.showing import (
    gate_row,
    release_detail,
    release_row,
    releases_of_image,
    releases_page,
    with_counts,
)
from annotation.releases.queries.snapshots import contents, settings_of, snapshot

__all__ = [
    "BATCH",
    "contents",
    "facts_of",
    "gate_row",
    "licence_counts",
    "records",
    "release_detail",
    "release_row",
    "releases_of_image",
    "releases_page",
    "settings_of",
    "snapshot",
    "split_counts",
    "with_counts",
]
