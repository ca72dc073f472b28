"""``manage.py check_counts``: count everything and compare it with the numbers that are kept."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.tallies import services


class Command(BaseCommand):
    """Ends with 1 where a number is wrong and stays so; people may go on working meanwhile."""

    help = "Compare the numbers of items, packages, seats and pictures that are kept with a full count."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to mend."""
        parser.add_argument("--repair", action="store_true", help="mend what is wrong")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run."""
        wrong = services.check(repair=options["repair"])
        if options["verbosity"]:
            for row in wrong:
                self.stdout.write(json.dumps(row, default=str))
            mended = "mended" if options["repair"] else "wrong"
            self.stdout.write(f"{len(wrong)} {mended}" if wrong else "all numbers are right")
        if wrong and not options["repair"]:
            sys.exit(1)
