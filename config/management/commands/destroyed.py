"""``manage.py destroyed [BACKUPS]``: lists the files that must exist nowhere any more."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from config.backup.destroyed import read_list
from curation.images.services import destroyed_keys


class Command(BaseCommand):
    """Print the keys of destroyed files, one a line, to remove them from copies of backups on other sites."""

    help = (
        "Prints the paths, below a backup's folder media/, of files that were destroyed because something in a picture "
        "was covered. Remove them from copies of backups elsewhere. Files of uploads are named by the list in the "
        "folder of backups alone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """See the module."""
        parser.add_argument("backups", nargs="?", type=Path, help="the folder with the backups and their list")

    def handle(self, *args: Any, backups: Path | None, **options: Any) -> None:
        """Print them."""
        known = list(destroyed_keys())
        listed = read_list(backups) if backups else set()
        for key in [*known, *sorted(listed - set(known))]:
            self.stdout.write(key)
