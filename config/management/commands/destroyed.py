"""``manage.py destroyed``: lists the files that must exist nowhere any more."""

from typing import Any

from django.core.management.base import BaseCommand

from curation.images.services import destroyed_keys


class Command(BaseCommand):
    """Print the keys of destroyed files, one a line, to remove them from copies of backups on other sites."""

    help = (
        "Prints the paths, below a backup's folder media/, of files that were destroyed because something in a picture "
        "was covered. Remove them from copies of backups elsewhere."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print them."""
        for key in destroyed_keys():
            self.stdout.write(key)
