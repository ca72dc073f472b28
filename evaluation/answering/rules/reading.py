"""Reading a gold file into entries, in the file's order."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from evaluation.answering.rules.refusal import AnswerRefused
from evaluation.profiles.base import Gold
from evaluation.profiles.forms import family, with_form
from evaluation.profiles.gold_files import gold_rows
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.rows import Row, WrongInput, unreadable
from evaluation.suites.rules import SUITES, Context, Dialogues, Entry, Setting, Suite

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class GoldRow:
    """The entries of one row, beside its right answers and why they are right; only examples ever show the latter."""

    entries: tuple[Entry, ...]
    gold: tuple[Gold, ...]
    explanation: str = ""


def read_gold(suite: Suite, setting: Setting, file: Path, context: Context) -> list[GoldRow]:
    """Read every row that the setting asks, in the file's order.

    Raises:
        WrongInput: A row is not of the suite's form, or repeats an id.
        AnswerRefused: There is nothing to ask.
    """
    read = list(read_questions(suite, file, context, types=setting.prompts.keys()))
    if not read:
        raise AnswerRefused("nothing_to_ask", f"{file.name} has no question that the setting {setting.name} asks")
    return read


def read_questions(suite: Suite, file: Path, context: Context, *, types: Collection[str] = ()) -> Iterator[GoldRow]:
    """Yield every row with a question of some types, by default of all, in the file's order.

    Raises:
        WrongInput: A row is not of the suite's form, or repeats an id.
    """
    seen: set[str] = set()
    once = PROFILES[suite.profiles[0]].gold_once
    for row in _rows(file, context):
        try:
            questions = list(suite.read(row, context))
        except WrongInput as error:
            raise with_form(error, row, suite.profiles[0], _suite_of) from error
        pairs = [pair for pair in questions if not types or pair[0].type in types]
        for entry, _ in pairs:
            if once and entry.key in seen:
                raise WrongInput(row.file, row.line, "id", f"each id once; {entry.key} came before")
            seen.add(entry.key)
        if pairs:
            entries, gold = zip(*pairs, strict=True)
            read = GoldRow(entries, gold, suite.explanation_in(row, context.side))
            _refuse_unstorable(row, read)
            yield read


def _refuse_unstorable(row: Row, read: GoldRow) -> None:
    """Refuse a text with NUL or a lone surrogate: it can be neither sent nor kept, also after others were paid for.

    Raises:
        WrongInput: With line and field.
    """
    fields: list[tuple[str, Any]] = [("explanation", read.explanation)]
    for gold in read.gold:
        fields += [("answer", gold.gold), ("image", gold.cluster), *gold.tags.items()]
    for entry in read.entries:
        fields += [("id", entry.key), ("image", entry.picture), ("options", entry.options), ("options", entry.names)]
        fields += entry.values.items()
    for name, value in fields:
        text = "".join(_texts(value))
        if "\0" in text or (not text.isascii() and _SURROGATE.search(text)):
            raise WrongInput(row.file, row.line, name, "text without NUL and lone surrogates")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def _suite_of(family_of_profiles: str) -> str:
    """Return the name of the suite whose answers a family of profiles scores."""
    return next(suite.name for suite in SUITES.values() if family(suite.profiles[0]) == family_of_profiles)


def _rows(file: Path, context: Context) -> Iterable[Row]:
    """Return the rows of a file, also of CVLUE's test files, which are no gold files.

    These are a file of dialogues, of which the rounds without an answer are asked, and two lists: of pictures, and of
    captions.
    """
    dialogues: Dialogues | None = context.dialogues
    if dialogues is not None and dialogues.path.resolve() == file.resolve():
        return dialogues.open
    if context.captions is None:
        return gold_rows(file)
    lists = {"image": file, "caption": context.captions}
    return [
        Row(of.name, line, {name: text}) for name, of in lists.items() for line, text in enumerate(_texts_in(of), 1)
    ]


def _texts_in(file: Path) -> list[str]:
    """Read a JSON list of texts.

    Raises:
        WrongInput: The file is missing or has another form.
    """
    try:
        content = json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise unreadable(file, error) from error
    except (ValueError, RecursionError) as error:
        raise WrongInput(file.name, 0, "", "a JSON list of texts") from error
    if not isinstance(content, list) or not all(isinstance(text, str) and text for text in content):
        raise WrongInput(file.name, 0, "", "a JSON list of texts")
    return content


def withheld(read: Sequence[GoldRow]) -> set[str]:
    """Return the keys of the entries whose right answers the file withholds."""
    return {entry.key for row in read for entry, gold in zip(row.entries, row.gold, strict=True) if gold.gold is None}


def chosen(read: Sequence[GoldRow], *, limit: int | None, sample: int | None, seed: int) -> list[Entry]:
    """Return the entries of the first ``limit`` rows, or of ``sample`` rows drawn by a seed, in the file's order.

    Raises:
        AnswerRefused: The sample is larger than the file.
    """
    if sample is not None:
        if sample > len(read):
            raise AnswerRefused("sample_too_large", f"the file has {len(read)} questions, {sample} are to be drawn")
        drawn = generator("sample", seed).sample(range(len(read)), sample)
        read = [read[i] for i in sorted(drawn)]
    return [entry for row in read[:limit] for entry in row.entries]


def generator(purpose: str, seed: int) -> random.Random:
    """Return a generator for one purpose, so that two draws by the same seed do not depend on each other."""
    return random.Random(hashlib.sha256(f"{purpose}:{seed}".encode()).digest())  # noqa: S311  (repeatable)


def sha256_of(file: Path) -> str:
    """Compute the SHA-256 of a file.

    Raises:
        WrongInput: It cannot be read.
    """
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(file, error) from error
