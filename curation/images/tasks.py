"""Background work on pictures."""

from celery import shared_task

from curation.images import services


@shared_task(name="curation.sweep_files")
def sweep_files(**_: object) -> None:
    """Remove files whose upload never came to its end."""
    services.sweep_files()
