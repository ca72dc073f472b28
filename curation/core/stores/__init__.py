"""Where finished files are kept: a folder, or a bucket that speaks S3. Which one is the settings' alone to say.

What is still in flux stays below ``MEDIA_ROOT`` in either case: uploads on their way (``incoming``) and release files
that are being written. A file moves from there to the store whole, once, and never changes again.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from curation.core.stores.base import Kept, Store
from curation.core.stores.folder import Folder
from curation.lib.files import INCOMING

if TYPE_CHECKING:
    from curation.core.stores.bucket import Bucket

__all__ = ["Folder", "Kept", "Store", "belongs", "media_folder", "store"]


def store() -> Store:
    """The store of this installation."""
    place = settings.OBJECT_STORE
    if not place["bucket"]:
        return media_folder()
    return _bucket(tuple(sorted(place.items())), str(settings.MEDIA_ROOT), settings.MEDIA_ACCEL_PREFIX, os.getpid())


def media_folder() -> Folder:
    """The folder that is the store where no bucket is named."""
    return Folder(Path(settings.MEDIA_ROOT), accel_prefix=settings.MEDIA_ACCEL_PREFIX)


@lru_cache(maxsize=4)
def _bucket(place: tuple[tuple[str, str], ...], working: str, accel_prefix: str, pid: int) -> Bucket:
    """One client for each process: its connections must not be shared with a child."""
    from curation.core.stores.bucket import Bucket  # noqa: PLC0415  (30 MB that a folder never needs)

    return Bucket(**dict(place), working=Path(working), accel_prefix=accel_prefix)


def belongs(path: str) -> bool:
    """Whether a path below ``MEDIA_ROOT`` names a finished file, which a bucket would hold, and nothing in flux."""
    first, *rest = path.split("/")
    return bool(rest) and first != INCOMING and not rest[-1].startswith(".")
