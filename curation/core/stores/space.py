"""Free space on the disks that files are written to. PostgreSQL may share a disk with them and must never find it full.

Whatever writes a large file asks here first. A bucket has no floor, but every file begins below ``MEDIA_ROOT``.
"""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.conf import settings

from curation.core.errors import StorageFull, StorageUnavailable

DISK_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
log = logging.getLogger(__name__)


def writable_bytes(folder: Path) -> int:
    """Return how many bytes may be written to the disk of a folder, which need not exist; 0 at or below the floor.

    The floor is ``MEDIA_FLOOR_BYTES``. One call to the system; asked for each block of an upload.

    Raises:
        StorageUnavailable: The disk does not answer, such as a share that is not mounted.
    """
    for path in (folder, *folder.parents):
        try:
            disk = os.statvfs(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StorageUnavailable from error
        return max(0, disk.f_bavail * disk.f_frsize - int(settings.MEDIA_FLOOR_BYTES))
    return 0


def require_space(needed: int = 1) -> None:
    """Refuse to write ``needed`` bytes below ``MEDIA_ROOT`` if less than the floor would stay free.

    Raises:
        StorageFull, StorageUnavailable.
    """
    writable = writable_bytes(Path(settings.MEDIA_ROOT))
    if writable < needed:
        log.warning("the disk of MEDIA_ROOT is full: %s bytes may be written, %s are needed", writable, needed)
        raise StorageFull


@contextmanager
def disk_full_as_error() -> Iterator[None]:
    """Raise :class:`StorageFull` for the system's error, so that the work waits for space."""
    try:
        yield
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        raise StorageFull from error
