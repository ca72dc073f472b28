"""Celery entry points of the search."""

from celery import shared_task

from annotation.search import services


@shared_task(name="annotation.index_texts")
def index_texts() -> None:
    """Index the texts of items with new revisions."""
    services.sweep()
