"""Questions with options: CVQA, TCC-Bench, VisTai; and VisTai's dialogues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase
from typing import Any, Final

from evaluation.backends.asks import Decoding
from evaluation.profiles.choices import options_of
from evaluation.profiles.rows import Row, WrongInput
from evaluation.suites.rules.suite import (
    Answer,
    Context,
    Entry,
    Question,
    Setting,
    Suite,
    picture_in,
    plain_row,
    text_of,
)

_MOST: Final = 10  # letters that the profiles read


def choice(row: Row, question: Question, text: str, options: Sequence[str], **more: Any) -> Entry:
    """Return the entry of a question with options, whose answers are letters.

    Raises:
        WrongInput: It has fewer than two options, or more than letters.
    """
    if not 2 <= len(options) <= _MOST or not all(options):
        raise WrongInput(row.file, row.line, "options", f"two to {_MOST} options with a text")
    values = {"question": text, "options": list(options), **more.pop("values", {})}
    if category := question.tags.get("domain", question.tags.get("category", "")):
        values["category"] = category
    names = tuple(ascii_uppercase[: len(options)])
    return Entry(question.id, row.line, picture_in(row, question), values, options=tuple(options), names=names, **more)


def _options(row: Row, *, english: bool) -> list[str]:
    if not english:
        return options_of(row.fields)
    fields = row.fields
    translated = fields.get("options_en", fields.get("Translated Options"))
    columns = {letter: fields.get(f"{letter}_en") for letter in ascii_uppercase[:_MOST]}
    return options_of({"options": translated} if isinstance(translated, list) else columns)


def _cvqa(row: Row, questions: Sequence[Question], context: Context) -> Iterator[Entry]:
    english = context.side == "en"
    names = ("question_en", "Translated Question") if english else ("question", "Question")
    for question in questions:
        values = {"country": country} if (country := question.tags.get("country")) else {}
        yield choice(row, question, text_of(row, *names), _options(row, english=english), values=values)


def _tcc(row: Row, questions: Sequence[Question], context: Context) -> Iterator[Entry]:
    english = context.side == "en"
    names = ("question_en", "Question_en") if english else ("question", "Question")
    for question in questions:
        yield choice(row, question, text_of(row, *names), _options(row, english=english))


def _vistai(row: Row, questions: Sequence[Question], context: Context) -> Iterator[Entry]:
    for question in questions:
        yield choice(row, question, text_of(row, "question"), options_of(row.fields))


def _free(row: Row, questions: Sequence[Question], context: Context) -> Iterator[Entry]:
    for question in questions:
        yield Entry(question.id, row.line, picture_in(row, question), {"question": text_of(row, "question")})


def _scores_row(entry: Entry, answer: Answer) -> dict[str, Any]:
    """Write the letter, and the scores of the options beside it, which CVQA's profiles read."""
    row = plain_row(entry, answer)
    if answer.sums and answer.means == "likelihood":
        row["log_probabilities"] = list(answer.sums)
    elif answer.sums:
        row |= {"Prediction": row["response"], "similarities": list(answer.sums)}
    return row


def _judged_row(entry: Entry, answer: Answer) -> dict[str, Any]:
    """Write a free answer under a name of its own: ``response`` is what a judge says of it."""
    return {"id": entry.key, "error": answer.error} if answer.error else {"id": entry.key, "answer": answer.text}


_LETTER: Final = Decoding(max_tokens=32)
# TCC-Bench's code takes 8192 tokens at most and has hosted models look at pictures in low detail; its paper has a
# temperature of 0.
_TCC_REPLY: Final = {"": Decoding(max_tokens=8192, detail="low")}
_VISTAI_REPLY: Final = {"": Decoding(max_tokens=2048)}

SUITES: Final = (
    # CVQA section 4.1: the letter of the highest probability; for embedding models the question with each option.
    Suite(
        name="cvqa",
        kind="multiple_choice",
        capability="likelihood",
        profiles=("cvqa-mcq/paper", "cvqa-mcq/generated"),
        settings=(
            Setting("located", {"": "cvqa-located"}, ("likelihood", "text", "similarity"), {"": _LETTER}),
            Setting("plain", {"": "cvqa-plain"}, ("likelihood", "text", "similarity"), {"": _LETTER}),
            # The option whose whole text is most probable.
            Setting("open", {"": "cvqa-open"}, ("likelihood",), ranked="options", count_end=True),
        ),
        entries=_cvqa,
        gold_fields=frozenset({"gold", "answer", "Label"}),
        answer_row=_scores_row,
        overrides={"": "letter"},
        language="en",
        sides=("content", "en"),
    ),
    Suite(
        name="tcc",
        kind="multiple_choice",
        capability="generate",
        profiles=("tcc-mcq/paper", "tcc-mcq/official", "tcc-mcq/robust"),
        settings=(
            Setting("direct", {"": "tcc-direct"}, ("text", "likelihood"), _TCC_REPLY),
            Setting("cot", {"": "tcc-cot"}, ("text",), _TCC_REPLY),
        ),
        entries=_tcc,
        gold_fields=frozenset({"gold", "answer", "Answer"}),
        explanations={"content": ("explanation", "Explanation"), "en": ("explanation_en", "Explanation_en")},
        overrides={"": "letter"},
        sides=("content", "en"),
    ),
    Suite(
        name="vistai",
        kind="multiple_choice",
        capability="generate",
        profiles=("vistai-mcq/robust", "vistai-mcq/official", "vistai-mcq/paper"),
        settings=(
            Setting("cot", {"": "vistai-cot"}, ("text",), _VISTAI_REPLY),
            Setting("direct", {"": "vistai-direct"}, ("text", "likelihood"), _VISTAI_REPLY),
        ),
        entries=_vistai,
        overrides={"": "letter"},
        language="zh-Hant",
        shots_within="subject",
    ),
    Suite(
        name="vistai-dialogue",
        kind="",
        capability="generate",
        profiles=("vistai-dialogue/robust", "vistai-dialogue/official"),
        settings=(Setting("free", {"": "vistai-dialogue"}, ("text",), _VISTAI_REPLY),),
        entries=_free,
        gold_fields=frozenset({"gold", "ground_truth"}),
        answer_row=_judged_row,
        language="zh-Hant",
    ),
)
