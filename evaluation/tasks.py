"""Celery entry points of this app, gathered from its features."""

from evaluation.asking.tasks import answer_try
from evaluation.runs.tasks import embed_accepted, report_worker, sweep_predictions
from evaluation.scoring.tasks import score_set_run, sweep_scores
from evaluation.sets.tasks import read_item_set
from evaluation.submissions.tasks import score_submission, sweep_files
from evaluation.systems.tasks import fetch_system

__all__ = [
    "answer_try",
    "embed_accepted",
    "fetch_system",
    "read_item_set",
    "report_worker",
    "score_set_run",
    "score_submission",
    "sweep_files",
    "sweep_predictions",
    "sweep_scores",
]
