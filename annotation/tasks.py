"""Celery entry points of this app, gathered from its features."""

from annotation.releases.tasks import write_release_files

__all__ = ["write_release_files"]
