"""``manage.py answer``: answer a benchmark's own file of questions with any system.

Example::

    manage.py answer chinese-clip.yaml retrieval --gold test.json --pictures images --out predictions.jsonl
    manage.py answer qwen2-5-vl-7b tcc --setting cot --language en --gold VQA.csv --pictures data/images --out cot.jsonl
    manage.py score tcc-mcq/paper --gold VQA.csv --predictions cot.jsonl

The same command goes on after it was stopped or killed. ``docs/how-to/answer-a-benchmark.md`` says what each suite
reads and how it asks.
"""

from __future__ import annotations

import shlex
import sys
from fractions import Fraction
from http import HTTPStatus
from pathlib import Path
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandParser
from django.db import InterfaceError, OperationalError

from curation.core.errors import DomainError
from curation.core.text import replace_unshowable
from evaluation.answering.rules.pictures import SCALES
from evaluation.answering.rules.refusal import AnswerRefused
from evaluation.answering.services.answering import answer
from evaluation.answering.services.planning import BATCH, Request
from evaluation.backends.asks import Detail
from evaluation.profiles.rows import WrongInput
from evaluation.suites.rules import CAPABILITIES, SUITES

_REFUSED, _FAILED, _INTERRUPTED = 2, 1, 130
_HOTTEST = 2  # of OpenAI's API, and of every server that follows it


class Command(BaseCommand):
    """Writes one file of predictions, and a journal beside it from which it goes on."""

    help = "Answer a benchmark's file of questions with a system."
    requires_system_checks = ()  # no settings are needed, and a database only for systems that were added to the site

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("system", nargs="?", help="a name, or the file of a record: my-model.yaml")
        parser.add_argument("suite", nargs="?", help=f"one of {', '.join(SUITES)}")
        parser.add_argument("--list", action="store_true", help="name every suite with its settings and profiles")
        parser.add_argument("--gold", type=Path, help="the benchmark's file of questions")
        parser.add_argument(
            "--pictures", type=Path, metavar="FOLDER", help="where the names in it begin, unless they are inside"
        )
        parser.add_argument("--out", type=Path, help="the file of predictions")
        parser.add_argument("--setting", default="", help="how is asked; by default the first that --list names")
        parser.add_argument("--by", dest="means", choices=sorted(CAPABILITIES), help="how the system answers")
        parser.add_argument("--language", choices=("zh-Hans", "zh-Hant", "en"), help="of the prompt")
        parser.add_argument("--prompt", type=_at_least(1), metavar="NO", help="the version of the prompt")
        parser.add_argument("--side", choices=("content", "en"), help="ask the questions' own text or its translation")
        parser.add_argument("--dialogues", type=Path, metavar="FILE", help="texts of dialogues, by id")
        parser.add_argument(
            "--captions", type=Path, metavar="FILE", help="CVLUE's list of captions, for that of pictures"
        )
        parser.add_argument("--shots", type=_at_least(0), default=0, metavar="N", help="examples before each question")
        parser.add_argument("--shots-from", type=Path, metavar="FILE", help="where they are drawn from")
        parser.add_argument("--shots-pictures", type=Path, metavar="FOLDER", help="where their pictures are")
        parser.add_argument("--no-picture", dest="picture", action="store_false", help="ask in text alone")
        parser.add_argument("--scale", type=_scale, default=Fraction(1), help="of pictures: 4, 2, 1, 1/2, 1/4, 1/8")
        parser.add_argument("--limit", type=_at_least(1), metavar="N", help="only the first N questions")
        parser.add_argument("--sample", type=_at_least(1), metavar="N", help="only N questions, drawn by --seed")
        parser.add_argument("--seed", type=_at_least(0), default=0, help="of every draw")
        parser.add_argument("--temperature", type=_temperature, help="in place of the setting's")
        parser.add_argument("--max-tokens", type=_at_least(1), help="in place of the setting's")
        details = get_args(Detail)
        parser.add_argument(
            "--detail", choices=details, help="of pictures on a hosted server, in place of the setting's"
        )
        parser.add_argument("--benchmark", metavar="SLUG", help="pays for replies of a model on a server")
        parser.add_argument("--batch", type=_at_least(1), default=BATCH, help="questions between two writes")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            for suite in SUITES.values():
                settings = ", ".join(setting.name for setting in suite.settings)
                self.stdout.write(f"{suite.name:16} {settings:22} {', '.join(suite.profiles)}")
            return
        if not all(options[name] for name in ("system", "suite", "gold", "out")):
            self._stop(_REFUSED, "a system, a suite, --gold and --out are needed; --list names the suites")
        request = Request(**{name: options[name] for name in Request.__dataclass_fields__})
        try:
            progress = answer(request, sys.stderr)
        except (AnswerRefused, WrongInput) as error:
            self._stop(_REFUSED, str(error))
        except DomainError as error:
            self._stop(
                _FAILED if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR else _REFUSED, f"{error.code}: {error}"
            )
        except (OperationalError, InterfaceError):
            self._stop(
                _FAILED, "database_unavailable: the site's database does not respond; the same command goes on later"
            )
        except KeyboardInterrupt:
            self._stop(_INTERRUPTED, "\nstopped; the same command goes on")
        if progress.withheld:
            self.stderr.write(
                f"{progress.withheld:,} of {progress.total:,} questions have no right answer in {request.gold.name}: "
                "manage.py score refuses it, and the benchmark's own server scores the answers"
            )
            return
        profile = SUITES[request.suite].profiles[0]
        files = ["--gold", str(request.gold), "--predictions", str(request.out)]
        self.stdout.write(shlex.join([".venv/bin/python", "manage.py", "score", profile, *files]))

    def _stop(self, status: int, why: str) -> None:
        # Files and servers are quoted in it, and their characters act on no terminal.
        self.stderr.write("\n".join(map(replace_unshowable, why.split("\n"))))
        sys.exit(status)


def _at_least(least: int) -> Any:
    def number(text: str) -> int:
        value = int(text)
        if value < least:
            raise ValueError
        return value

    number.__name__ = f"number from {least}"
    return number


def _temperature(text: str) -> float:
    value = float(text)
    if not 0 <= value <= _HOTTEST:
        raise ValueError
    return value


def _scale(text: str) -> Fraction:
    try:
        scale = Fraction(text)
    except ZeroDivisionError:
        raise ValueError from None
    if scale not in SCALES:
        raise ValueError
    return scale


# How argparse names what it refuses.
_temperature.__name__ = f"temperature from 0 to {_HOTTEST}"
_scale.__name__ = "scale"
