"""``manage.py check_protocol FILE``: name every fault of a protocol file by line and key."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from curation.benchmarks.queries import read_protocol
from curation.benchmarks.rules.marked_yaml import FileInvalid


class Command(BaseCommand):
    """Prints ``file:line: key: expected …`` for each fault and ends with 1; warnings do not. Needs no database."""

    help = "Check a protocol file."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        """Run."""
        path: Path = options["file"]
        try:
            protocol = read_protocol(path)
        except FileInvalid as error:
            # Bare lines, as compilers write them, so that editors can jump to each.
            for problem in error.problems:
                self.stderr.write(str(problem))
            sys.exit(1)
        except OSError as error:
            raise CommandError(f"{path} cannot be read ({error.strerror})") from error
        except UnicodeDecodeError as error:
            raise CommandError(f"{path} is not UTF-8") from error
        planned = f"; not built yet: {', '.join(protocol.planned)}" if protocol.planned else ""
        built = ", ".join(protocol.content["kinds"]) or "none that is built"
        self.stdout.write(f"{path.name}: {protocol.name} is valid; kinds: {built}{planned}")
        for warned in protocol.warnings:
            self.stdout.write(f"{path.name}: warning: {warned}")
