"""Destroying the files of releases that hold a picture's earlier version.

The releases stay, with their records and figures; only files with pictures inside are removed. A new release has the
covered pictures.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from django.conf import settings
from django.db.models import F

from annotation.releases import queries
from annotation.releases.exporters import registry
from annotation.releases.models import Release, ReleaseEntry, ReleaseFile
from curation.core.stores import is_finished_file, store
from curation.images.models import Destruction
from curation.images.services import all_undone, destroy_copy, mark_done

DESTROY: Final = "annotation.destroy_release_files"
PLACE: Final = "releases"


def folder_of(release_id: int) -> Path:
    """The folder in which a release's files are written before they are complete."""
    return Path(settings.MEDIA_ROOT) / "releases" / str(release_id)


def destroy_release_files() -> int:
    """Destroy the files of releases with pictures whose earlier version is destroyed; return how many.

    Raises:
        StorageUnavailable: The rest is destroyed later.
    """
    destroyed = 0
    for batch in all_undone(PLACE):
        for one in batch:
            if one.rendition_id is not None:
                destroyed += _destroy_files_with(one)
        mark_done(PLACE, batch)
    return destroyed


def destroy_if_covered(release: Release, name: str) -> bool:
    """Destroy a file that was just published if a picture in it was covered meanwhile; return whether one was.

    To be called after the file's row is committed: what is covered later is found by the sweep, through that row.

    Raises:
        StorageUnavailable.
    """
    if not registry.holds_pictures(name):
        return False
    covered = ReleaseEntry.objects.filter(release=release, image__redaction_no__gte=F("rendition__version"))
    one = Destruction.objects.filter(rendition_id__in=covered.values("rendition")).order_by("pk").first()
    if one is not None:
        destroy_copy(one, queries.key_of(release.pk, name))
    return one is not None


def _destroy_files_with(one: Destruction) -> int:
    destroyed = 0
    entries = ReleaseEntry.objects.filter(rendition=one.rendition_id, image=one.image_id)
    for release_id in set(entries.values_list("release_id", flat=True)):
        for key in _keys_of(release_id):
            destroy_copy(one, key)
            destroyed += 1
        for part in folder_of(release_id).glob("*.parquet*"):  # what a writer has not finished
            part.unlink(missing_ok=True)
    return destroyed


def _keys_of(release_id: int) -> list[str]:
    """The keys of a release's files with pictures.

    Those with rows, which backups may hold, and those in the store whose writer was killed before it saved the row.
    """
    keys = {queries.key_of(release_id, file.name) for file in ReleaseFile.objects.filter(release=release_id)}
    keys |= {file.key for file in store().list_files(f"releases/{release_id}")}
    return sorted(key for key in keys if is_finished_file(key) and registry.holds_pictures(key))
