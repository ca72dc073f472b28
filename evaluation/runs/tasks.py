"""Celery entry points of runs."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from celery.worker import state as told
from django.db import Error as DatabaseError

from curation.core import jobs
from evaluation.runs import queries, services


@shared_task(name="evaluation.sweep_predictions")
def sweep_predictions(**_: object) -> None:
    """Find accepted work that no system has seen yet; sent after each acceptance and by the scheduler."""
    services.sweep_predictions()


@shared_task(name="evaluation.embed_accepted")
def embed_accepted(*, job_id: int, **_: object) -> None:
    """Embed for one run; on the queue ``gpu``, whose workers hold the models."""
    if jobs.run(job_id, lambda lease: services.embed_accepted(lease, stop=_told_to_stop)) == "done":
        # What was accepted while the job ended; releases that waited for these predictions.
        jobs.send("evaluation.sweep_predictions")
        jobs.send("evaluation.sweep_scores")


@shared_task(name="evaluation.report_worker")
def report_worker(**_: object) -> None:
    """Say that a worker of the queue ``gpu`` takes messages."""
    services.show_worker()


@worker_ready.connect
def show_at_once(sender: Any, **_: object) -> None:
    """Show a new worker of the queue and let the sweep look, so that nobody waits for the clock."""
    if queries.QUEUE not in sender.app.amqp.queues.consume_from:
        return
    try:
        services.show_worker()
    except DatabaseError:
        return  # The clock asks again in 15 s.
    jobs.send("evaluation.sweep_predictions")


def _told_to_stop() -> bool:
    """Whether this worker was asked to end: it does so after the chunk in hand."""
    return any(asked is not None for asked in (told.should_stop, told.should_terminate))
