"""Checks and restores backups."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from config.backup import copies, database, destroyed
from config.backup.errors import BackupError
from config.backup.making import FORMAT, PARTIAL
from curation.core.errors import StoredFileDiffers
from curation.core.privileges import grant_application_role
from curation.core.stores import Folder, is_finished_file, store
from curation.lib import files

MARK = "backup.restoring"
# Follows the backup's name in the mark once the restored tables were compared.
COMPARED = "\ncompared"


def read_backup(backup: Path) -> dict[str, Any]:
    """Read a backup's summary, after checking its manifest and its dump.

    Raises:
        BackupError: It is incomplete, damaged, or in an unknown format.
    """
    if backup.suffix == PARTIAL or (backup / "manifest.part").exists():
        raise BackupError(f"{backup} is half a backup: run the backup again to finish it, or take another one.")
    try:
        summary: dict[str, Any] = json.loads((backup / "backup.json").read_text())
    except (FileNotFoundError, NotADirectoryError) as missing:
        raise BackupError(f"{backup} is no backup, or half of one: backup.json is not there.") from missing
    except ValueError as damaged:
        raise BackupError(f"{backup} is damaged: backup.json cannot be read.") from damaged
    if summary.get("format") != FORMAT:
        raise BackupError(f"{backup} is of a form that this version does not know.")
    for name, expected in (("manifest.jsonl", summary["manifest_sha256"]), ("database.dump", summary["dump_sha256"])):
        if not (backup / name).exists() or copies.sha256_of(backup / name) != expected:
            raise BackupError(f"{backup} is damaged: {name} is not what was written.")
    return summary


def check_backup(backup: Path) -> dict[str, Any]:
    """Read every byte of a backup; return its summary.

    Raises:
        BackupError: A file is missing, changed, or unexpected.
    """
    summary = read_backup(backup)
    entries = copies.read_manifest(backup / "manifest.jsonl")
    stored = dict(copies.files_below(backup / "media"))
    wrong = sorted((entries.keys() ^ stored.keys()) - destroyed.read_list(backup.parent))
    wrong += [
        path
        for path, entry in entries.items()
        if path in stored
        and (stored[path].st_size != entry.bytes or copies.sha256_of(backup / "media" / path) != entry.sha256)
    ]
    if wrong:
        raise BackupError(
            f"{backup} is damaged: {len(wrong)} files are missing, changed or too many, {wrong[0]} first."
        )
    return summary


def restore_backup(
    backup: Path, *, keep_access: bool = False, say: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Restore a backup into an empty database and an empty store; return its summary.

    Sessions, API tokens and links of the backup end, because they may have been ended since it was made.

    After an interruption the same command continues: restored files are checked and kept, and the database is restored
    in one transaction.

    Args:
        backup: Its folder.
        keep_access: Leave sessions, tokens and links as they are, for an installation that moves.
        say: Called with each step that is done.

    Raises:
        BackupError: The backup is damaged, the target is not empty, or the restored data differ.
    """
    summary = check_backup(backup)
    say("the backup is whole")
    if unknown := sorted(set(summary["migrations"]) - database.known_migrations()):
        raise BackupError(f"{backup} was made by a newer version (it has {unknown[0]}): install that one first.")
    root = Path(settings.MEDIA_ROOT)
    # The previous try may have ended after the database was restored but before the mark was removed.
    unfinished = _unfinished_restore(root)
    has_rows = unfinished in (backup.name, backup.name + COMPARED) and not database.is_empty()
    if not has_rows and not database.is_empty():
        raise BackupError("The database is not empty: a restore never writes over anything. Make a new one for it.")
    _claim_folder(root, backup)
    destroyed_since = destroyed.read_list(backup.parent)
    _restore_files(root, backup, without=destroyed_since)
    say(f"files: {summary['files']} are in place")
    if not has_rows:
        connection.close()
        database.restore(backup / "database.dump")
    if unfinished != backup.name + COMPARED:
        _compare_tables(summary)
        files.write_whole(root / MARK, backup.name + COMPARED)  # the tables may differ from now on
    say(f"database: {len(summary['tables'])} tables are equal to those that were saved")
    if not keep_access:
        database.end_access()
        say("sessions, API tokens and links of the backup are ended")
    if destroyed_since:
        recorded = destroyed.apply_after_restore(destroyed_since)
        say(f"{len(destroyed_since)} destroyed files stay destroyed; {recorded} were destroyed after this backup")
    with connection.cursor() as cursor:
        grant_application_role(cursor, settings.APPLICATION_ROLE)
    (root / MARK).unlink()
    return summary


def _unfinished_restore(root: Path) -> str:
    """Return the mark of an unfinished restore, its backup's name first; empty if there is none."""
    try:
        return (root / MARK).read_text()
    except OSError:
        return ""


def _claim_folder(root: Path, backup: Path) -> None:
    root.mkdir(parents=True, exist_ok=True)
    unfinished = _unfinished_restore(root)
    if unfinished and unfinished.removesuffix(COMPARED) != backup.name:
        name = unfinished.removesuffix(COMPARED)
        raise BackupError(f"{root} holds half a restore of {name}: finish that one, or empty the folder.")
    if not unfinished:
        files.unfinished(root / MARK).unlink(missing_ok=True)
        if any(root.iterdir()):
            raise BackupError(f"{root} is not empty: a restore never writes over anything. Name another folder.")
        if next(store().list_files(), None) is not None:
            raise BackupError("The bucket is not empty: a restore never writes over anything. Name another prefix.")
        files.write_whole(root / MARK, backup.name)


def _restore_files(root: Path, backup: Path, *, without: Collection[str]) -> None:
    target_store = store()
    for path, entry in copies.read_manifest(backup / "manifest.jsonl").items():
        if path in without:
            continue
        if not isinstance(target_store, Folder) and is_finished_file(path):
            try:
                target_store.put(path, backup / "media" / path, entry.sha256)
            except StoredFileDiffers as differs:
                raise BackupError(f"{path} in the bucket, or in the backup, is not what was saved.") from differs
            continue
        place = root / path
        if place.exists() and copies.sha256_of(place) == entry.sha256:
            continue  # restored by an earlier try
        if copies.copy(backup / "media" / path, place) != entry.sha256:
            raise BackupError(f"{path} changed while it was read.")


def _compare_tables(summary: dict[str, Any]) -> None:
    with transaction.atomic():
        arrived = database.table_sums()
    differing = sorted(n for n in {*arrived, *summary["tables"]} if arrived.get(n) != summary["tables"].get(n))
    if differing:
        raise BackupError(f"What arrived differs from what was saved in {', '.join(differing)}.")
