"""What a person may read in a reply, and where rules read it. Values in, values out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, Final, Literal, NamedTuple
from unicodedata import normalize

from evaluation.profiles.base import Answers, Gold, Profile
from evaluation.profiles.results import Result, results_of
from evaluation.profiles.rows import Row
from evaluation.suites.rules import Entry, OverrideForm, Suite

#: Characters of a reply that a page shows, and in which the answer is looked for.
LONGEST_REPLY: Final = 100_000
#: Characters of texts in lists.
LONGEST_TEXT: Final = 300
# Places of a letter in a reply that are tried, the last first: answers come at the end.
_MOST_PLACES: Final = 12
_MASK: Final = "\u2588"
THAN: Final = ("better", "worse")


@dataclass(frozen=True, slots=True)
class SampleFilters:
    """Which entries of a run are listed.

    Attributes:
        outcome: What came of them.
        tag: A tag that they have, with ``value``.
        value: Its value.
        against: Another run over the same set.
        than: ``better``: right here and not there; ``worse``: the reverse.
        overridden: Only those whose reply a person read.
    """

    outcome: str | None = None
    tag: str | None = None
    value: str | None = None
    against: int | None = None
    than: Literal["better", "worse"] = "better"
    overridden: bool = False


class OtherLetters(ValueError):
    """What a person read has other letters than the options, or one twice."""


class Form(NamedTuple):
    """How a person says what a reply answers: letters of the options, if it has any, or a text."""

    form: OverrideForm
    letters: str


def form_of(suite: Suite, entry: Entry) -> Form | None:
    """Return how a person says what a reply to an entry answers; None where rules do not read it either."""
    form = suite.overrides.get(entry.type)
    if form is None:
        return None
    return Form(form, "" if form == "text" else ascii_uppercase[: len(entry.values["options"])])


def override_answer(form: Form, answer: str | None) -> str | None:
    """Check what a person read, and write it as profiles read it.

    Args:
        form: How it is given.
        answer: What was read; None, or nothing that shows: no answer.

    Raises:
        OtherLetters: It has other letters than the options.
    """
    text = (answer or "").strip()
    if not text:
        return None
    if form.form == "text":
        return text
    letters = normalize("NFKC", text).upper()
    has_count = len(letters) == 1 or form.form == "letters"
    if not has_count or len(set(letters)) != len(letters) or not set(letters) <= set(form.letters):
        raise OtherLetters
    return "".join(sorted(letters))


def text_of_entry(entry: Entry) -> str:
    """Return what an entry asks: its question, or the expression whose box is looked for."""
    return str(entry.values.get("question", entry.values.get("expression", "")))


def answer_text(value: Any) -> str:
    """Write a right answer, or what was read in a reply, as people read it; empty for nothing."""
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(answer_text(one) for one in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def result_of(profile: Profile, entry: Entry, gold: Any, row: dict[str, Any]) -> Result:
    """Return what a profile makes of one row of predictions, as if it were the only one."""
    question = Gold(entry.key, gold, entry.key, {"type": entry.type}, _gold_row(entry))
    answers = Answers()
    answers.add(entry.key, profile.keep(Row("", 1, row)))
    (unit,) = profile.units([question], answers)
    (result,) = results_of(profile, unit)
    return result


def _gold_row(entry: Entry) -> dict[str, Any]:
    """Return what units read of a question's row: its options, and that this is its only shift."""
    return {"options": list(entry.values.get("options", ())), "parent": entry.key, "shifts": 1}


def evidence(text: str, extracted: Any, options: Sequence[str], read: Callable[[str], Any]) -> tuple[int, int] | None:
    """Find the part of a reply that decides what is read in it: without it, something else would be.

    Args:
        text: The reply.
        extracted: What is read in it.
        options: The texts of the options, which some rules look for.
        read: What is read in another text.

    Returns:
        Where the part begins and ends; None if no single part decides.
    """
    if not isinstance(extracted, str) or not extracted:
        return None
    if text.strip() == extracted:
        start = text.index(extracted)
        return start, start + len(extracted)
    parts = [extracted]
    if len(extracted) == 1:
        parts += [extracted.lower(), chr(ord(extracted) + 0xFEE0)]  # as robust readers take it, also full-width
        at = ascii_uppercase.find(extracted)
        parts += [options[at]] if 0 <= at < len(options) else []
    for start, end in _places(text, parts):
        if read(text[:start] + _MASK * (end - start) + text[end:]) != extracted:
            return start, end
    return None


def _places(text: str, parts: Sequence[str]) -> list[tuple[int, int]]:
    """Return where the parts are in a text, the last places of each."""
    places: set[tuple[int, int]] = set()
    for part in parts:
        end = len(text)
        for _ in range(_MOST_PLACES):
            start = text.rfind(part, 0, end)
            if start < 0:
                break
            places.add((start, start + len(part)))
            end = start + len(part) - 1
    return sorted(places, reverse=True)


def shares(sums: Sequence[float]) -> list[float]:
    """Return the share of each candidate among all, from their log-probabilities."""
    highest = max(sums)
    weights = [math.exp(value - highest) for value in sums]
    return [weight / sum(weights) for weight in weights]
