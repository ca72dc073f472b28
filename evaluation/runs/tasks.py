"""Celery entry points of runs."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from celery.worker import state as told
from django.db import Error as DatabaseError

from curation.core import jobs
from evaluation.backends.registry import QUEUES
from evaluation.runs import services


@shared_task(name="evaluation.sweep_predictions")
def sweep_predictions(**_: object) -> None:
    """Find accepted work that no system has seen yet; sent after each acceptance and by the scheduler."""
    services.sweep_predictions()


@shared_task(name="evaluation.embed_accepted")
def embed_accepted(*, job_id: int, **_: object) -> None:
    """Embed for one run; on the queue of its system's backend."""
    if jobs.run(job_id, lambda lease: services.embed_accepted(lease, stop=_told_to_stop)) == "done":
        # What was accepted while the job ended; releases that waited for these predictions.
        jobs.send("evaluation.sweep_predictions")
        jobs.send("evaluation.sweep_scores")


@shared_task(name="evaluation.report_worker")
def report_worker(*, queue: str, **_: object) -> None:
    """Say that a worker of a queue of runs takes messages."""
    services.show_worker(queue)


@worker_ready.connect
def show_at_once(sender: Any, **_: object) -> None:
    """Show a new worker of a queue of runs and let the sweep look, so that nobody waits for the clock."""
    served = [queue for queue in QUEUES if queue in sender.app.amqp.queues.consume_from]
    if not served:
        return
    try:
        for queue in served:
            services.show_worker(queue)
    except DatabaseError:
        return  # The clock asks again in 15 s.
    jobs.send("evaluation.sweep_predictions")


def _told_to_stop() -> bool:
    """Whether this worker was asked to end: it does so after the chunk in hand."""
    return any(asked is not None for asked in (told.should_stop, told.should_terminate))
