"""Reads about systems."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet

from evaluation.backends.errors import BackendFilesUnfit
from evaluation.systems.models import System


def every_system() -> QuerySet[System]:
    """All systems and revisions, newest first."""
    return System.objects.order_by("-pk")


def slugs() -> list[str]:
    """Every system by name, for protocols that name one."""
    return list(System.objects.order_by("slug").values_list("slug", flat=True).distinct())


def newest_by_slug(slugs: Iterable[str]) -> dict[str, System]:
    """The newest revision of each named system that exists."""
    rows = System.objects.filter(slug__in=set(slugs)).order_by("slug", "-pk").distinct("slug")
    return {system.slug: system for system in rows}


def folder_of(locator: str) -> Path:
    """The folder a locator names: absolute, or the first of that name in the settings' ``MODEL_DIRS``.

    Raises:
        BackendFilesUnfit: There is no such folder.
    """
    asked = Path(locator)
    candidates = [asked] if asked.is_absolute() else [root / asked for root in settings.MODEL_DIRS]
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise BackendFilesUnfit(folder=asked.name, reason="there is no such folder")
