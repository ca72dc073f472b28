"""Destroying the files of earlier versions wherever this software keeps them.

The rows that say what to destroy are written in the transaction that covers. Each place is emptied by a sweep of the
room that keeps it, which writes down what it has done (``DestructionDone``) after it is done: a process that is killed
in between does it again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef

from curation.benchmarks.queries import image_rules
from curation.core import jobs
from curation.core.stores import media_folder, store
from curation.images.models import Destruction, DestructionDone, Image, Rendition, Upload
from curation.images.services.storage import RENDITIONS, original_key, remove_upload

DESTROY_TASKS: Final = ("curation.destroy_files", "annotation.destroy_release_files", "evaluation.erase_vectors")
_BATCH: Final = 100

#: The places that this room empties.
STORE: Final = "store"
UPLOADS: Final = "uploads"


def destroy_version(image: Image) -> int:
    """Ask for the destruction of a locked picture's current files; return their bytes in the store.

    The uploaded file is destroyed, too, unless the protocol keeps uploaded files.
    """
    rows = list(Rendition.objects.filter(image=image, version=image.version))
    destructions = [Destruction(key=row.key, image=image, rendition_id=row.pk, reason="covered") for row in rows]
    if not image_rules(image.benchmark).keep_originals:
        key = original_key(image.benchmark_id, image.sha256)
        if not Destruction.objects.filter(key=key).exists():
            destructions.append(Destruction(key=key, image=image, reason="original"))
    Destruction.objects.bulk_create(destructions)
    transaction.on_commit(_wake)
    return sum(row.bytes for row in rows)


def _wake() -> None:
    for task in DESTROY_TASKS:
        jobs.send(task)


def undone(place: str, after: int = 0) -> list[Destruction]:
    """The next files that are to be destroyed in a place, oldest first."""
    done = DestructionDone.objects.filter(destruction=OuterRef("pk"), place=place)
    return list(Destruction.objects.filter(~Exists(done), pk__gt=after).order_by("pk")[:_BATCH])


def all_undone(place: str) -> Iterator[list[Destruction]]:
    """Yield the files that are to be destroyed in a place in batches; the caller marks each with :func:`mark_done`."""
    after = 0
    while batch := undone(place, after):
        yield batch
        after = batch[-1].pk


def mark_done(place: str, destructions: Collection[Destruction]) -> None:
    """Write down that files were destroyed in a place."""
    DestructionDone.objects.bulk_create(
        [DestructionDone(destruction=one, place=place) for one in destructions], ignore_conflicts=True
    )


def destroy_files() -> int:
    """Destroy files in the store, with all versions that a bucket keeps, and staged uploads; return how many.

    Raises:
        StorageUnavailable: The rest is destroyed later.
    """
    destroyed = 0
    for batch in all_undone(STORE):
        for one in batch:
            destroy_file(one.key)
            mark_done(STORE, [one])
            destroyed += 1
    for batch in all_undone(UPLOADS):
        _remove_staged([one.image_id for one in batch])
        mark_done(UPLOADS, batch)
    return destroyed


def destroy_file(key: str) -> None:
    """Destroy a file in the store, and in the media folder, where it may be left from before the move to a bucket.

    Raises:
        StorageUnavailable.
    """
    store().destroy(key)
    media_folder().remove(key)


def _remove_staged(image_ids: Sequence[int]) -> None:
    for upload_id in Upload.objects.filter(image__in=image_ids).values_list("pk", flat=True):
        remove_upload(upload_id)


def destroy_copy(one: Destruction, key: str) -> None:
    """Destroy another file of the store that holds what is destroyed; it is recorded first, so that backups follow.

    Raises:
        StorageUnavailable.
    """
    copy, _ = Destruction.objects.get_or_create(key=key, defaults={"image_id": one.image_id, "reason": "release"})
    destroy_file(key)
    mark_done(STORE, [copy])


def destroyed_keys() -> Iterator[str]:
    """The keys of all files that must exist nowhere, oldest first."""
    return Destruction.objects.order_by("pk").values_list("key", flat=True).iterator()


def destroyed_uploads(staged: Mapping[str, str], keys: Collection[str]) -> set[str]:
    """Return which staged files belong to uploads of destroyed files, or are archives that these came in.

    Args:
        staged: The SHA-256 of each file below the folder of uploads, by its path.
        keys: The keys of destroyed files.
    """
    uploads = {key.split("/")[1] for key in keys if key.startswith(f"{RENDITIONS}/")}  # as ``finalizing`` names them
    covered = Image.objects.filter(destructions__rendition_id__isnull=False)
    entries = Upload.objects.filter(image__in=covered).exclude(parent=None)
    uploads |= {str(archive_id) for archive_id in entries.values_list("parent", flat=True)}
    files = Rendition.objects.filter(key__in=keys).values_list("sha256", flat=True)
    sha256s = {*files, *covered.values_list("sha256", flat=True)} if staged else set()
    return {
        path
        for path, sha256 in staged.items()
        if PurePath(path).parent.name in uploads or (path.count("/") == 1 and sha256 in sha256s)
    }
