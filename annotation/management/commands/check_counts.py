"""``manage.py check_counts``: count all rows, bytes and calls and compare them with the stored counts."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.tallies import services
from curation.calls.services import check_call_totals
from curation.images.services import check_picture_bytes


class Command(BaseCommand):
    """Exits with status 1 if a count is wrong and ``--repair`` was not given; safe while people work."""

    help = "Compare the counts of items, packages, seats, pictures, their bytes and calls to models with full ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add ``--repair``."""
        parser.add_argument("--repair", action="store_true", help="correct wrong counts")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run."""
        repair = options["repair"]
        wrong = [
            *services.check(repair=repair),
            *check_picture_bytes(repair=repair),
            *check_call_totals(repair=repair),
        ]
        if options["verbosity"]:
            for row in wrong:
                self.stdout.write(json.dumps(row, default=str))
            outcome = "repaired" if repair else "wrong"
            self.stdout.write(f"{len(wrong)} {outcome}" if wrong else "all counts are right")
        if wrong and not repair:
            sys.exit(1)
