"""Background work on pictures."""

from typing import Final
from uuid import UUID

from celery import shared_task

from curation.core import jobs
from curation.core.broker import PICTURES
from curation.core.models import Job
from curation.images import services

#: Of the three processes of a pictures worker; see ``config/launch/launcher.py``.
MOST_CHECKS_OF_ONE_PERSON: Final = 2


def _check(lease: jobs.Lease) -> None:
    services.check_upload(UUID(lease.args["upload"]), lease)


@shared_task(name=services.CHECK_TASK)
def check_upload(**_: object) -> None:
    """Check an upload that was received completely: the one whose turn it is, whatever upload the message was sent for.

    A message finds nothing to do while its person has enough checks running, so each check that ends sends the next.
    One that could not be carried out waits for a sweep, and so do the others, which would mostly fail for the same
    reason: a full disk, or a store that does not answer.
    """
    job = jobs.claim_fairly(services.CHECK_TASK, MOST_CHECKS_OF_ONE_PERSON)
    if job is None:
        return
    state = jobs.run_claimed(job, _check)
    if state == Job.State.FAILED:
        services.mark_check_failed(job.pk)
    if state != Job.State.QUEUED:
        jobs.send(services.CHECK_TASK, queue=PICTURES)


@shared_task(name="curation.destroy_files")
def destroy_files(**_: object) -> None:
    """Destroy the files of earlier versions of pictures in the store, and what is left of their uploads."""
    services.destroy_files()


@shared_task(name="curation.sweep_files")
def sweep_files(**_: object) -> None:
    """Remove expired uploads, and files that no row refers to."""
    services.sweep_uploads()
    services.sweep_files()


@shared_task(name=services.SEARCH_TASK)
def search_picture(**_: object) -> None:
    """Search a picture for what should be covered: the one whose turn it is, one at a time on all machines."""
    job = jobs.claim_fairly(services.SEARCH_TASK, most_of_one_person=1, most=1)
    if job is None:
        return
    state = jobs.run_claimed(job, lambda lease: services.search_picture(lease.args["image"]))
    if state != Job.State.QUEUED:
        jobs.send(services.SEARCH_TASK, queue=PICTURES)


@shared_task(name="curation.sweep_searches")
def sweep_searches(**_: object) -> None:
    """Enqueue pictures that no detector has searched yet."""
    services.enqueue_searches()
