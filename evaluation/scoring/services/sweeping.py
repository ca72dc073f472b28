"""The sweep that finds what can be scored."""

from __future__ import annotations

from curation.core import jobs
from evaluation.scoring import queries
from evaluation.scoring.services import sets


def sweep_scores() -> list[int]:
    """Queue a job for each run that can be scored completely and was not; return the jobs' ids."""
    runs = queries.runs_to_score()
    keys = list(map(queries.job_key, runs))
    cooling_down = jobs.cooling_down(keys) if keys else set()
    return [sets.enqueue(run_id).pk for run_id in runs if queries.job_key(run_id) not in cooling_down]
