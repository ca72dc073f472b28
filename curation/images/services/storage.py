"""Paths and keys of picture files, and the removal of files that no row refers to."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from uuid import UUID

from django.conf import settings

from curation.core.stores import UNUSED_AFTER, store
from curation.images.models import Image, Rendition, Upload
from curation.lib import files

RENDITIONS = "renditions"
ORIGINALS = "originals"


def upload_folder(upload_id: UUID) -> Path:
    """Return the folder of an upload's file and staged renditions."""
    return Path(settings.MEDIA_ROOT) / files.INCOMING / str(upload_id)


def upload_data(upload_id: UUID) -> Path:
    """Return the path of the bytes received so far."""
    return upload_folder(upload_id) / "data"


def remove_upload(upload_id: UUID) -> None:
    """Remove all files of an upload from the disk."""
    shutil.rmtree(upload_folder(upload_id), ignore_errors=True)


def original_key(benchmark_id: int, sha256: str) -> str:
    """Return the key of an uploaded file that the protocol keeps; it is never served."""
    return f"{ORIGINALS}/{benchmark_id}/{sha256[:2]}/{sha256}"


def sweep_files(*, now: float | None = None) -> int:
    """Remove picture files that no row refers to and that are older than a day; return how many.

    A process that is killed between writing and committing leaves such files.
    """
    moment = (time.time() if now is None else now) - UNUSED_AFTER
    removed = 0
    old = files.older_than(Path(settings.MEDIA_ROOT) / files.INCOMING, moment)
    while paths := list(islice(old, 500)):
        orphaned_paths = set(paths) - _of_existing_uploads(paths)
        for path in orphaned_paths:
            path.unlink(missing_ok=True)
        removed += len(orphaned_paths)
    removed += store().remove_unused(RENDITIONS, _used_renditions, moment)
    removed += store().remove_unused(ORIGINALS, _used_originals, moment)
    return removed


def _used_renditions(keys: Sequence[str]) -> set[str]:
    """Return those of ``keys`` that a row refers to."""
    return set(Rendition.objects.filter(key__in=keys).values_list("key", flat=True))


def _used_originals(keys: Sequence[str]) -> set[str]:
    by_place = {(key.split("/")[1], key.rpartition("/")[2]): key for key in keys}
    held = Image.objects.filter(sha256__in=[sha256 for _, sha256 in by_place]).values_list("benchmark_id", "sha256")
    return {by_place[place] for b, sha256 in held if (place := (str(b), sha256)) in by_place}


def _of_existing_uploads(paths: Sequence[Path]) -> set[Path]:
    ids = {path: upload_id for path in paths if (upload_id := _upload_id(path.parent.name)) is not None}
    existing = set(Upload.objects.filter(pk__in=set(ids.values())).values_list("pk", flat=True))
    return {path for path, upload_id in ids.items() if upload_id in existing}


def _upload_id(folder: str) -> UUID | None:
    try:
        return UUID(folder)
    except ValueError:
        return None
