"""Reads about runs: what is left of their work, and what pages show of them."""

from evaluation.runs.queries.grids import (
    EqualRun,
    Share,
    cost_of,
    equal_runs,
    manner_of,
    pace_rows,
    shares_of,
    text_only_runs,
)
from evaluation.runs.queries.overrides import Override, newest_overrides
from evaluation.runs.queries.prompts import sent_messages
from evaluation.runs.queries.replies import prediction_row, prediction_rows, predictions_file
from evaluation.runs.queries.runs import changed_run, failures, run_detail, run_list, run_row, started_runs
from evaluation.runs.queries.work import (
    UNRESOLVED,
    PendingRun,
    RequestedRun,
    failed_entries,
    lock_pictures,
    pending_runs,
    requested_runs,
    running_chunks,
    uncut_entries,
    unfinished_chunks,
    workers_by_queue,
)

__all__ = [
    "UNRESOLVED",
    "EqualRun",
    "Override",
    "PendingRun",
    "RequestedRun",
    "Share",
    "changed_run",
    "cost_of",
    "equal_runs",
    "failed_entries",
    "failures",
    "lock_pictures",
    "manner_of",
    "newest_overrides",
    "pace_rows",
    "pending_runs",
    "prediction_row",
    "prediction_rows",
    "predictions_file",
    "requested_runs",
    "run_detail",
    "run_list",
    "run_row",
    "running_chunks",
    "sent_messages",
    "shares_of",
    "started_runs",
    "text_only_runs",
    "uncut_entries",
    "unfinished_chunks",
    "workers_by_queue",
]
