"""``manage.py setup_database``: migrate as the owner, then give the application's role just what it needs."""

from __future__ import annotations

import os
from typing import Any

import environ
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections

from curation.core.privileges import grant_application_role


class Command(BaseCommand):
    """Uses ``DATABASE_OWNER_URL`` where it is set, otherwise ``DATABASE_URL``. Safe to run again at each start."""

    help = "Migrate the database and set the application role's privileges."

    def handle(self, *args: Any, **options: Any) -> None:
        """Run."""
        if owner := os.environ.get("DATABASE_OWNER_URL"):
            connections["default"].close()
            connections.databases["default"].update(environ.Env.db_url_config(owner))
            connections["default"].settings_dict.update(connections.databases["default"])
        call_command("migrate", verbosity=options["verbosity"], interactive=False)
        with connections["default"].cursor() as cursor:
            grant_application_role(cursor, settings.APPLICATION_ROLE)
        self.stdout.write("database ready")
