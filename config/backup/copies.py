"""The files' part: copied with their SHA-256, listed line by line, checked. No Django, no database."""

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

PIECE = 1 << 20


@dataclass(frozen=True)
class Entry:
    """One file of a backup.

    Attributes:
        path: below the folder of files, with forward slashes.
        bytes: its size.
        sha256: of its content.
        mtime_ns: when the original was last changed, in nanoseconds since 1970.
    """

    path: str
    bytes: int
    sha256: str
    mtime_ns: int

    def line(self) -> str:
        """As it stands in the manifest."""
        return json.dumps(asdict(self), ensure_ascii=False) + "\n"


def read_manifest(path: Path) -> dict[str, Entry]:
    """The entries by path; a last line that was cut off in the middle is left out."""
    found = {}
    with contextlib.suppress(FileNotFoundError), path.open(encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            if line.endswith("\n"):
                entry = Entry(**json.loads(line))
                found[entry.path] = entry
    return found


def sha256_of(path: Path) -> str:
    """Of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def files_below(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Every plain file with its size and time, without what is half-written; links are never followed."""
    return ((path, stat) for path, stat in files.files_below(root) if not path.endswith((".part", ".restoring")))


def arrive(target: Path, bring: Callable[[Path], str]) -> str:
    """Have a file brought; its name appears only when all of it is there. Returns what ``bring`` does: its SHA-256."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    try:
        digest = bring(part)
    except FileNotFoundError:
        part.unlink(missing_ok=True)
        raise
    part.replace(target)
    return digest


def copy(source: Path, target: Path) -> str:
    """Copy a file with its times. Returns the SHA-256 of what was written.

    Raises:
        FileNotFoundError: There is no such file.
    """
    return arrive(target, lambda part: _copied(source, part))


def _copied(source: Path, part: Path) -> str:
    digest = hashlib.sha256()
    with source.open("rb") as read, part.open("wb") as write:
        while piece := read.read(PIECE):
            digest.update(piece)
            write.write(piece)
    shutil.copystat(source, part)
    return digest.hexdigest()


class Found(NamedTuple):
    """A file to be saved: its size, when it was last changed or came, and what copies it and tells its SHA-256."""

    bytes: int
    mtime_ns: int
    copy: Callable[[Path], str]


def take(path: str, found: Found, *, target: Path, known: Entry | None, before: Path) -> Entry | None:
    """Bring one file into a backup: kept from an earlier try, a second name of the backup before, or copied.

    Args:
        path: the file's place in the backup.
        found: the file.
        target: folder of their copies.
        known: what this backup's earlier try or the backup before says of the path.
        before: folder of the copies in the backup before.

    Returns:
        Its entry, or None when the file is gone.
    """
    place, earlier = target / path, before / path
    if known is not None and (known.bytes, known.mtime_ns) == (found.bytes, found.mtime_ns):
        if _has(place, known.bytes):
            return known
        if _has(earlier, known.bytes):
            place.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(OSError):  # A file system without second names: copied below.
                os.link(earlier, place)
                return known
    place.unlink(missing_ok=True)  # Never written into: it may be another backup's file as well.
    try:
        digest = found.copy(place)
    except FileNotFoundError:
        return None
    return Entry(path, place.stat().st_size, digest, found.mtime_ns)


def _has(place: Path, size: int) -> bool:
    try:
        return place.stat().st_size == size
    except OSError:
        return False
