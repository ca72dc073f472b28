"""Celery entry points of this app, gathered from its features."""

from celery import shared_task

from curation.core import jobs
from curation.images.tasks import check_upload, sweep_files

__all__ = ["check_upload", "sweep_files", "sweep_jobs"]


@shared_task(name="curation.sweep_jobs")
def sweep_jobs(**_: object) -> None:
    """Wake open jobs whose message was lost; running it also shows that a worker is alive."""
    jobs.worker_seen("default")
    jobs.sweep()
