"""Celery entry points of this app, gathered from its features."""

from annotation.imports.tasks import run_import
from annotation.packages.tasks import follow_pictures
from annotation.quality.tasks import sweep_pools
from annotation.releases.tasks import freeze_release, write_release_files

__all__ = ["follow_pictures", "freeze_release", "run_import", "sweep_pools", "write_release_files"]
