"""``manage.py check_backup DIR/NAME``: read every byte of a backup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.backup.errors import BackupError
from config.backup.restoring import check_backup


class Command(BaseCommand):
    """Needs no database."""

    help = "Compare every file of a backup with the checksums written down when it was made."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("backup", metavar="DIR/NAME", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            summary = check_backup(options["backup"])
        except BackupError as refusal:
            raise CommandError(str(refusal)) from refusal
        rows = sum(table["rows"] for table in summary["tables"].values())
        self.stdout.write(f"whole: {summary['files']} files, {len(summary['tables'])} tables, {rows} rows")
        if summary["missing"]:
            self.stdout.write(f"{len(summary['missing'])} files were gone already when it was made:")
            self.stdout.write("\n".join(summary["missing"]))
