"""CVLUE's four tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sys import intern
from typing import Any, Final

from evaluation.backends.asks import Decoding
from evaluation.profiles.boxes import PIXELS
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


def _retrieval(row: Row, questions: Sequence[Question], context: Context) -> Iterator[Entry]:
    """Yield the queries of a row: a picture, and each of its captions. Both are what the others search."""
    if "caption" not in row.fields and row.fields.keys() != {"image"}:
        raise WrongInput(row.file, row.line, "caption", "five captions; a list of queries has no gallery")
    for question in questions:
        is_text = question.tags["type"] == "t2i"
        values = {"text": question.id} if is_text else {}
        picture = question.cluster if "image" in row.fields else ""
        yield Entry(question.id, row.line, picture, values, type=question.tags["type"])


def _vqa(row: Row, questions: Sequence[Question], context: Context) -> Iterator[Entry]:
    for question in questions:
        yield Entry(question.id, row.line, picture_in(row, question), {"question": text_of(row, "question")})


def _grounding(row: Row, questions: Sequence[Question], context: Context) -> Iterator[Entry]:
    for question in questions:
        values = {"expression": text_of(row, "text", "expression")}
        yield Entry(question.id, row.line, picture_in(row, question), values)


def _box_row(entry: Entry, answer: Answer) -> dict[str, Any]:
    """Write a reply with the form of its box, and the size of the picture that its pixels are of.

    For a system whose record has no form, the reply decides: JSON is read as that of Qwen2.5-VL, in pixels, and the
    profile knows marks of boxes.
    """
    row = plain_row(entry, answer)
    if answer.text is None:
        return row
    form = answer.box_form or ("xyxy" if "bbox_2d" in answer.text else "")
    if form:
        row["box_form"] = form
    if form in PIXELS and answer.picture_size is not None:
        row["resized"] = list(answer.picture_size)
    return row


def _dialogue(row: Row, questions: Sequence[Question], context: Context) -> Iterator[Entry]:
    texts = context.dialogues
    for question in questions:
        picture = picture_in(row, question)
        if texts is None:
            if "candidates" not in row.fields and "answer_options" in row.fields:
                raise WrongInput(row.file, row.line, "answer_options", "the texts of these ids, from --dialogues FILE")
            options = row.need("candidates", list)
            if not options or not all(isinstance(option, str) for option in options):
                raise WrongInput(row.file, row.line, "candidates", "a list of texts")
            values = {
                "caption": text_of(row, "caption"),
                "history": _history(row),
                "question": text_of(row, "question"),
            }
            names = _names(row, len(options))
            yield Entry(question.id, row.line, picture, values, options=tuple(options), names=names)
            continue
        of, ids = row.id("image_id"), row.need("answer_options", list)
        number = row.need("dialog_id", int)
        field = "question"
        try:
            text = texts.questions[row.id("question")]
            field = "answer_options"
            options = [texts.answers[str(one)] for one in ids]
            field = "image_id, dialog_id"
            values = {"caption": texts.captions[of], "history": texts.history(of, number), "question": text}
        except KeyError as error:
            raise WrongInput(
                row.file, row.line, field, f"what {texts.file} has ({error.args[0]} is not there)"
            ) from None
        yield Entry(
            question.id, row.line, picture, values, options=tuple(options), names=tuple(intern(str(one)) for one in ids)
        )


def _names(row: Row, count: int) -> tuple[str, ...]:
    """Return what answers call the candidates: their numbers if the row has them, else their places."""
    numbers = row.fields.get("answer_options", range(count))
    if len(numbers) != count:
        raise WrongInput(row.file, row.line, "answer_options", "a number for each candidate")
    return tuple(intern(str(one)) for one in numbers)


def _history(row: Row) -> list[tuple[str, str]]:
    rounds = row.fields.get("history", [])
    if not isinstance(rounds, list) or not all(
        isinstance(one, list) and len(one) == 2 and all(isinstance(text, str) for text in one) for one in rounds
    ):
        raise WrongInput(row.file, row.line, "history", "a list of [question, answer]")
    return [(question, answer) for question, answer in rounds]


def _ranking_row(entry: Entry, answer: Answer) -> dict[str, Any]:
    """Write the ids of all candidates, best first; of equal ones the one that comes first in the list."""
    if answer.error:
        return plain_row(entry, answer)
    order = sorted(range(len(answer.sums)), key=lambda i: -answer.sums[i])
    return {"id": entry.key, "response": [entry.names[i] for i in order]}


SUITES: Final = (
    # CVLUE section 5: text and image retrieval over the test split, five captions per picture.
    Suite(
        name="retrieval",
        kind="captions",
        capability="embed",
        profiles=("cvlue-itr/paper", "cvlue-itr/official"),
        settings=(Setting("both", {}, ("similarity",)),),
        entries=_retrieval,
        gold_fields=frozenset({"gold"}),  # captions are both what is asked and what is right
        texts="captions",
        ranks=(1, 5, 10),
        preprocessing={"picture": "clean rendition, RGB", "text": "as accepted, NFC"},
    ),
    Suite(
        name="vqa",
        kind="vqa",
        capability="generate",
        profiles=("cvlue-vqa/official", "cvlue-vqa/official-strict", "cvlue-vqa/exact"),
        settings=(Setting("short", {"": "cvlue-vqa"}, ("text",), {"": Decoding(max_tokens=64)}),),
        entries=_vqa,
        overrides={"": "text"},
    ),
    Suite(
        name="grounding",
        kind="grounding",
        capability="generate",
        profiles=("cvlue-vg/paper", "cvlue-vg/official"),
        settings=(Setting("box", {"": "cvlue-grounding"}, ("text",), {"": Decoding(max_tokens=128)}),),
        entries=_grounding,
        gold_fields=frozenset({"gold", "bbox"}),
        answer_row=_box_row,
    ),
    Suite(
        name="dialogue",
        kind="dialogue",
        capability="likelihood",
        profiles=("cvlue-vd/full", "cvlue-vd/official"),
        # As in CVLUE's training baseline the end of the reply counts.
        settings=(
            Setting(
                "candidates",
                {"": "cvlue-dialogue"},
                ("likelihood", "similarity"),
                ranked="options",
                count_end=True,
            ),
        ),
        entries=_dialogue,
        answer_row=_ranking_row,
        needs_dialogues=True,
    ),
)
