"""``manage.py check_counts``: count all rows and compare the counts with the tallies."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.tallies import services


class Command(BaseCommand):
    """Exits with status 1 if a tally is wrong and ``--repair`` was not given; safe while people work."""

    help = "Compare the tallies of items, packages, seats and pictures with a full count."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add ``--repair``."""
        parser.add_argument("--repair", action="store_true", help="correct wrong tallies")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run."""
        wrong = services.check(repair=options["repair"])
        if options["verbosity"]:
            for row in wrong:
                self.stdout.write(json.dumps(row, default=str))
            outcome = "repaired" if options["repair"] else "wrong"
            self.stdout.write(f"{len(wrong)} {outcome}" if wrong else "all tallies are right")
        if wrong and not options["repair"]:
            sys.exit(1)
