"""Celery entry points of bulk actions."""

from celery import shared_task

from annotation.bulk import services
from curation.core import jobs
from curation.core.broker import LONG_TIME_LIMIT
from curation.core.models import Job


@shared_task(name=services.RUN_BULK, time_limit=LONG_TIME_LIMIT)
def run_bulk(*, job_id: int) -> None:
    """Apply or undo a bulk action."""
    if jobs.run(job_id, services.run_bulk) == Job.State.FAILED:
        services.end_failed(job_id)
