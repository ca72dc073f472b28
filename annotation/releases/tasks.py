"""Celery entry points of releases."""

from celery import shared_task

from annotation.releases import services
from curation.core import jobs
from curation.core.broker import LONG_TIME_LIMIT


@shared_task(name=services.CHECK)
def check_release(*, job_id: int) -> None:
    """Check a draft of many items."""
    jobs.run(job_id, services.check)


@shared_task(name=services.FREEZE, time_limit=LONG_TIME_LIMIT)
def freeze_release(*, job_id: int) -> None:
    """Freeze a checked release."""
    jobs.run(job_id, services.freeze)


@shared_task(name=services.DESTROY)
def destroy_release_files(**_: object) -> None:
    """Destroy files of releases that hold a picture's earlier version."""
    services.destroy_release_files()


@shared_task(name=services.WRITE_FILES, time_limit=LONG_TIME_LIMIT)
def write_release_files(*, job_id: int) -> None:
    """Write the files of a frozen release."""
    jobs.run(job_id, services.write_files)
