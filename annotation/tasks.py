"""Celery entry points of this app, gathered from its features."""

from annotation.packages.tasks import follow_pictures
from annotation.quality.tasks import sweep_pools
from annotation.releases.tasks import write_release_files

__all__ = ["follow_pictures", "sweep_pools", "write_release_files"]
