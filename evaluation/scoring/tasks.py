"""Celery entry points of scoring; numpy alone, so any worker serves."""

from celery import shared_task

from curation.core import jobs
from curation.core.broker import LONG_TIME_LIMIT
from evaluation.scoring import services


@shared_task(name="evaluation.sweep_scores")
def sweep_scores(**_: object) -> None:
    """Find runs whose answers are complete; sent by the scheduler and after predictions."""
    services.sweep_scores()


@shared_task(name=services.SCORE_SET, time_limit=LONG_TIME_LIMIT)
def score_set_run(*, job_id: int, **_: object) -> None:
    """Score one run over an item set."""
    jobs.run(job_id, services.score_set_run)
