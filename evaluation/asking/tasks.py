"""Celery entry points of trying prompts."""

from celery import shared_task

from curation.core import jobs
from evaluation.asking import queries, services


@shared_task(name=queries.TRY)
def answer_try(*, job_id: int, **_: object) -> None:
    """Send a prompt to a model; on the queue ``served``, whose workers reach it."""
    if services.is_due(job_id):
        jobs.run(job_id, services.run_trial)
