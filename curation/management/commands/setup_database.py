"""``manage.py setup_database``: migrate as the owner, then give the application's role just what it needs."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections

from curation.core.privileges import connect_as_owner, grant_application_role


class Command(BaseCommand):
    """Uses ``DATABASE_OWNER_URL`` where it is set, otherwise ``DATABASE_URL``. Safe to run again at each start."""

    help = "Migrate the database and set the application role's privileges."

    def handle(self, *args: Any, **options: Any) -> None:
        """Run."""
        connect_as_owner()
        call_command("migrate", verbosity=options["verbosity"], interactive=False)
        with connections["default"].cursor() as cursor:
            grant_application_role(cursor, settings.APPLICATION_ROLE)
        self.stdout.write("database ready")
