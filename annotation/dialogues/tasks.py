"""Celery entry points of dialogues."""

from celery import shared_task

from annotation.dialogues import services


@shared_task(name="annotation.sweep_dialogues")
def sweep_dialogues() -> None:
    """Pause dialogues in which nothing happens, end those that no one continues, and pair who waits."""
    services.sweep_dialogues()
