"""``manage.py backup DIR``: save the database and every file, verifiably."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.backup.errors import BackupError
from config.backup.making import make_backup
from curation.core.errors import StorageUnavailable
from curation.core.privileges import connect_as_owner


class Command(BaseCommand):
    """Uses ``DATABASE_OWNER_URL`` where it is set, otherwise ``DATABASE_URL``. The site may stay in use."""

    help = "Save the database and every file into a new folder below DIR; an interrupted one is gone on with."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", metavar="DIR", type=Path)
        parser.add_argument("--keep", type=int, default=0, help="remove all but so many finished backups (0: none)")

    def handle(self, *args: Any, **options: Any) -> None:
        connect_as_owner()
        try:
            backup = make_backup(options["folder"], keep=options["keep"], say=self.stdout.write)
        except (BackupError, StorageUnavailable) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"saved in {backup}")
