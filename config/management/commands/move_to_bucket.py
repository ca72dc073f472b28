"""``manage.py move_to_bucket``: bring the finished files of ``MEDIA_ROOT`` into the bucket that the settings name."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.checks import store_faults
from curation.core.errors import StorageUnavailable, StoredFileDiffers
from curation.core.stores import Folder, is_finished_file, media_folder, store
from curation.images.services import destroy_file, destroyed_keys


class Command(BaseCommand):
    """May be run while the site still works on the folder, interrupted, and repeated: what is there is not sent again.

    Run it with the site stopped for the last time, so that nothing new comes in behind it. At the end, files that must
    exist nowhere any more are destroyed in both places.
    """

    help = "Copy finished files from MEDIA_ROOT into the bucket of OBJECT_STORE_*; files under way stay."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--remove", action="store_true", help="remove each file here once it is in the bucket")

    def handle(self, *args: Any, remove: bool, **options: Any) -> None:
        if faults := store_faults():
            raise CommandError("\n".join(map(str, faults)))
        target, source = store(), media_folder()
        if isinstance(target, Folder):
            raise CommandError("No bucket is named: set OBJECT_STORE_BUCKET and the variables that belong to it.")
        sent = already_stored = 0
        try:
            for file in source.list_files():
                if not is_finished_file(file.key):
                    continue
                if target.put(file.key, source.path(file.key), source.sha256(file.key)):
                    sent += 1
                else:
                    already_stored += 1
                if remove:
                    source.remove(file.key)
                if (sent + already_stored) % 1000 == 0:
                    self.stdout.write(f"{sent} sent, {already_stored} were there")
            for key in destroyed_keys():  # it may have been sent before it was destroyed
                destroy_file(key)
        except (StorageUnavailable, StoredFileDiffers) as error:
            raise CommandError(f"{error} {sent} sent, {already_stored} were there: run it again.") from error
        self.stdout.write(f"{sent} sent, {already_stored} were there{', none left here' if remove else ''}")
