"""Celery entry points of trying prompts."""

from celery import shared_task

from curation.core import jobs
from evaluation.asking import services


@shared_task(name=services.TRY)
def answer_try(*, job_id: int, **_: object) -> None:
    """Send a prompt to a model; on the queue ``served``, whose workers reach it."""
    jobs.run(job_id, services.run_trial)
