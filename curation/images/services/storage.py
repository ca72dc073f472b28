"""Where picture files lie, and what is removed from there."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from django.conf import settings

from curation.core import files
from curation.images.models import Image, Rendition

RENDITIONS = "renditions"
ORIGINALS = "originals"
ORPHANS_AFTER = 24 * 3600  # seconds; longer than any upload takes


def remove(paths: Iterable[Path]) -> None:
    """Remove files that are there."""
    for path in paths:
        path.unlink(missing_ok=True)


def sweep_files(*, now: float | None = None) -> int:
    """Remove picture files that no row names and that are older than a day; return how many.

    They are left behind by a process that was killed between writing and committing.
    """
    root = Path(settings.MEDIA_ROOT)
    moment = (time.time() if now is None else now) - ORPHANS_AFTER
    removed = 0
    for folder in (files.INCOMING, RENDITIONS, ORIGINALS):
        old = files.older_than(root / folder, moment)
        while some := list(islice(old, 500)):
            orphans = set(some) - _named(root, folder, some)
            remove(orphans)
            removed += len(orphans)
    return removed


def _named(root: Path, folder: str, some: Sequence[Path]) -> set[Path]:
    """Those of ``some`` that a row names."""
    if folder == RENDITIONS:
        by_key = {path.relative_to(root).as_posix(): path for path in some}
        return {by_key[key] for key in Rendition.objects.filter(key__in=by_key).values_list("key", flat=True)}
    if folder == ORIGINALS:
        by_place = {(path.parent.parent.name, path.name): path for path in some}
        held = Image.objects.filter(sha256__in=[path.name for path in some]).values_list("benchmark_id", "sha256")
        return {by_place[place] for b, sha256 in held if (place := (str(b), sha256)) in by_place}
    return set()
