"""Free space on the disks that files are written to. PostgreSQL may share a disk with them and must never find it full.

Whatever writes a large file asks here first and raises :class:`StorageFull`, with which a request gets 507 and a job
waits (``core/jobs.py``). A bucket has no floor, but every file begins below ``MEDIA_ROOT``.
"""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from django.conf import settings

from curation.core.errors import StorageFull, StorageUnavailable

#: The disk of ``MEDIA_ROOT``, and the one to which models are downloaded, often on another machine.
Disk = Literal["media", "models"]
DISKS: Final[tuple[Disk, ...]] = ("media", "models")
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
log = logging.getLogger(__name__)


def writable_bytes(disk: Disk = "media") -> int:
    """Return how many bytes may be written to a disk; 0 at or below the floor ``MEDIA_FLOOR_BYTES``.

    One call to the system; asked for each block of an upload. The folder need not exist yet.

    Raises:
        StorageUnavailable: The disk does not answer, such as a share that is not mounted.
    """
    downloads = settings.MODEL_DIRS[:1] if disk == "models" else []
    folder = Path(*downloads or [settings.MEDIA_ROOT])
    for path in (folder, *folder.parents):
        try:
            stat = os.statvfs(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StorageUnavailable from error
        return max(0, stat.f_bavail * stat.f_frsize - int(settings.MEDIA_FLOOR_BYTES))
    return 0


def require_space(needed: int | None = None, disk: Disk = "media") -> None:
    """Refuse to write ``needed`` bytes if less than the floor would stay free; None: any, where the size is not known.

    Raises:
        StorageFull, StorageUnavailable.
    """
    free = writable_bytes(disk)
    if free < (1 if needed is None else needed):
        log.warning("the disk of %s is full: %s bytes may be written, %s are needed", disk, free, needed)
        raise StorageFull(disk=disk, free=free, needed=needed)


@contextmanager
def disk_full_as_error(disk: Disk = "media") -> Iterator[None]:
    """Raise :class:`StorageFull` for the system's error, which says that more is needed than the disk has now."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        free = writable_bytes(disk)
        raise StorageFull(disk=disk, free=free, needed=free + 1) from error
