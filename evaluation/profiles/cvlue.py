"""Profiles of CVLUE: retrieval, questions, grounding, dialogue."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from sys import intern
from typing import Any, Final

from evaluation.metrics.boxes import iou, iou_of_pixels
from evaluation.profiles import short_answers
from evaluation.profiles.base import OVERRIDE, Answers, Gold, Profile, Unit, is_withheld, picture_of, tags_of
from evaluation.profiles.boxes import box, in_pixels, predicted_box
from evaluation.profiles.reports import failed, plain_name
from evaluation.profiles.rows import Row, WrongInput

_RANKS: Final = (1, 5, 10)
# The rank that the published scorer assigns when it does not find the right answer.
_MISS_RANK: Final = 100


def category_in(path: str) -> str:
    """Return the category in a picture's path, its second-to-last part: ``A/84-suona/A-84-326.png`` → ``84-suona``."""
    parts = path.split("/")
    return parts[-2] if len(parts) >= 2 else ""


def _tags(fields: Mapping[str, Any]) -> dict[str, str]:
    tags = tags_of(fields)
    image = fields.get("image")
    if "category" not in tags and isinstance(image, str) and (category := category_in(image)):
        tags["category"] = category
    return tags


@lru_cache(maxsize=1_024)
def recalls(rank: int | None, scope: str = "") -> Mapping[str, float]:
    """Compute R@1, R@5 and R@10 of one query; ranks count from 0, None is a miss.

    A mean over both directions of retrieval means nothing, so ``scope`` is a prefix of the metric's name. Queries of
    one rank share their values.
    """
    before = f"{scope} " if scope else ""
    return {f"{before}R@{k}": float(rank is not None and rank < k) for k in _RANKS}


def _rank(right_entries: Iterable[str], ranked: Iterable[str]) -> int | None:
    right = set(right_entries)
    for place, entry in enumerate(ranked):
        if entry in right:
            return place
    return None


# --- retrieval --------------------------------------------------------------------------------------------------------


def retrieval_gold(row: Row) -> Iterator[Gold]:
    """Read a plain row ``{id, gold: [right entries], scope?}``, or a row ``{image, caption: [five]}`` of CVLUE.

    CVLUE's row gives queries both ways: the picture for its captions (i2t), each caption for its pictures (t2i). Its
    test split is rows ``{image}`` and ``{caption: text}``, each one query without its right entries.
    """
    fields = row.fields
    if fields.keys() == {"image"}:
        image = row.need("image", str)
        yield Gold(image, None, image, _tags(fields) | {"type": "i2t"}, {})
        return
    if fields.keys() == {"caption"}:
        caption = row.need("caption", str)
        yield Gold(caption, None, caption, {"type": "t2i"}, {})
        return
    if "caption" in fields:
        image = row.need("image", str)
        captions = row.need("caption", list)
        tags = _tags(fields)
        yield Gold(image, [str(c) for c in captions], image, tags | {"type": "i2t"}, {})
        for caption in dict.fromkeys(str(c) for c in captions):
            yield Gold(caption, [image], image, tags | {"type": "t2i"}, {})
        return
    name = row.id("id")
    gold = [str(entry) for entry in row.need("gold", list)]
    scope = {"type": str(fields["scope"])} if isinstance(fields.get("scope"), str) else {}
    yield Gold(name, gold, picture_of(fields, name), _tags(fields) | scope, {})


def _scope(question: Gold) -> str:
    scope = question.tags.get("type", "")
    return scope if scope in ("i2t", "t2i") else ""


def _ranked(row: Row) -> dict[str, Any]:
    if row.fields.get("error"):
        return {"error": row.fields["error"]}
    return {"ranked": _entries(row.need("response", list))}


def _entries(ranked: Iterable[Any]) -> list[str]:
    """Intern the entries, because every list repeats the same few thousand."""
    return list(map(intern, map(str, ranked)))


def _merged(questions: Iterable[Gold]) -> dict[str, Gold]:
    """Group queries by name; one caption of several pictures is one query with several right pictures."""
    merged: dict[str, Gold] = {}
    for question in questions:
        previous = merged.get(question.id)
        merged[question.id] = question if previous is None else previous._replace(gold=[*previous.gold, *question.gold])
    return merged


def _retrieval_official(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
    """Score only the queries of the answer file, as the published scorer does: a missing query raises the score."""
    merged = _merged(questions)
    for name in answers.names():
        # The baseline removes punctuation, so a caption may come back in pieces.
        question = merged.pop(name, None) or merged.pop(",".join(name.split()), None)
        if question is None:
            continue
        answers.mark_requested(name)
        row = answers.last(name) or {}
        rank = _rank(question.gold, row.get("ranked", []))
        rank = _MISS_RANK if rank is None else rank
        yield question.unit(
            "scored",
            recalls(rank, _scope(question)),
            rank + 1,
            "position",
        )
    for question in merged.values():
        yield question.unit("missing", {})


def _retrieval_paper(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
    for question in _merged(questions).values():
        row = answers.last(question.id)
        if row is None or "ranked" not in row:
            missed = recalls(None, _scope(question))
            yield question.unit("missing" if row is None else "failed", missed)
            continue
        rank = _rank(question.gold, row["ranked"])
        place = None if rank is None else rank + 1
        yield question.unit("scored", recalls(rank, _scope(question)), place, "position")


# --- questions --------------------------------------------------------------------------------------------------------


def vqa_gold(row: Row) -> Iterator[Gold]:
    """Read CVLUE's rows ``{image, question_id, question, answer}`` or plain ones."""
    name = row.id("id", "question_id")
    gold = row.fields.get("gold", row.fields.get("answer"))
    if is_withheld(gold):
        gold = None
    elif not isinstance(gold, str):
        raise WrongInput(row.file, row.line, "gold", "the right answer as text")
    yield Gold(name, gold, picture_of(row.fields, name), _tags(row.fields), {})


def _text(row: Row) -> dict[str, Any]:
    fields = row.fields
    response = fields.get("response", fields.get("answer"))
    if not isinstance(response, str | type(None)):
        raise WrongInput(row.file, row.line, "response", "text")
    return {"response": response} | ({"error": fields["error"]} if fields.get("error") else {})


def _short(matching_rule: Callable[[str, str], str]) -> Callable[[Iterable[Gold], Answers], Iterator[Unit]]:
    """Score short answers; every question counts.

    The published scorer pairs by order and stops at the shorter list. This pairs rows by id, which it asserts anyway.
    """

    def units(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
        for question in questions:
            row = answers.last(question.id)
            response = None if row is None else row.get("response")
            if row is None or response is None or failed(row):
                yield question.unit(
                    "missing" if row is None else "failed",
                    {"accuracy": 0.0},
                )
                continue
            if OVERRIDE in row:
                yield _short_override(question, row[OVERRIDE], matching_rule)
                continue
            rule = matching_rule(question.gold, response)
            yield question.unit(
                "scored",
                {"accuracy": float(rule != "")},
                response.strip(),
                rule,
            )

    return units


def _short_override(question: Gold, answer: str | None, matching_rule: Callable[[str, str], str]) -> Unit:
    """Score the answer that a person read; without one the question counts as unreadable."""
    right = float(answer is not None and matching_rule(question.gold, answer) != "")
    return question.unit("unparsable" if answer is None else "scored", {"accuracy": right}, answer, OVERRIDE)


# --- grounding --------------------------------------------------------------------------------------------------------


def grounding_gold(row: Row) -> Iterator[Gold]:
    """Read CVLUE's rows ``{ref_id, image, text, width, height, bbox}`` or plain ones."""
    name = row.id("id", "ref_id")
    field = "gold" if "gold" in row.fields else "bbox"
    right = row.fields.get(field)
    gold = None if is_withheld(right) else box(row, right, field)
    if gold is not None and not all(map(math.isfinite, gold)):
        raise WrongInput(row.file, row.line, field, "[x, y, width, height]")
    size = {"width": row.fields.get("width"), "height": row.fields.get("height")}
    yield Gold(name, gold, picture_of(row.fields, name), _tags(row.fields), size)


_NO_OVERLAP: Final[Mapping[str, float]] = {"IoU": 0.0, "IoU>0.5": 0.0}


def _grounding(overlap: Callable[..., float]) -> Callable[[Iterable[Gold], Answers], Iterator[Unit]]:
    def units(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
        for question in questions:
            row = answers.last(question.id)
            if row is None or row.get("error"):
                yield question.unit("missing" if row is None else "failed", _NO_OVERLAP)
                continue
            box = in_pixels(question, row)
            if box is None:
                yield question.unit("unparsable", _NO_OVERLAP)
                continue
            value = overlap(box, question.gold)
            yield question.unit(
                "scored",
                {"IoU": value, "IoU>0.5": float(value > 0.5)},
                box,
                row["form"],
            )

    return units


# --- dialogue ---------------------------------------------------------------------------------------------------------


def _dialogue_name(row: Row) -> str:
    if "id" in row.fields:
        return row.id("id")
    return f"{row.id('image_id')}#{row.id('dialog_id')}"


def dialogue_gold(row: Row) -> Iterator[Gold]:
    """Read CVLUE's gold ``{image_id, image, dialog_id, answer, answer_options}`` or plain rows ``{id, gold}``."""
    name = _dialogue_name(row)
    gold = row.fields.get("gold", row.fields.get("answer"))
    if is_withheld(gold):
        gold = None
    elif not isinstance(gold, str | int) or isinstance(gold, bool):
        raise WrongInput(row.file, row.line, "gold", "the id of the right answer")
    yield Gold(name, None if gold is None else str(gold), picture_of(row.fields, name), _tags(row.fields), {})


def _sorted_answers(row: Row) -> dict[str, Any]:
    if row.fields.get("error"):
        return {"error": row.fields["error"]}
    field = "response" if "response" in row.fields else "answer_sort"
    return {"ranked": _entries(row.need(field, list))}


@lru_cache(maxsize=1_024)
def _recalls_and_means(rank: int | None) -> Mapping[str, float]:
    """Add MRR and mean rank; as in the published training baseline, an answer that is not in the list adds 0 to MRR."""
    if rank is None:
        return {**recalls(rank), "MRR": 0.0}
    return {**recalls(rank), "MRR": 1 / (rank + 1), "mean rank": rank + 1.0}


def _dialogue(
    values_of: Callable[[int | None], Mapping[str, float]],
) -> Callable[[Iterable[Gold], Answers], Iterator[Unit]]:
    def units(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
        for question in questions:
            row = answers.last(question.id)
            if row is None or "ranked" not in row:
                yield question.unit("missing" if row is None else "failed", values_of(None))
                continue
            rank = _rank([question.gold], row["ranked"])
            yield question.unit("scored", values_of(rank), None if rank is None else rank + 1, "position")

    return units


_CODE: Final = "CVLUE's published scorer"
PROFILES: Final = (
    Profile(
        "cvlue-itr/official",
        f"{_CODE}: over the queries of the answer file",
        retrieval_gold,
        plain_name,
        _ranked,
        _retrieval_official,
        gold_once=False,
    ),
    Profile(
        "cvlue-itr/paper",
        "CVLUE section 5: over all queries",
        retrieval_gold,
        plain_name,
        _ranked,
        _retrieval_paper,
        gold_once=False,
    ),
    Profile("cvlue-vqa/official", f"{_CODE}, default mode", vqa_gold, plain_name, _text, _short(short_answers.cvlue)),
    Profile(
        "cvlue-vqa/official-strict",
        f"{_CODE} with --strict_match",
        vqa_gold,
        plain_name,
        _text,
        _short(partial(short_answers.cvlue, strict=True)),
    ),
    Profile(
        "cvlue-vqa/exact",
        "CVLUE's README: only an exact match counts",
        vqa_gold,
        plain_name,
        _text,
        _short(short_answers.exact),
    ),
    Profile(
        "cvlue-vg/official",
        f"{_CODE}: far edges count as pixels",
        grounding_gold,
        plain_name,
        predicted_box,
        _grounding(iou_of_pixels),
        decides="IoU>0.5",
    ),
    Profile(
        "cvlue-vg/paper",
        "CVLUE section 5: mean IoU of continuous boxes",
        grounding_gold,
        plain_name,
        predicted_box,
        _grounding(iou),
        decides="IoU>0.5",
    ),
    Profile(
        "cvlue-vd/official",
        f"{_CODE}: R@k alone",
        dialogue_gold,
        _dialogue_name,
        _sorted_answers,
        _dialogue(recalls),
    ),
    Profile(
        "cvlue-vd/full",
        "As Das et al. (2017) and CVLUE's training baseline: with mean rank and MRR",
        dialogue_gold,
        _dialogue_name,
        _sorted_answers,
        _dialogue(_recalls_and_means),
    ),
)
