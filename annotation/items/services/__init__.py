"""Changes of items: creating them, drafts and revisions, and the moves that end their work."""

from annotation.items.services.creating import add_items, lock_benchmark
from annotation.items.services.moving import accept, exclude, readmit, send_back
from annotation.items.services.writing import (
    acknowledged_guideline_id,
    append_revision,
    check_content,
    clean_content,
    replayed_revision,
    same_submission,
    save_draft,
    stale,
)

__all__ = [
    "accept",
    "acknowledged_guideline_id",
    "add_items",
    "append_revision",
    "check_content",
    "clean_content",
    "exclude",
    "lock_benchmark",
    "readmit",
    "replayed_revision",
    "same_submission",
    "save_draft",
    "send_back",
    "stale",
]
