"""``manage.py restore DIR/NAME``: bring a backup back into an empty installation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.backup.errors import BackupError
from config.backup.restoring import restore_backup
from curation.core.errors import StorageUnavailable
from curation.core.privileges import connect_as_owner


class Command(BaseCommand):
    """Uses ``DATABASE_OWNER_URL`` where it is set, otherwise ``DATABASE_URL``. Run ``setup_database`` afterwards."""

    help = "Bring a backup back into an empty database, an empty MEDIA_ROOT and, where one is named, an empty bucket."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("backup", metavar="DIR/NAME", type=Path)
        parser.add_argument(
            "--keep-access",
            action="store_true",
            help="keep sessions, API tokens and links; only for a backup that was made just before, to move the site",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        connect_as_owner()
        try:
            restore_backup(options["backup"], keep_access=options["keep_access"], say=self.stdout.write)
        except (BackupError, StorageUnavailable) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write("restored; now run `manage.py setup_database`")
