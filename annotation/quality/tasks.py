"""Celery entry points of judging."""

from celery import shared_task

from annotation.quality import services


@shared_task(name="annotation.keep_figures")
def keep_figures() -> None:
    """Compute everyone's figures where they are too many for a request."""
    services.keep_figures()


@shared_task(name="annotation.sweep_pools")
def sweep_pools() -> None:
    """Free lapsed seats, and end reviews without open seats."""
    services.sweep_pools()
