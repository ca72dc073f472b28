"""The composition root: settings, URLs, Celery and the launcher. Imports everything, imported by nobody."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
