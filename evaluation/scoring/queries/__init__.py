"""Reads about scores: of releases, and of runs over item sets."""

from evaluation.scoring.queries.releases import (
    FrozenGallery,
    answers,
    entries,
    gallery_of,
    job_key,
    kind_with_results,
    label_with_kind,
    metric_order,
    ready_to_score,
    release_scores,
    requested_scores,
    runs_of,
    suite_of,
)
from evaluation.scoring.queries.sets import newest_reports, report_file, set_job_key, set_runs_to_score, set_scores

__all__ = [
    "FrozenGallery",
    "answers",
    "entries",
    "gallery_of",
    "job_key",
    "kind_with_results",
    "label_with_kind",
    "metric_order",
    "newest_reports",
    "ready_to_score",
    "release_scores",
    "report_file",
    "requested_scores",
    "runs_of",
    "set_job_key",
    "set_runs_to_score",
    "set_scores",
    "suite_of",
]
