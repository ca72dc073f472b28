"""The store of finished files: a folder, or an S3 bucket. The settings choose which.

Unfinished files always stay below ``MEDIA_ROOT``: uploads in progress (``incoming``) and release files being written.
A finished file moves from there to the store once, as a whole, and never changes again.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from curation.core.stores.base import UNUSED_AFTER, Store, StoredFile
from curation.core.stores.folder import Folder
from curation.lib.files import INCOMING

if TYPE_CHECKING:
    from curation.core.stores.bucket import Bucket

__all__ = ["UNUSED_AFTER", "Folder", "Store", "StoredFile", "is_finished_file", "media_folder", "store"]


def store() -> Store:
    """Return the store of this installation."""
    options = settings.OBJECT_STORE
    if not options["bucket"]:
        return media_folder()
    return _bucket(tuple(sorted(options.items())), str(settings.MEDIA_ROOT), settings.MEDIA_ACCEL_PREFIX, os.getpid())


def media_folder() -> Folder:
    """Return the folder that is the store when the settings name no bucket."""
    return Folder(Path(settings.MEDIA_ROOT), accel_prefix=settings.MEDIA_ACCEL_PREFIX)


@lru_cache(maxsize=4)
def _bucket(options: tuple[tuple[str, str], ...], working: str, accel_prefix: str, pid: int) -> Bucket:
    """Create one client for each process, because a child process must not share its parent's connections."""
    from curation.core.stores.bucket import Bucket  # noqa: PLC0415  (30 MB that a folder never needs)

    return Bucket(**dict(options), working=Path(working), accel_prefix=accel_prefix)


def is_finished_file(path: str) -> bool:
    """Return whether a path below ``MEDIA_ROOT`` names a finished file, which a bucket would hold."""
    first, *rest = path.split("/")
    return bool(rest) and first != INCOMING and not rest[-1].startswith(".")
