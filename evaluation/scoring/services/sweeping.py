"""The sweep that finds what can be scored."""

from __future__ import annotations

from curation.core import jobs
from evaluation.scoring import queries
from evaluation.scoring.services import releases, sets


def sweep_scores() -> list[int]:
    """Queue a job for each run that can be scored completely and was not, by release or set; return the jobs' ids."""
    pairs, runs = queries.ready_to_score(), queries.set_runs_to_score()
    keys = [*(queries.job_key(*pair) for pair in pairs), *map(queries.set_job_key, runs)]
    cooling_down = jobs.cooling_down(keys) if keys else set()
    queued = [releases.enqueue(*pair) for pair in pairs if queries.job_key(*pair) not in cooling_down]
    queued += [sets.enqueue(run_id) for run_id in runs if queries.set_job_key(run_id) not in cooling_down]
    return [job.pk for job in queued]
