"""``manage.py candidates``: make the hundred answers of each question of a dialogue.

Example::

    manage.py candidates --turns turns.jsonl --seed 2025 --out candidates.jsonl

A row of ``--turns`` is ``{"id", "image", "question", "answer"}``; a row out is ``{"id", "candidates": [100 texts],
"gold": place of the right one}``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from annotation.releases.rules.candidates import TooFewAnswers, Turn, candidate_sets, require_answers
from evaluation.profiles.rows import WrongInput, rows


class Command(BaseCommand):
    """Writes nothing when anything is wrong."""

    help = "Make candidate answers for dialogues."
    requires_system_checks = ()  # no database and no settings are needed

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--turns", type=Path, required=True)
        parser.add_argument("--seed", type=int, required=True)
        parser.add_argument("--out", type=Path, required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            turns = _read(options["turns"])
            require_answers(turns)
            made = candidate_sets(turns, seed=options["seed"])
            lines = [json.dumps(one._asdict(), ensure_ascii=False) + "\n" for one in made]
        except (WrongInput, TooFewAnswers) as error:
            self.stderr.write(str(error))
            sys.exit(2)
        try:
            options["out"].write_text("".join(lines), encoding="utf-8")
        except OSError as error:
            self.stderr.write(f"{options['out']} cannot be written ({error.strerror})")
            sys.exit(2)


def _read(file: Path) -> list[Turn]:
    turns = [
        Turn(row.id("id"), row.id("image", "image_id"), row.need("question", str), row.need("answer", str))
        for row in rows(file)
    ]
    if len({turn.id for turn in turns}) < len(turns):
        raise WrongInput(file.name, 0, "id", "each id once")
    return turns
