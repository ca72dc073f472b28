"""Reads about releases: what one would hold, what one holds, how it differs from the previous one, its pages."""

from annotation.releases.queries.archives import ArchiveToSend, archive_of, archive_to_send
from annotation.releases.queries.changes import (
    change_page,
    changes_of,
    count_changes,
    inherited_option_seed,
    newest_frozen,
)
from annotation.releases.queries.contents import (
    BATCH,
    count_splits,
    facts_of,
    key_of,
    licence_counts,
    missing_files,
    pictures,
    records,
    split_counts,
)
from annotation.releases.queries.outlooks import gate_row, is_large, outlook
from annotation.releases.queries.releases import (
    benchmark_counts,
    gate_table,
    has_open_job,
    is_in_work,
    moved_release,
    release_detail,
    release_page,
    releases_of_image,
    saved_release,
    with_counts,
)
from annotation.releases.queries.snapshots import contents, current_failures, settings_of, snapshot, snapshot_of

__all__ = [
    "BATCH",
    "ArchiveToSend",
    "archive_of",
    "archive_to_send",
    "benchmark_counts",
    "change_page",
    "changes_of",
    "contents",
    "count_changes",
    "count_splits",
    "current_failures",
    "facts_of",
    "gate_row",
    "gate_table",
    "has_open_job",
    "inherited_option_seed",
    "is_in_work",
    "is_large",
    "key_of",
    "licence_counts",
    "missing_files",
    "moved_release",
    "newest_frozen",
    "outlook",
    "pictures",
    "records",
    "release_detail",
    "release_page",
    "releases_of_image",
    "saved_release",
    "settings_of",
    "snapshot",
    "snapshot_of",
    "split_counts",
    "with_counts",
]
