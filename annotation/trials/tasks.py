"""Celery entry points of blind trials."""

from celery import shared_task

from annotation.trials import queries, services
from curation.core import jobs


@shared_task(name=queries.TRY_BLIND)
def try_blind(*, job_id: int, **_: object) -> None:
    """Ask a model a question without its picture; on the queue ``served``, whose workers reach it."""
    if services.is_due(job_id):
        jobs.run(job_id, services.make_trials)


@shared_task(name="annotation.sweep_blind_trials")
def sweep_blind_trials() -> None:
    """Start the trials of revisions that have none."""
    services.sweep()
