"""Destroying the files of releases that hold a picture's earlier version.

The releases stay, with their records and figures; only files with pictures inside are removed. A new release has the
covered pictures.
"""

from __future__ import annotations

from typing import Final

from annotation.releases import queries
from annotation.releases.exporters import registry
from annotation.releases.models import ReleaseEntry, ReleaseFile
from annotation.releases.services.writing import folder_of
from curation.images.models import Destruction
from curation.images.services import all_undone, destroy_copy, mark_done

DESTROY: Final = "annotation.destroy_release_files"
PLACE: Final = "releases"


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


def _destroy_files_with(one: Destruction) -> int:
    destroyed = 0
    entries = ReleaseEntry.objects.filter(rendition=one.rendition_id, image=one.image_id)
    for release_id in set(entries.values_list("release_id", flat=True)):
        for file in ReleaseFile.objects.filter(release=release_id):
            if registry.holds_pictures(file.name):
                destroy_copy(one, queries.key_of(release_id, file.name))
                destroyed += 1
        for part in folder_of(release_id).glob("*.parquet*"):  # what a writer has not finished
            part.unlink(missing_ok=True)
    return destroyed
