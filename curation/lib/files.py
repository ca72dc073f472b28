"""Files that either are there whole or not at all: written beside their place, flushed to the disk, then renamed.

No Django here; folders come from the caller. A temporary file that a killed process leaves behind lies in ``incoming``
and is swept by age.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

INCOMING = "incoming"
# A file is as open to others as the process's umask says (a web server in front may have to read it); ``mkstemp`` alone
# would close it to everybody. The mask can only be read by setting it, so it is read once, before there are threads.
_MASK = os.umask(0o077)
os.umask(_MASK)


def stage(root: Path, data: bytes) -> Path:
    """Write ``data`` to a temporary file under ``root`` and flush it to the disk; return where it is."""
    folder = root / INCOMING
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=folder)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(file.fileno(), 0o666 & ~_MASK)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return Path(name)


def stage_blocks(root: Path, blocks: Iterable[bytes], look: Callable[[int], None]) -> tuple[Path, int, str]:
    """As :func:`stage`, for what comes block by block and need not fit into memory.

    Args:
        root: The store.
        blocks: The file's bytes.
        look: Called with the size so far before each block is written; what it raises ends the writing.

    Returns:
        Where the file is, its size and its SHA-256.
    """
    folder = root / INCOMING
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=folder)
    digest, size = hashlib.sha256(), 0
    try:
        with os.fdopen(descriptor, "wb") as file:
            for block in blocks:
                size += len(block)
                look(size)
                digest.update(block)
                file.write(block)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name), size, digest.hexdigest()


def publish(staged: Path, final: Path) -> None:
    """Move a staged file to its place in one step; the folder is flushed too, so that a crash cannot lose the name."""
    final.parent.mkdir(parents=True, exist_ok=True)
    staged.replace(final)
    flush_folder(final.parent)


def flush_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def files_below(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Every plain file below a folder, by its path from there with forward slashes; links are never followed."""
    folders = [root]
    while folders:
        try:
            inside = sorted(os.scandir(folders.pop()), key=lambda e: e.name)
        except FileNotFoundError:
            continue  # Removed meanwhile.
        for found in inside:
            with contextlib.suppress(FileNotFoundError):
                if found.is_dir(follow_symlinks=False):
                    folders.append(Path(found.path))
                elif found.is_file(follow_symlinks=False):
                    yield Path(found.path).relative_to(root).as_posix(), found.stat(follow_symlinks=False)


def older_than(folder: Path, moment: float) -> Iterator[Path]:
    """Files anywhere below ``folder`` last changed before ``moment`` (seconds since 1970)."""
    for path in folder.rglob("*"):
        try:
            if path.is_file() and path.stat().st_mtime < moment:
                yield path
        except FileNotFoundError:
            continue  # somebody published or removed it meanwhile
