"""Makes a backup."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import json
import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from annotation.releases.models import ReleaseFile
from config.backup import copies, database
from config.backup.errors import BackupError
from curation.core.stores import Folder, Store, store
from curation.images.models import Rendition

FORMAT = 1
PARTIAL = ".partial"
SPARE_BYTES = 100_000_000


def complete_ones(folder: Path) -> list[Path]:
    """The finished backups of a folder, oldest first."""
    return sorted(p for p in folder.iterdir() if p.is_dir() and p.suffix != PARTIAL and (p / "backup.json").exists())


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with (folder / ".lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as taken:
            raise BackupError(f"Another backup into {folder} is under way.") from taken
        yield


def make_backup(folder: Path, *, keep: int = 0, say: Callable[[str], None] = lambda _: None) -> Path:
    """Make a backup in ``folder``, going on with one that was interrupted; return where it is.

    First the dump, then the files: a file is in its place before a row names it, so every file that the dump's rows
    name is found, unless it was withdrawn in between. Those are listed as missing.

    Args:
        folder: holds all backups.
        keep: how many finished ones stay; 0 keeps all.
        say: takes one sentence of progress.

    Raises:
        BackupError: Another one is under way, there is no room, or a program failed.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _alone(folder):
        started = datetime.now(UTC)
        earlier = complete_ones(folder)
        before = earlier[-1] if earlier else None
        half = sorted(folder.glob(f"*{PARTIAL}"))
        partial = half[-1] if half else folder / f"{started:%Y%m%dT%H%M%SZ}{PARTIAL}"
        if half:
            say(f"going on with {partial.name}")
        partial.mkdir(mode=0o700, exist_ok=True)
        told = _dump(partial) | {"format": FORMAT, "build": settings.BUILD, "started_at": started.isoformat()}
        say(f"database: {len(told['tables'])} tables, {sum(t['rows'] for t in told['tables'].values())} rows")
        named = told.pop("named")
        entries = _copy_files(partial, before)
        say(f"files: {len(entries)}, {sum(e.bytes for e in entries.values())} bytes")
        told |= {
            "files": len(entries),
            "bytes": sum(entry.bytes for entry in entries.values()),
            "missing": sorted(named - entries.keys()),
            "manifest_sha256": copies.sha256_of(partial / "manifest.jsonl"),
            "dump_sha256": copies.sha256_of(partial / "database.dump"),
            "finished_at": datetime.now(UTC).isoformat(),
        }
        finished = _finish(partial, told)
        for old in complete_ones(folder)[:-keep] if keep else []:
            shutil.rmtree(old)
            say(f"removed {old.name}")
        return finished


def _dump(partial: Path) -> dict[str, Any]:
    """Dump the database; what it held at that moment, from the same snapshot."""
    if connection.in_atomic_block:
        raise BackupError("A backup is made outside of any transaction.")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("set transaction isolation level repeatable read, read only")
        cursor.execute("select pg_export_snapshot()")
        [(snapshot,)] = cursor.fetchall()
        (partial / "database.dump").unlink(missing_ok=True)
        database.dump(partial / "database.dump", snapshot)
        releases = ReleaseFile.objects.values_list("release_id", "name")
        return {
            "postgresql": database.server_major(),
            "migrations": database.applied_migrations(),
            "tables": database.table_sums(),
            "named": {*Rendition.objects.values_list("key", flat=True), *(f"releases/{r}/{n}" for r, n in releases)},
        }


def _copy_files(partial: Path, before: Path | None) -> dict[str, copies.Entry]:
    target = partial / "media"
    target.mkdir(exist_ok=True)
    lying = before / "media" if before else target
    known = copies.read_manifest(before / "manifest.jsonl") if before else {}
    known |= copies.read_manifest(partial / "manifest.part")
    found = _found()
    new = sum(
        file.bytes
        for path, file in found.items()
        if path not in known or (known[path].bytes, known[path].mtime_ns) != (file.bytes, file.mtime_ns)
    )
    room = os.statvfs(partial)
    if room.f_bavail * room.f_frsize < new + SPARE_BYTES:
        raise BackupError(f"The disk of {partial.parent} has no room for {new:,} bytes of files.")
    entries = {}
    with (partial / "manifest.part").open("a", encoding="utf-8", errors="surrogateescape") as noted:
        for path, file in sorted(found.items()):
            taken = copies.take(path, file, target=target, known=known.get(path), before=lying)
            if taken is not None:
                entries[path] = taken
                noted.write(taken.line())
                noted.flush()
    for path, _ in list(copies.files_below(target)):
        if path not in entries:
            (target / path).unlink()  # Of an earlier try; gone since.
    with (partial / "manifest.jsonl").open("w", encoding="utf-8", errors="surrogateescape") as manifest:
        manifest.writelines(entry.line() for entry in entries.values())
    return entries


def _found() -> dict[str, copies.Found]:
    """Every file there is: what is in flux below ``MEDIA_ROOT``, and what is finished there or in the bucket."""
    source = Path(settings.MEDIA_ROOT)
    found = {
        path: copies.Found(stat.st_size, stat.st_mtime_ns, functools.partial(copies.copy, source / path))
        for path, stat in copies.files_below(source)
    }
    kept = store()
    if not isinstance(kept, Folder):
        # What lies in the folder too was moved from there; the bucket's is what is served.
        found |= {
            file.key: copies.Found(file.bytes, file.mtime_ns, functools.partial(_copied, kept, file.key))
            for file in kept.list_files()
        }
    return found


def _copied(kept: Store, key: str, place: Path) -> str:
    return copies.arrive(place, functools.partial(kept.fetch, key))


def _finish(partial: Path, told: dict[str, Any]) -> Path:
    """Flush everything to the disk, then say that it is complete, by the last file and by the name."""
    (partial / "manifest.part").unlink(missing_ok=True)
    os.sync()
    fresh = partial / "backup.json.new"
    with fresh.open("w") as file:
        json.dump(told, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(partial / "backup.json")
    finished = partial.with_suffix("")
    partial.rename(finished)
    for place in (finished, finished.parent):
        descriptor = os.open(place, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    return finished
