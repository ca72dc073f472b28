"""``manage.py setup_database``: migrate as the owner, grant what the application needs, store the lists that ship."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections

from curation.core.privileges import connect_as_owner, grant_application_role
from curation.taxonomy.services import store_shipped_lists


class Command(BaseCommand):
    """Uses ``DATABASE_OWNER_URL`` where it is set, otherwise ``DATABASE_URL``. Safe to run again at each start."""

    help = "Migrate the database, set the application role's privileges and store the lists of categories that ship."

    def handle(self, *args: Any, **options: Any) -> None:
        """Run."""
        connect_as_owner()
        call_command("migrate", verbosity=options["verbosity"], interactive=False)
        with connections["default"].cursor() as cursor:
            grant_application_role(cursor, settings.APPLICATION_ROLE)
        store_shipped_lists()
        self.stdout.write("database ready")
