"""Celery entry points of this app."""

from celery import shared_task

from curation.core import jobs


@shared_task(name="curation.sweep_jobs")
def sweep_jobs(**_: object) -> None:
    """Wake open jobs whose message was lost."""
    jobs.sweep()
