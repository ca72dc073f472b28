"""The states of a bulk action: nothing changes before it is applied, and a stopped one keeps what was done."""

from __future__ import annotations

from typing import Final

from curation.core.transitions import SYSTEM, Table, move

TABLE: Final[Table] = {
    # By a job, where many rows are to be checked.
    "finish_preview": move("preparing", "prepared", "bulk_prepare", SYSTEM),
    "fail_preview": move("preparing", "failed", "bulk_prepare", SYSTEM),
    "apply": move("prepared", "running", "bulk_apply"),
    "finish": move("running", "done", "bulk_apply", SYSTEM),
    # The person may not do it any more, or the job failed for good.
    "stop": move("running undoing", "stopped", "bulk_apply", SYSTEM),
    "undo": move("done stopped", "undoing", "bulk_undo"),
    "finish_undo": move("undoing", "undone", "bulk_undo", SYSTEM),
}
