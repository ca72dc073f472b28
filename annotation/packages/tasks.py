"""Celery entry points of packages."""

from celery import shared_task

from annotation.packages import services


@shared_task(name=services.FOLLOW_PICTURES)
def follow_pictures() -> None:
    """Exclude items of withdrawn pictures, and readmit those of restored ones."""
    services.follow_pictures()
