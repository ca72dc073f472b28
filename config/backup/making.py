"""Makes backups."""

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
from config.backup import copies, database, destroyed
from config.backup.errors import BackupError
from curation.core.stores import Folder, Store, store
from curation.images.models import Rendition
from curation.images.services import destroyed_keys
from curation.lib import files

FORMAT = 1  # version of a backup's layout; restore rejects others
PARTIAL = ".partial"
SPARE_BYTES = 100_000_000  # left free for other programs on the disk


def complete_ones(folder: Path) -> list[Path]:
    """Return the finished backups of a folder, oldest first."""
    return sorted(p for p in folder.iterdir() if p.is_dir() and p.suffix != PARTIAL and (p / "backup.json").exists())


@contextlib.contextmanager
def _exclusive(folder: Path) -> Iterator[None]:
    with (folder / ".lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as busy:
            raise BackupError(f"Another backup into {folder} is under way.") from busy
        yield


def make_backup(folder: Path, *, keep: int = 0, say: Callable[[str], None] = lambda _: None) -> Path:
    """Make a backup in ``folder``, continuing an interrupted one; return its path.

    The dump comes first, then the files. A file is stored before a row names it, so every file that the dump names
    exists, unless it was withdrawn in between. Such files are listed as missing.

    Args:
        folder: The folder of all backups.
        keep: How many finished backups to keep; 0 keeps all.
        say: Receives sentences about the progress.

    Raises:
        BackupError: Another backup is running, the disk is full, or a program failed.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _exclusive(folder):
        if removed := destroyed.clean_backups(folder):
            say(f"removed {removed} destroyed files from earlier backups")
        started = datetime.now(UTC)
        earlier = complete_ones(folder)
        before = earlier[-1] if earlier else None
        partials = sorted(folder.glob(f"*{PARTIAL}"))
        partial = partials[-1] if partials else folder / f"{started:%Y%m%dT%H%M%SZ}{PARTIAL}"
        if partials:
            say(f"going on with {partial.name}")
        partial.mkdir(mode=0o700, exist_ok=True)
        summary = _dump(partial) | {"format": FORMAT, "build": settings.BUILD, "started_at": started.isoformat()}
        say(f"database: {len(summary['tables'])} tables, {sum(t['rows'] for t in summary['tables'].values())} rows")
        expected_files = summary.pop("named")
        entries = _copy_files(partial, before)
        say(f"files: {len(entries)}, {sum(e.bytes for e in entries.values())} bytes")
        summary |= {
            "files": len(entries),
            "bytes": sum(entry.bytes for entry in entries.values()),
            "missing": sorted(expected_files - entries.keys()),
            "manifest_sha256": copies.sha256_of(partial / "manifest.jsonl"),
            "dump_sha256": copies.sha256_of(partial / "database.dump"),
            "finished_at": datetime.now(UTC).isoformat(),
        }
        finished = _finish(partial, summary)
        destroyed.clean_backups(folder)  # what was destroyed while files were copied
        for old in complete_ones(folder)[:-keep] if keep else []:
            shutil.rmtree(old)
            say(f"removed {old.name}")
        return finished


def _dump(partial: Path) -> dict[str, Any]:
    """Dump the database; return a summary of it from the same snapshot."""
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
            "named": {*Rendition.objects.values_list("key", flat=True), *(f"releases/{r}/{n}" for r, n in releases)}
            - set(destroyed_keys()),
        }


def _copy_files(partial: Path, before: Path | None) -> dict[str, copies.Entry]:
    target = partial / "media"
    target.mkdir(exist_ok=True)
    previous_folder = before / "media" if before else target
    previous_entries = copies.read_manifest(before / "manifest.jsonl") if before else {}
    previous_entries |= copies.read_manifest(partial / "manifest.part")
    sources = _source_files()
    new = sum(
        file.bytes
        for path, file in sources.items()
        if path not in previous_entries
        or (previous_entries[path].bytes, previous_entries[path].mtime_ns) != (file.bytes, file.mtime_ns)
    )
    disk = os.statvfs(partial)
    if disk.f_bavail * disk.f_frsize < new + SPARE_BYTES:
        raise BackupError(f"The disk of {partial.parent} has no room for {new:,} bytes of files.")
    entries = {}
    with (partial / "manifest.part").open("a", encoding="utf-8", errors="surrogateescape") as progress:
        for path, file in sorted(sources.items()):
            entry = copies.save_file(
                path, file, target=target, previous_entry=previous_entries.get(path), previous_folder=previous_folder
            )
            if entry is not None:
                entries[path] = entry
                progress.write(entry.line())
                progress.flush()
    for path in [path for path, _ in files.files_below(target)]:
        if path not in entries:
            (target / path).unlink()  # copied by an earlier try, whole or in part, and deleted since
    with (partial / "manifest.jsonl").open("w", encoding="utf-8", errors="surrogateescape") as manifest:
        manifest.writelines(entry.line() for entry in entries.values())
    return entries


def _source_files() -> dict[str, copies.SourceFile]:
    """Return every file: unfinished ones below ``MEDIA_ROOT``, and finished ones there or in the bucket."""
    source = Path(settings.MEDIA_ROOT)
    sources = {
        path: copies.SourceFile(stat.st_size, stat.st_mtime_ns, functools.partial(copies.copy, source / path))
        for path, stat in copies.files_below(source)
    }
    source_store = store()
    if not isinstance(source_store, Folder):
        # A file in both was moved from the folder to the bucket, which serves it.
        sources |= {
            file.key: copies.SourceFile(
                file.bytes, file.mtime_ns, functools.partial(_fetch_from_store, source_store, file.key)
            )
            for file in source_store.list_files()
        }
    return sources


def _fetch_from_store(source_store: Store, key: str, place: Path) -> str:
    return copies.write_complete(place, functools.partial(source_store.fetch, key))


def _finish(partial: Path, summary: dict[str, Any]) -> Path:
    """Flush everything to disk, then mark the backup as complete: write the last file, rename the folder."""
    (partial / "manifest.part").unlink(missing_ok=True)
    os.sync()
    fresh = partial / "backup.json.new"
    with fresh.open("w") as file:
        json.dump(summary, file, indent=1)
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
