"""Celery entry points of judging."""

from celery import shared_task

from annotation.quality import services


@shared_task(name="annotation.sweep_pools")
def sweep_pools() -> None:
    """Free lapsed seats, and end reviews without open seats."""
    services.sweep_pools()
