"""Celery entry point of drafting."""

from celery import shared_task

from annotation.drafting import queries, services
from curation.core import jobs


@shared_task(name=queries.DRAFT)
def draft(*, job_id: int, **_: object) -> None:
    """Ask a model for questions; on the queue ``served``, whose workers reach it."""
    if services.is_due(job_id):
        jobs.run(job_id, services.draft)
