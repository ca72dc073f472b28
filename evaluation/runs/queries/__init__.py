"""Reads about runs: what is left of their work, and what pages show of them."""

from evaluation.runs.queries.grids import EqualRun, Share, equal_runs, manner_of, pace_rows, shares_of
from evaluation.runs.queries.replies import prediction_rows, predictions_file
from evaluation.runs.queries.runs import changed_run, failures, run_detail, run_list, run_row, started_runs
from evaluation.runs.queries.work import (
    ChunkInput,
    PendingRun,
    Revision,
    chunk_inputs,
    failed_entries,
    failed_revisions,
    lock_pictures,
    pending_revisions,
    pending_runs,
    requested_runs,
    running_chunks,
    unfinished_chunks,
    workers_by_queue,
)

__all__ = [
    "ChunkInput",
    "EqualRun",
    "PendingRun",
    "Revision",
    "Share",
    "changed_run",
    "chunk_inputs",
    "equal_runs",
    "failed_entries",
    "failed_revisions",
    "failures",
    "lock_pictures",
    "manner_of",
    "pace_rows",
    "pending_revisions",
    "pending_runs",
    "prediction_rows",
    "predictions_file",
    "requested_runs",
    "run_detail",
    "run_list",
    "run_row",
    "running_chunks",
    "shares_of",
    "started_runs",
    "unfinished_chunks",
    "workers_by_queue",
]
