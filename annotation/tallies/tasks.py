"""Celery entry points of the tallies."""

from celery import shared_task

from annotation.tallies import services


@shared_task(name="annotation.fold_tallies")
def fold_tallies() -> None:
    """Merge rows of the same group."""
    services.fold()
