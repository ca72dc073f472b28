"""The files of a backup: copying, the manifest, checking. No Django, no database."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from curation.lib import files

CHUNK_BYTES = 1 << 20  # one read; bounds memory


@dataclass(frozen=True)
class Entry:
    """One file of a backup.

    Attributes:
        path: The path below the folder of files, with forward slashes.
        bytes: The size.
        sha256: The SHA-256 of the content.
        mtime_ns: Time of the original's last change, in nanoseconds since 1970.
    """

    path: str
    bytes: int
    sha256: str
    mtime_ns: int

    def line(self) -> str:
        """Return the manifest's line."""
        return json.dumps(asdict(self), ensure_ascii=False) + "\n"


def read_manifest(path: Path) -> dict[str, Entry]:
    """Read the entries by path; skip an incomplete last line."""
    entries = {}
    with contextlib.suppress(FileNotFoundError), path.open(encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            if line.endswith("\n"):
                entry = Entry(**json.loads(line))
                entries[entry.path] = entry
    return entries


def sha256_of(path: Path) -> str:
    """Compute the SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def files_below(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield every regular file and its status, without unfinished ones; never follow links."""
    return ((path, stat) for path, stat in files.files_below(root) if not path.endswith((".part", ".restoring")))


def write_complete(target: Path, write: Callable[[Path], str]) -> str:
    """Call ``write`` with a temporary path, then rename it to ``target``; return the SHA-256 from ``write``."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    try:
        digest = write(part)
    except FileNotFoundError:
        part.unlink(missing_ok=True)
        raise
    part.replace(target)
    return digest


def copy(source: Path, target: Path) -> str:
    """Copy a file with its times; return the SHA-256 of the copied bytes.

    Raises:
        FileNotFoundError: The file does not exist.
    """
    return write_complete(target, lambda part: _copy_bytes(source, part))


def _copy_bytes(source: Path, part: Path) -> str:
    digest = hashlib.sha256()
    with source.open("rb") as reader, part.open("wb") as writer:
        while chunk := reader.read(CHUNK_BYTES):
            digest.update(chunk)
            writer.write(chunk)
    shutil.copystat(source, part)
    return digest.hexdigest()


class SourceFile(NamedTuple):
    """A file to back up: size, time of its last change, and a function that copies it and returns its SHA-256."""

    bytes: int
    mtime_ns: int
    copy: Callable[[Path], str]


def save_file(
    path: str, source: SourceFile, *, target: Path, previous_entry: Entry | None, previous_folder: Path
) -> Entry | None:
    """Add one file to a backup: keep an earlier try's copy, link the previous backup's copy, or copy it.

    Args:
        path: The file's path in the backup.
        source: The file.
        target: The folder of the copies.
        previous_entry: Its entry in this backup's earlier try or in the previous backup.
        previous_folder: The folder of the previous backup's copies.

    Returns:
        Its entry, or None if the file no longer exists.
    """
    copy_path, previous_copy = target / path, previous_folder / path
    if previous_entry is not None and (previous_entry.bytes, previous_entry.mtime_ns) == (
        source.bytes,
        source.mtime_ns,
    ):
        if _has_size(copy_path, previous_entry.bytes):
            return previous_entry
        if _has_size(previous_copy, previous_entry.bytes):
            copy_path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(OSError):  # The file system has no hard links; the code below copies.
                os.link(previous_copy, copy_path)
                return previous_entry
    copy_path.unlink(missing_ok=True)  # Never overwrite it, because it may be a hard link of another backup's file.
    try:
        digest = source.copy(copy_path)
    except FileNotFoundError:
        return None
    return Entry(path, copy_path.stat().st_size, digest, source.mtime_ns)


def _has_size(path: Path, size: int) -> bool:
    try:
        return path.stat().st_size == size
    except OSError:
        return False
