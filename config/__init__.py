"""The composition root: settings, URLs, Celery and the launcher. It imports everything, and nothing imports it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
