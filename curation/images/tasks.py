"""Background work on pictures."""

from uuid import UUID

from celery import shared_task

from curation.core import jobs
from curation.core.models import Job
from curation.images import services


def _check(lease: jobs.Lease) -> None:
    services.check_upload(UUID(lease.args["upload"]), lease)


@shared_task(name=services.CHECK_TASK)
def check_upload(job_id: int) -> None:
    """Check an upload that was received completely."""
    if jobs.run(job_id, _check) == Job.State.FAILED:
        services.mark_check_failed(job_id)


@shared_task(name="curation.sweep_files")
def sweep_files(**_: object) -> None:
    """Remove expired uploads, and files that no row refers to."""
    services.sweep_uploads()
    services.sweep_files()
