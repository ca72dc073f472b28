"""Celery entry points of runs."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from celery.worker import state as worker_state
from django.db import Error as DatabaseError

from curation.core import jobs
from curation.core.broker import LONG_TIME_LIMIT
from evaluation.backends.registry import QUEUES
from evaluation.runs import services


@shared_task(name="evaluation.sweep_predictions")
def sweep_predictions(**_: object) -> None:
    """Find accepted work and releases without predictions; sent after each acceptance and by the scheduler."""
    services.sweep_predictions()


@shared_task(name="evaluation.embed_accepted", time_limit=LONG_TIME_LIMIT)
def embed_accepted(*, run_id: int, **_: object) -> None:
    """Predict for one run; on the queue of its system's backend."""
    if services.embed_accepted(run_id, stop=_shutting_down) == "done":
        # For items accepted in the meantime, and for releases that waited for these predictions.
        jobs.send("evaluation.sweep_predictions")
        jobs.send("evaluation.sweep_scores")


@shared_task(name=services.ERASE)
def erase_vectors(**_: object) -> None:
    """Erase vectors of pictures' earlier versions."""
    services.erase_vectors()


@shared_task(name="evaluation.report_worker")
def report_worker(*, queue: str, **_: object) -> None:
    """Record that a worker of a queue of runs takes messages."""
    services.report_worker(queue)


@worker_ready.connect
def report_new_worker(sender: Any, **_: object) -> None:
    """Report a new worker of a queue of runs and sweep, without waiting for the scheduler."""
    served = [queue for queue in QUEUES if queue in sender.app.amqp.queues.consume_from]
    if not served:
        return
    try:
        for queue in served:
            services.report_worker(queue)
    except DatabaseError:
        return  # The scheduler asks again in 15 s.
    jobs.send("evaluation.sweep_predictions")


def _shutting_down() -> bool:
    """Whether this worker has to end, which it does after its present chunk."""
    return any(request is not None for request in (worker_state.should_stop, worker_state.should_terminate))
