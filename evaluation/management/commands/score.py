"""``manage.py score``: score files of predictions by the papers' definitions.

Example::

    manage.py score tcc-mcq/official --gold VQA.csv --predictions gpt.jsonl --out report.json
    manage.py score cvlue-itr/paper --gold test.json --predictions i2t=i2t_submit.json t2i=t2i_submit.json

``manage.py score --list`` names the profiles; ``docs/profiles.md`` says what each reads and counts.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser

from curation.core.errors import DomainError
from evaluation.profiles.base import FewKnown
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import report_text, reports_text, score
from evaluation.profiles.rows import WrongInput

_LONGEST_ID: Final = 60  # characters of an id in a warning


class Command(BaseCommand):
    """Prints one JSON object; with several files of predictions, one with a report under each name."""

    help = "Score files of predictions by a profile."
    requires_system_checks = ()  # no database and no settings are needed

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("profile", nargs="?", help="for example tcc-mcq/official")
        parser.add_argument("--list", action="store_true", help="name every profile and what it follows")
        parser.add_argument("--gold", type=Path, help="the right answers")
        parser.add_argument("--predictions", nargs="+", default=[], metavar="[NAME=]FILE", help="what was answered")
        parser.add_argument("--items", action="store_true", help="list what was read of each answer")
        parser.add_argument("--out", type=Path, help="write there instead of printing")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            for profile in PROFILES.values():
                self.stdout.write(f"{profile.name:28} {profile.source}")
            return
        if not options["profile"] or not options["gold"] or not options["predictions"]:
            self._refuse("a profile, --gold and --predictions are needed; --list names the profiles")
        try:
            profile = PROFILES[options["profile"]]
            files = [_name_and_file(word) for word in options["predictions"]]
            if len({name or file.name for name, file in files}) < len(files):
                self._refuse("each file of predictions needs a NAME= of its own")
            reports = {}
            for name, file in files:
                report = score(profile, options["gold"], file, items=options["items"])
                if few := report.get("few_known_ids"):
                    self.stderr.write(_warning(file, options["gold"], few))
                reports[name or file.name] = report
        except (WrongInput, DomainError) as error:
            self._refuse(str(error))
        is_one = len(reports) == 1 and not files[0][0]
        text = report_text(next(iter(reports.values()))) if is_one else reports_text(reports)
        if not options["out"]:
            self.stdout.write(text, ending="")
            return
        try:
            options["out"].write_text(text, encoding="utf-8")
        except OSError as error:
            self._refuse(f"{options['out']} cannot be written ({error.strerror})")

    def _refuse(self, why: str) -> None:
        self.stderr.write(why)
        sys.exit(2)


def _warning(file: Path, gold: Path, few: FewKnown) -> str:
    """Say that the files have few ids in common, with a few of those that only one of them has."""
    counts = f"{file} has {few['in_file']:,}, {gold} has {few['expected']:,}, both have {few['known']:,}"
    only = [
        f"only in {where}: {', '.join(repr(name[:_LONGEST_ID]) for name in names)}"
        for where, names in ((file, few["unknown"]), (gold, few["missing"]))
        if names
    ]
    return "; ".join([f"{'few ids match' if few['known'] else 'no id matches'}: {counts}", *only])


def _name_and_file(word: str) -> tuple[str, Path]:
    if Path(word).exists():  # an equals sign of its own
        return "", Path(word)
    name, equals, file = word.partition("=")
    return (name, Path(file)) if equals else ("", Path(word))
