"""Files that must exist nowhere any more, because something in a picture was covered: also not in backups.

``destroyed.jsonl`` is beside the backups' folders: one line for each file, ``{"key": …}``. A backup writes it and
removes these files from every backup beside it; a restore neither restores them nor leaves them. Other copies of
backups, such as those on another site, are cleaned with the same list.

A backup that was made while an upload waited has its files, too. They are listed once the picture was covered.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from django.db import connection

from config.backup import copies
from curation.images.services import destroy_file, destroyed_keys, destroyed_uploads
from curation.lib import files

LIST: Final = "destroyed.jsonl"

# Pictures of a backup from before they were covered: the list says which of their files were destroyed since.
_RECORD: Final = """
    insert into curation_destruction (key, image_id, rendition_id, reason)
    select f.key, f.image_id, f.id, 'covered' from curation_rendition f where f.key = any(%s)
    on conflict (key) do nothing
"""


def read_list(folder: Path) -> set[str]:
    """Return the keys in a folder's list; empty without one."""
    keys = set()
    with contextlib.suppress(FileNotFoundError), (folder / LIST).open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                keys.add(str(json.loads(line)["key"]))
    return keys


def clean_backups(folder: Path) -> int:
    """Write the list, and remove its files from every backup of a folder, also unfinished ones; return how many.

    The list only grows: a database that was restored from an older backup knows fewer destroyed files.
    """
    known = read_list(folder)
    backups = [backup for backup in folder.iterdir() if (backup / "media").is_dir()]
    keys = known | set(destroyed_keys())
    keys |= destroyed_uploads(_staged_files(backups), keys)
    if keys != known:
        lines = "".join(json.dumps({"key": key}) + "\n" for key in sorted(keys))
        files.write_whole(folder / LIST, lines)
    removed = 0
    for backup in backups:
        for key in keys:
            for name in (key, f"{key}.part"):  # or what a backup that was cut off had of it
                with contextlib.suppress(FileNotFoundError):
                    (backup / "media" / name).unlink()
                    removed += 1
    return removed


def _staged_files(backups: Iterable[Path]) -> dict[str, str]:
    """Return the SHA-256 of every file of an upload in the backups, by its path."""
    return {
        path: entry.sha256
        for backup in backups
        for manifest in ("manifest.jsonl", "manifest.part")
        for path, entry in copies.read_manifest(backup / manifest).items()
        if path.startswith(f"{files.INCOMING}/")
    }


def apply_after_restore(keys: Iterable[str]) -> int:
    """Destroy files again after a restore, and record it, so that vectors and release files follow; return how many."""
    listed = sorted(keys)
    for key in listed:
        destroy_file(key)
    with connection.cursor() as cursor:
        cursor.execute(_RECORD, [listed])
        return int(cursor.rowcount)
