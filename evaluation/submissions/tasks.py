"""Celery entry points of submissions; numpy alone, so any worker serves."""

from celery import shared_task

from curation.core import jobs
from curation.core.broker import LONG_TIME_LIMIT
from evaluation.submissions import services


@shared_task(name=services.SCORE, time_limit=LONG_TIME_LIMIT)
def score_submission(*, job_id: int, **_: object) -> None:
    """Score a submission."""
    jobs.run(job_id, services.score_submission)


@shared_task(name="evaluation.sweep_files")
def sweep_files(**_: object) -> None:
    """Remove files of submissions that are not kept."""
    services.sweep_files()
