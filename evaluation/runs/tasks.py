"""Celery entry points of runs."""

from celery import shared_task

from curation.core import jobs
from evaluation.runs import services


@shared_task(name="evaluation.sweep_predictions")
def sweep_predictions(**_: object) -> None:
    """Find accepted work that no system has seen yet; sent after each acceptance and by the scheduler."""
    services.sweep_predictions()


@shared_task(name="evaluation.embed_accepted")
def embed_accepted(*, job_id: int, **_: object) -> None:
    """Embed for one run; on the queue ``gpu``, whose worker holds the model."""
    if jobs.run(job_id, services.embed_accepted) == "done":
        # What was accepted while the job ended; releases that waited for these predictions.
        jobs.send("evaluation.sweep_predictions")
        jobs.send("evaluation.sweep_scores")


@shared_task(name="evaluation.report_worker")
def report_worker(**_: object) -> None:
    """Say that a worker of the queue ``gpu`` takes messages."""
    jobs.worker_seen("gpu")
