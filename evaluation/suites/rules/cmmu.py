"""CMMU: questions with options in all rotations, questions with several right options, blanks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from evaluation.backends.asks import Decoding
from evaluation.profiles.choices import options_of
from evaluation.profiles.rows import Row, WrongInput
from evaluation.suites.rules.choices import choice
from evaluation.suites.rules.suite import Context, Entry, Question, Setting, Suite, picture_in, text_of


def _entries(row: Row, questions: Sequence[Question], context: Context) -> Iterator[Entry]:
    """Yield the shifts of a question with options, one question with several right ones, or the blanks.

    In shift i the options are rotated to the right by i; the published loader numbers them alike.
    """
    kind = questions[0].tags["type"]
    text = text_of(row, "question_info", "question")
    if kind == "FBQ":
        blanks = row.fields.get("sub_questions") or [""]
        if not isinstance(blanks, list) or len(blanks) != len(questions):
            raise WrongInput(row.file, row.line, "sub_questions", f"a list of {len(questions)}, one for each answer")
        for question, blank in zip(questions, blanks, strict=True):
            values = {"question": f"{text} {blank}".rstrip()}
            yield Entry(question.id, row.line, picture_in(row, question), values, type=kind)
        return
    options = options_of(row.fields)
    for i, question in enumerate(questions):
        rotated = options[-i:] + options[:-i] if i else options
        entry = choice(row, question, text, rotated, type=kind)
        # Several letters are no single candidate, so these are answered in text only.
        yield entry if kind == "MCQ" else replace(entry, options=(), names=())


_LETTERS: Final = Decoding(max_tokens=10)
SUITE: Final = Suite(
    name="cmmu",
    kind="",
    capability="generate",
    profiles=("cmmu/paper", "cmmu/official", "cmmu/fbq-rules"),
    settings=(
        # CMMU section 5.1.
        Setting(
            "circular",
            {"MCQ": "cmmu-mcq", "MRQ": "cmmu-mrq", "FBQ": "cmmu-fbq"},
            ("text", "likelihood"),
            {"MCQ": _LETTERS, "MRQ": _LETTERS, "FBQ": Decoding(temperature=0.2, max_tokens=128)},
        ),
        # CMMU section 5.3, on questions with one right option.
        Setting("cot", {"MCQ": "cmmu-cot"}, ("text",), {"MCQ": Decoding(max_tokens=1024)}),
    ),
    entries=_entries,
    gold_fields=frozenset({"gold", "answer"}),
    explanations={"content": ("explanation", "solution_info")},
    # A judge reads blanks.
    overrides={"MCQ": "letter", "MRQ": "letters"},
)
