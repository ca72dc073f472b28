"""Celery entry points of imports."""

from celery import shared_task

from annotation.imports import services
from curation.core import jobs


@shared_task(name=services.RUN_IMPORT)
def run_import(*, job_id: int) -> None:
    """Import the rows of a file."""
    jobs.run(job_id, services.run_import)
