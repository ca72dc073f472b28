"""Celery entry points of imports."""

from celery import shared_task

from annotation.imports import services
from curation.core import jobs
from curation.core.broker import LONG_TIME_LIMIT
from curation.core.models import Job


@shared_task(name=services.RUN_IMPORT, time_limit=LONG_TIME_LIMIT)
def run_import(*, job_id: int) -> None:
    """Import the rows of a file."""
    if jobs.run(job_id, services.run_import) == Job.State.FAILED:
        services.end_failed(job_id)
