"""The command line: commands that need no site run without variables, and wrong settings are one line each."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError

#: Commands that read and write files and sign nothing, so that they need no secret.
WITHOUT_SITE: Final = frozenset(
    {"answer", "candidates", "check", "check_backup", "check_protocol", "help", "makemigrations", "score"}
    | {"--help", "-h", "--version", "version"}
)
_SITE: Final = "A command for a site needs the site's variables: for the demo `. var/env` sets them (docs/deploy.md)."


def main(argv: Sequence[str]) -> None:
    """Run a command of ``manage.py``; ``--traceback`` keeps the whole error."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if not os.environ.get("SECRET_KEY") and (not argv[1:] or argv[1] in WITHOUT_SITE):
        os.environ["SECRET_KEY"] = "reads files and signs nothing"  # noqa: S105  (protects nothing)
    try:
        execute_from_command_line(list(argv))
    except ImproperlyConfigured as error:
        if "--traceback" in argv:
            raise
        sys.exit(str(error) if os.environ.get("SECRET_KEY") else f"SECRET_KEY is not set. {_SITE}")
    except OperationalError as error:
        # An error of PostgreSQL has a code; without one it was not reached.
        if "--traceback" in argv or getattr(error.__cause__, "sqlstate", None) is not None:
            raise
        sys.exit(f"The database cannot be reached: {str(error).strip().splitlines()[0]}. {_SITE}")
