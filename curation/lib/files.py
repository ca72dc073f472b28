"""Atomic file writes: to a temporary file, flushed to disk, then renamed, so that a file is complete or absent.

No Django here; callers pass the folders. Temporary files are in ``incoming``; a sweep removes old ones that killed
processes left.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

INCOMING = "incoming"
# Files get the permissions of the process's umask, because a web server in front may have to read them; ``mkstemp``
# alone makes them private. Reading the umask requires setting it, so this happens once, before there are threads.
_UMASK = os.umask(0o077)
os.umask(_UMASK)


def stage(root: Path, data: bytes) -> Path:
    """Write ``data`` to a temporary file under ``root`` and flush it to disk; return its path."""
    folder = root / INCOMING
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=folder)
    with os.fdopen(descriptor, "wb") as file:
        os.fchmod(file.fileno(), 0o666 & ~_UMASK)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return Path(name)


def stage_blocks(root: Path, blocks: Iterable[bytes], check_size: Callable[[int], None]) -> tuple[Path, int, str]:
    """Stage a file from blocks, for content that may not fit into memory; see :func:`stage`.

    Args:
        root: The folder of the store.
        blocks: The file's bytes.
        check_size: Called with the size so far before each write; an exception from it ends the writing.

    Returns:
        The file's path, its size and its SHA-256.
    """
    folder = root / INCOMING
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=folder)
    digest, size = hashlib.sha256(), 0
    try:
        with os.fdopen(descriptor, "wb") as file:
            for block in blocks:
                size += len(block)
                check_size(size)
                digest.update(block)
                file.write(block)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name), size, digest.hexdigest()


def publish(staged: Path, final: Path) -> None:
    """Rename a staged file to its path and flush the folder, so that a crash cannot lose the name."""
    final.parent.mkdir(parents=True, exist_ok=True)
    staged.replace(final)
    flush_folder(final.parent)


def write_whole(path: Path, text: str) -> None:
    """Write a small file that is complete or unchanged, whenever the process or the machine stops."""
    partial = unfinished(path)
    with partial.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
    flush_folder(path.parent)


def unfinished(path: Path) -> Path:
    """Where :func:`write_whole` writes before it renames; left there by a crash, and overwritten by the next call."""
    return path.with_name(f"{path.name}.new")


def flush_folder(folder: Path) -> None:
    """Flush a folder's names to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def files_below(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield every regular file below a folder by its relative path with forward slashes; never follow links."""
    folders = [root]
    while folders:
        try:
            entries = sorted(os.scandir(folders.pop()), key=lambda e: e.name)
        except FileNotFoundError:
            continue  # Another process has removed it.
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):
                if entry.is_dir(follow_symlinks=False):
                    folders.append(Path(entry.path))
                elif entry.is_file(follow_symlinks=False):
                    yield Path(entry.path).relative_to(root).as_posix(), entry.stat(follow_symlinks=False)


def older_than(folder: Path, moment: float) -> Iterator[Path]:
    """Yield the files anywhere below ``folder`` that last changed before ``moment`` (seconds since 1970)."""
    for path in folder.rglob("*"):
        try:
            if path.is_file() and path.stat().st_mtime < moment:
                yield path
        except FileNotFoundError:
            continue  # another process has published or removed it
