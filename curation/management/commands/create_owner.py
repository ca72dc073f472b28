"""``manage.py create_owner USERNAME``: the account that may create benchmarks."""

from __future__ import annotations

import getpass
import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from curation.core.errors import DomainError
from curation.people import services


class Command(BaseCommand):
    """Asks for the password, or takes it from OWNER_PASSWORD."""

    help = "Make the account that may create benchmarks."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the arguments."""
        parser.add_argument("username")
        parser.add_argument("--name", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run."""
        password = os.environ.get("OWNER_PASSWORD") or getpass.getpass("Password: ")
        try:
            person = services.create_owner(
                username=options["username"], name=options["name"] or options["username"], password=password
            )
        except DomainError as error:
            raise CommandError(f"{error.code}: {error}") from error
        self.stdout.write(f"{person.username} may now create benchmarks")
