"""Checks a backup and brings it back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from config.backup import copies, database
from config.backup.errors import BackupError
from config.backup.making import FORMAT, PARTIAL
from curation.core.errors import StoredFileDiffers
from curation.core.privileges import grant_application_role
from curation.core.stores import Folder, is_finished_file, store

MARK = "backup.restoring"


def read_backup(backup: Path) -> dict[str, Any]:
    """What a backup says of itself, once its list and its dump are known to be whole.

    Raises:
        BackupError: It is half, damaged, or of a form this version does not know.
    """
    if backup.suffix == PARTIAL or (backup / "manifest.part").exists():
        raise BackupError(f"{backup} is half a backup: run the backup again to finish it, or take another one.")
    try:
        told: dict[str, Any] = json.loads((backup / "backup.json").read_text())
    except (FileNotFoundError, NotADirectoryError) as missing:
        raise BackupError(f"{backup} is no backup, or half of one: backup.json is not there.") from missing
    except ValueError as damaged:
        raise BackupError(f"{backup} is damaged: backup.json cannot be read.") from damaged
    if told.get("format") != FORMAT:
        raise BackupError(f"{backup} is of a form that this version does not know.")
    for name, wanted in (("manifest.jsonl", told["manifest_sha256"]), ("database.dump", told["dump_sha256"])):
        if not (backup / name).exists() or copies.sha256_of(backup / name) != wanted:
            raise BackupError(f"{backup} is damaged: {name} is not what was written.")
    return told


def check_backup(backup: Path) -> dict[str, Any]:
    """Read every byte of a backup; return what it says of itself.

    Raises:
        BackupError: Something is missing, changed, or too much.
    """
    told = read_backup(backup)
    entries = copies.read_manifest(backup / "manifest.jsonl")
    lying = dict(copies.files_below(backup / "media"))
    wrong = sorted(entries.keys() ^ lying.keys())
    wrong += [
        path
        for path, entry in entries.items()
        if path in lying
        and (lying[path].st_size != entry.bytes or copies.sha256_of(backup / "media" / path) != entry.sha256)
    ]
    if wrong:
        raise BackupError(
            f"{backup} is damaged: {len(wrong)} files are missing, changed or too many, {wrong[0]} first."
        )
    return told


def restore_backup(backup: Path, *, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Bring a backup back into an empty database and an empty store; return what it says of itself.

    Interrupted, the same command goes on: files that have arrived are looked at and kept, and the database comes in one
    transaction.

    Raises:
        BackupError: The backup is not whole, there is something in the way, or what arrived differs.
    """
    told = check_backup(backup)
    say("the backup is whole")
    if unknown := sorted(set(told["migrations"]) - database.known_migrations()):
        raise BackupError(f"{backup} was made by a newer version (it has {unknown[0]}): install that one first.")
    root = Path(settings.MEDIA_ROOT)
    # Ended after the rows had come, before that was written down.
    rows_came = _mark_of(root) == backup.name and not database.is_empty()
    if not rows_came and not database.is_empty():
        raise BackupError("The database is not empty: a restore never writes over anything. Make a new one for it.")
    _claim(root, backup)
    _bring_files(root, backup)
    say(f"files: {told['files']} are in place")
    if not rows_came:
        connection.close()
        database.restore(backup / "database.dump")
    _compare(told)
    with connection.cursor() as cursor:
        grant_application_role(cursor, settings.APPLICATION_ROLE)
    say(f"database: {len(told['tables'])} tables are equal to those that were saved")
    (root / MARK).unlink()
    return told


def _mark_of(root: Path) -> str:
    """Which backup is half restored here; empty when none is."""
    try:
        return (root / MARK).read_text()
    except OSError:
        return ""


def _claim(root: Path, backup: Path) -> None:
    root.mkdir(parents=True, exist_ok=True)
    begun = _mark_of(root)
    if begun and begun != backup.name:
        raise BackupError(f"{root} holds half a restore of {begun}: finish that one, or empty the folder.")
    if not begun:
        if any(root.iterdir()):
            raise BackupError(f"{root} is not empty: a restore never writes over anything. Name another folder.")
        if next(store().list_files(), None) is not None:
            raise BackupError("The bucket is not empty: a restore never writes over anything. Name another prefix.")
        (root / MARK).write_text(backup.name)


def _bring_files(root: Path, backup: Path) -> None:
    kept = store()
    for path, entry in copies.read_manifest(backup / "manifest.jsonl").items():
        if not isinstance(kept, Folder) and is_finished_file(path):
            try:
                kept.put(path, backup / "media" / path, entry.sha256)
            except StoredFileDiffers as differs:
                raise BackupError(f"{path} in the bucket, or in the backup, is not what was saved.") from differs
            continue
        place = root / path
        if place.exists() and copies.sha256_of(place) == entry.sha256:
            continue  # It came with an earlier try.
        if copies.copy(backup / "media" / path, place) != entry.sha256:
            raise BackupError(f"{path} changed while it was read.")


def _compare(told: dict[str, Any]) -> None:
    with transaction.atomic():
        arrived = database.table_sums()
    differing = sorted(n for n in {*arrived, *told["tables"]} if arrived.get(n) != told["tables"].get(n))
    if differing:
        raise BackupError(f"What arrived differs from what was saved in {', '.join(differing)}.")
