"""Files on their way: they go on where an earlier process was cut off, and appear whole or not at all.

Beside a file ``x`` there are, while it is written, ``.x.part`` with the bytes so far and ``.x.place``, which says how
many of them are known to be on the disk and what they stand for. After a cut the part is shortened to that and
written on; equal content gives equal bytes, so the outcome is the same as without the cut. No Django here.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

from curation.lib import files

# A place is kept when either bound is reached: a flush costs milliseconds, a cut what was done since the last one.
KEEP_EVERY: Final = 1.0  # seconds
KEEPS: Final = 20  # of a file's steps, evenly


class PartHeld(Exception):
    """Another living process writes this file."""


class Part:
    """A file on its way, as exporters see it (:class:`annotation.releases.exporters.base.Out`).

    Args:
        final: Where the file will appear.
        steps: How many steps it takes.
        identity: Names the content and the program; a part of anything else is begun anew.

    Raises:
        PartHeld: On entering, when somebody else writes it.
    """

    def __init__(self, final: Path, *, steps: int, identity: str) -> None:
        self._final = final
        self._path = final.with_name(f".{final.name}.part")
        self._place = final.with_name(f".{final.name}.place")
        self._identity = identity
        self._stride = max(1, steps // KEEPS)
        self.done = 0
        self.state: Any = None

    def __enter__(self) -> Self:
        self.file: BinaryIO = self._opened()
        kept = self._kept()
        if kept:
            self.done, self.state = kept["done"], kept["state"]
        self.file.truncate(kept["bytes"] if kept else 0)
        self.file.seek(0, os.SEEK_END)
        self._kept_done, self._kept_at = self.done, time.monotonic()
        return self

    def _opened(self) -> BinaryIO:
        """Open the part and lock it for as long as it is open; the system lets go when the process dies."""
        while True:
            file = os.fdopen(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644), "r+b")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(file.fileno()), self._path.stat()):
                    return file
            except BlockingIOError:
                file.close()
                raise PartHeld(self._final.name) from None
            except FileNotFoundError:
                pass
            file.close()  # whoever held it put it in its place meanwhile

    def _kept(self) -> dict[str, Any] | None:
        try:
            kept = json.loads(self._place.read_bytes())
        except (FileNotFoundError, ValueError):
            return None
        whole = kept["identity"] == self._identity and kept["bytes"] <= os.fstat(self.file.fileno()).st_size
        return kept if whole else None

    def mark(self, done: int, state: Any = None) -> None:
        """See :class:`annotation.releases.exporters.base.Out`."""
        self.done, self.state = done, state
        if done - self._kept_done >= self._stride or time.monotonic() - self._kept_at > KEEP_EVERY:
            self._keep()

    def _keep(self) -> None:
        self._flush()
        kept = {"identity": self._identity, "bytes": self.file.tell(), "done": self.done, "state": self.state}
        beside = self._place.with_name(f"{self._place.name}.new")
        beside.write_text(json.dumps(kept))
        beside.replace(self._place)
        self._kept_done, self._kept_at = self.done, time.monotonic()

    def _flush(self) -> None:
        self.file.flush()
        os.fdatasync(self.file.fileno())

    def sha256(self) -> str:
        """Of everything written, as it would be read again."""
        self._flush()
        with self._path.open("rb") as again:
            return hashlib.file_digest(again, "sha256").hexdigest()

    def publish(self, put: Callable[[Path], None] | None = None) -> int:
        """Put the file in its place, or have ``put`` bring it to another; return its size."""
        self._flush()
        size = os.fstat(self.file.fileno()).st_size
        if put is None:
            files.publish(self._path, self._final)
        else:
            put(self._path)
        self._place.unlink(missing_ok=True)
        return size

    def discard(self) -> None:
        """Forget what was written."""
        self._place.unlink(missing_ok=True)
        self._path.unlink(missing_ok=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.file.close()
        except OSError:  # the disk is full and some bytes are still in the buffer; what is kept is on the disk
            if error is None:
                raise
