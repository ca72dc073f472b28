"""Celery entry points of item sets."""

from celery import shared_task

from curation.core import jobs
from curation.core.broker import LONG_TIME_LIMIT
from curation.core.models import Job
from evaluation.sets import services


@shared_task(name=services.READ, time_limit=LONG_TIME_LIMIT)
def read_item_set(*, job_id: int, **_: object) -> None:
    """Make the entries of an item set."""
    state = jobs.run(job_id, services.read_set)
    if state == Job.State.FAILED:
        services.give_up(job_id)
    elif state == Job.State.DONE:
        jobs.send("evaluation.sweep_predictions")  # for the runs over a release that waited for its entries


@shared_task(name="evaluation.sweep_set_files")
def sweep_set_files(**_: object) -> None:
    """Remove files that no item set needs."""
    services.sweep_files()
