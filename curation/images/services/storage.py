"""Where picture files lie, and what is removed from there."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from uuid import UUID

from django.conf import settings

from curation.core import files
from curation.images.models import Image, Rendition, Upload

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


def original_place(benchmark_id: int, sha256: str) -> Path:
    """Where a file as uploaded is kept, when the protocol keeps it; nothing serves it."""
    return Path(settings.MEDIA_ROOT) / ORIGINALS / str(benchmark_id) / sha256[:2] / sha256


def publish_too(staged: Path, final: Path) -> None:
    """Give a staged file its place as a second name, so that it is still staged should the transaction fail."""
    final.parent.mkdir(parents=True, exist_ok=True)
    final.unlink(missing_ok=True)
    try:
        os.link(staged, final)
    except OSError:  # a file system without second names
        files.publish(files.stage(Path(settings.MEDIA_ROOT), staged.read_bytes()), final)
        return
    descriptor = os.open(final.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
    of_upload = {path: upload_id for path in some if (upload_id := _upload_named(path.parent.name)) is not None}
    open_ones = set(Upload.objects.filter(pk__in=set(of_upload.values())).values_list("pk", flat=True))
    return {path for path, upload_id in of_upload.items() if upload_id in open_ones}


def _upload_named(folder: str) -> UUID | None:
    try:
        return UUID(folder)
    except ValueError:
        return None
