"""Celery entry points of the pair track."""

from celery import shared_task

from annotation.pair import services


@shared_task(name="annotation.follow_bases")
def follow_bases() -> None:
    """Return or exclude items whose base was changed or excluded, and bind the others to what is accepted now."""
    services.follow_bases()
