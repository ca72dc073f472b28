"""Where picture files lie, on their way and finished, and what is removed from there."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from uuid import UUID

from django.conf import settings

from curation.core.stores import store
from curation.images.models import Image, Rendition, Upload
from curation.lib import files

RENDITIONS = "renditions"
ORIGINALS = "originals"
ORPHANS_AFTER = 24 * 3600  # seconds; longer than anything is under way without a row


def upload_folder(upload_id: UUID) -> Path:
    """Where an upload's bytes and staged renditions lie until it is taken."""
    return Path(settings.MEDIA_ROOT) / files.INCOMING / str(upload_id)


def upload_data(upload_id: UUID) -> Path:
    """The file as it came in so far."""
    return upload_folder(upload_id) / "data"


def remove_upload(upload_id: UUID) -> None:
    """Remove everything of an upload from the disk."""
    shutil.rmtree(upload_folder(upload_id), ignore_errors=True)


def original_key(benchmark_id: int, sha256: str) -> str:
    """Where a file as uploaded is kept, when the protocol keeps it; nothing serves it."""
    return f"{ORIGINALS}/{benchmark_id}/{sha256[:2]}/{sha256}"


def sweep_files(*, now: float | None = None) -> int:
    """Remove picture files that no row names and that are older than a day; return how many.

    They are left behind by a process that was killed between writing and committing.
    """
    moment = (time.time() if now is None else now) - ORPHANS_AFTER
    removed = 0
    old = files.older_than(Path(settings.MEDIA_ROOT) / files.INCOMING, moment)
    while some := list(islice(old, 500)):
        strays = set(some) - _of_open_uploads(some)
        for path in strays:
            path.unlink(missing_ok=True)
        removed += len(strays)
    kept = store()
    for folder, named in ((RENDITIONS, _named_renditions), (ORIGINALS, _named_originals)):
        keys = (found.key for found in kept.list_files(folder) if found.mtime_ns < moment * 1e9)
        while block := list(islice(keys, 500)):
            orphans = set(block) - named(block)
            for key in orphans:
                kept.remove(key)
            removed += len(orphans)
    return removed


def _named_renditions(keys: Sequence[str]) -> set[str]:
    """Those of ``keys`` that a row names."""
    return set(Rendition.objects.filter(key__in=keys).values_list("key", flat=True))


def _named_originals(keys: Sequence[str]) -> set[str]:
    by_place = {(key.split("/")[1], key.rpartition("/")[2]): key for key in keys}
    held = Image.objects.filter(sha256__in=[sha256 for _, sha256 in by_place]).values_list("benchmark_id", "sha256")
    return {by_place[place] for b, sha256 in held if (place := (str(b), sha256)) in by_place}


def _of_open_uploads(some: Sequence[Path]) -> set[Path]:
    of_upload = {path: upload_id for path in some if (upload_id := _upload_named(path.parent.name)) is not None}
    open_ones = set(Upload.objects.filter(pk__in=set(of_upload.values())).values_list("pk", flat=True))
    return {path for path, upload_id in of_upload.items() if upload_id in open_ones}


def _upload_named(folder: str) -> UUID | None:
    try:
        return UUID(folder)
    except ValueError:
        return None
