"""Celery entry points of judging."""

from celery import shared_task

from annotation.quality import services


@shared_task(name="annotation.sweep_pools")
def sweep_pools() -> None:
    """Free seats whose lease ran out, and end what waits for nothing else."""
    services.sweep_pools()
