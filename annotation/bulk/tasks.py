"""Celery entry points of bulk actions."""

from celery import shared_task

from annotation.bulk import services
from curation.core import jobs
from curation.core.broker import LONG_TIME_LIMIT
from curation.core.models import Job


@shared_task(name=services.RUN_BULK, time_limit=LONG_TIME_LIMIT)
def run_bulk(*, job_id: int) -> None:
    """Make the preview of a bulk action, apply it or undo it."""
    if jobs.run(job_id, services.run_bulk) == Job.State.FAILED:
        services.end_failed(job_id)


@shared_task(name="annotation.sweep_previews")
def sweep_previews() -> None:
    """Delete previews of bulk actions that were not applied in time."""
    services.sweep_previews()
