"""Background work of uploads by addresses."""

from typing import Final

from celery import shared_task

from curation.core import jobs
from curation.core.broker import PICTURES
from curation.core.models import Job
from curation.url_lists import services

#: Of the three processes of a pictures worker: the others check pictures meanwhile.
MOST_AT_ONCE: Final = 1


@shared_task(name=services.FETCH_TASK)
def fetch_url_list(**_: object) -> None:
    """Fetch files of a list: the one whose person's turn it is, whatever list the message was sent for.

    A message finds nothing to do while another list is fetched, so each run that ends sends the next.
    """
    job = jobs.claim_fairly(services.FETCH_TASK, MOST_AT_ONCE, most=MOST_AT_ONCE)
    if job is None:
        return
    state = jobs.run_claimed(job, services.fetch_list)
    if state == Job.State.FAILED:
        services.end_failed(job.pk)
    if state != Job.State.QUEUED:
        jobs.send(services.FETCH_TASK, queue=PICTURES)
