"""Celery entry points of systems."""

from celery import shared_task

from curation.core import jobs
from curation.core.broker import LONG_TIME_LIMIT
from evaluation.systems import services


@shared_task(name="evaluation.fetch_system", time_limit=LONG_TIME_LIMIT)
def fetch_system(*, job_id: int, **_: object) -> None:
    """Fetch a system's files; on the queue ``gpu``, on whose machine they are needed."""
    if jobs.run(job_id, services.fetch_system) == "done":
        # Benchmarks whose protocols named it before it was here.
        jobs.send("evaluation.sweep_predictions")


@shared_task(name="evaluation.serve_system", time_limit=LONG_TIME_LIMIT)
def serve_system(*, job_id: int, **_: object) -> None:
    """Ask a model server what it serves; on the queue ``served``, whose workers reach it."""
    if jobs.run(job_id, services.serve_system) == "done":
        jobs.send("evaluation.sweep_predictions")
