"""Resumable files: a file continues where an interrupted process stopped, and appears only when complete.

While ``x`` is written, ``.x.part`` has the bytes so far, and ``.x.place`` a checkpoint: how many bytes are known to be
on disk and which steps they contain. After an interruption the part is truncated to the checkpoint and continued. Equal
content gives equal bytes, so the result is the same as without the interruption. No Django here.
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

# A checkpoint is saved at whichever bound comes first: saving costs milliseconds, an interruption the work since then.
CHECKPOINT_SECONDS: Final = 1.0  # seconds
CHECKPOINTS: Final = 20  # per file, at equal numbers of steps


class PartHeld(Exception):
    """Another running process writes this file."""


class Part:
    """A resumable file, as exporters see it (:class:`annotation.releases.exporters.base.Out`).

    Args:
        final: The path of the complete file.
        steps: The number of steps.
        identity: Identifies the content and the program; a part with another identity restarts.

    Raises:
        PartHeld: On entering, if another process writes it.
    """

    def __init__(self, final: Path, *, steps: int, identity: str) -> None:
        self._final = final
        self._path = final.with_name(f".{final.name}.part")
        self._place = final.with_name(f".{final.name}.place")
        self._identity = identity
        self._stride = max(1, steps // CHECKPOINTS)
        self.done = 0
        self.state: Any = None

    def __enter__(self) -> Self:
        self.file: BinaryIO = self._opened()
        checkpoint = self._read_checkpoint()
        if checkpoint:
            self.done, self.state = checkpoint["done"], checkpoint["state"]
        self.file.truncate(checkpoint["bytes"] if checkpoint else 0)
        self.file.seek(0, os.SEEK_END)
        self._saved_done, self._saved_at = self.done, time.monotonic()
        return self

    def _opened(self) -> BinaryIO:
        """Open the part and lock it while it is open; the system releases the lock when the process dies."""
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
            file.close()  # the process with the lock has just published the file

    def _read_checkpoint(self) -> dict[str, Any] | None:
        try:
            checkpoint = json.loads(self._place.read_bytes())
        except (FileNotFoundError, ValueError):
            return None
        valid = checkpoint["identity"] == self._identity and checkpoint["bytes"] <= os.fstat(self.file.fileno()).st_size
        return checkpoint if valid else None

    def mark(self, done: int, state: Any = None) -> None:
        """See :class:`annotation.releases.exporters.base.Out`."""
        self.done, self.state = done, state
        if done - self._saved_done >= self._stride or time.monotonic() - self._saved_at > CHECKPOINT_SECONDS:
            self._save_checkpoint()

    def _save_checkpoint(self) -> None:
        self._flush()
        checkpoint = {"identity": self._identity, "bytes": self.file.tell(), "done": self.done, "state": self.state}
        temporary = self._place.with_name(f"{self._place.name}.new")
        temporary.write_text(json.dumps(checkpoint))
        temporary.replace(self._place)
        self._saved_done, self._saved_at = self.done, time.monotonic()

    def _flush(self) -> None:
        self.file.flush()
        os.fdatasync(self.file.fileno())

    def sha256(self) -> str:
        """Compute the SHA-256 of everything written."""
        self._flush()
        with self._path.open("rb") as again:
            return hashlib.file_digest(again, "sha256").hexdigest()

    def publish(self, put: Callable[[Path], None] | None = None) -> int:
        """Move the file to its final path, or call ``put`` with it; return its size."""
        self._flush()
        size = os.fstat(self.file.fileno()).st_size
        if put is None:
            files.publish(self._path, self._final)
        else:
            put(self._path)
        self._place.unlink(missing_ok=True)
        return size

    def discard(self) -> None:
        """Remove the part and its checkpoint."""
        self._place.unlink(missing_ok=True)
        self._path.unlink(missing_ok=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.file.close()
        except OSError:  # the disk is full and the buffer cannot be flushed; the checkpoint is on disk
            if error is None:
                raise
