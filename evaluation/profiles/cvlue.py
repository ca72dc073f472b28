"""Profiles of CVLUE: retrieval, questions, grounding, dialogue."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from sys import intern
from typing import Any, Final

from evaluation.metrics.boxes import iou, iou_of_pixels
from evaluation.profiles import short_answers
from evaluation.profiles.base import Answers, Gold, Profile, Unit, picture_of, tags_of
from evaluation.profiles.reports import failed, plain_name
from evaluation.profiles.rows import Row, WrongInput

_RANKS: Final = (1, 5, 10)
# What the published scorer gives a query whose right answer it does not find.
_NOT_FOUND: Final = 100


def category_in(path: str) -> str:
    """The category in a picture's path: its second-to-last part, ``A/84-suona/A-84-326.png`` → ``84-suona``."""
    parts = path.split("/")
    return parts[-2] if len(parts) >= 2 else ""


def _tags(fields: Mapping[str, Any]) -> dict[str, str]:
    tags = tags_of(fields)
    image = fields.get("image")
    if "category" not in tags and isinstance(image, str) and (category := category_in(image)):
        tags["category"] = category
    return tags


def recalls(rank: int | None, scope: str = "") -> dict[str, float]:
    """R@1, R@5, R@10 of one query; ranks count from 0, None is a miss.

    Retrieval goes two ways and a mean over both says nothing, so that a direction stands before the metric's name.
    """
    before = f"{scope} " if scope else ""
    return {f"{before}R@{k}": float(rank is not None and rank < k) for k in _RANKS}


def _rank(wanted: Iterable[str], ranked: Iterable[str]) -> int | None:
    right = set(wanted)
    return next((i for i, entry in enumerate(ranked) if entry in right), None)


# --- retrieval --------------------------------------------------------------------------------------------------------


def retrieval_gold(row: Row) -> Iterator[Gold]:
    """A plain row ``{id, gold: [right entries], scope?}``, or a row ``{image, caption: [five]}`` of CVLUE.

    CVLUE's asks both ways: its picture for its captions (i2t), each caption for its pictures (t2i).
    """
    fields = row.fields
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


def _scope(asked: Gold) -> str:
    scope = asked.tags.get("type", "")
    return scope if scope in ("i2t", "t2i") else ""


def _ranked(row: Row) -> dict[str, Any]:
    if row.fields.get("error"):
        return {"error": row.fields["error"]}
    return {"ranked": _entries(row.need("response", list))}


def _entries(ranked: Iterable[Any]) -> list[str]:
    """The same few thousand entries stand in every list: each is held once."""
    return [intern(str(entry)) for entry in ranked]


def _merged(questions: Iterable[Gold]) -> dict[str, Gold]:
    """Queries by name; the same caption under several pictures is one query with several right pictures."""
    merged: dict[str, Gold] = {}
    for asked in questions:
        known = merged.get(asked.id)
        merged[asked.id] = asked if known is None else known._replace(gold=[*known.gold, *asked.gold])
    return merged


def _retrieval_official(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
    """Over the queries of the answer file: one that is missing there is not counted, and the score rises."""
    merged = _merged(questions)
    for name in answers.names():
        # The baseline strips punctuation, so that a caption may come back in pieces.
        asked = merged.pop(name, None) or merged.pop(",".join(name.split()), None)
        if asked is None:
            continue
        answers.ask(name)
        row = answers.last(name) or {}
        rank = _rank(asked.gold, row.get("ranked", []))
        rank = _NOT_FOUND if rank is None else rank
        yield Unit(asked.id, asked.cluster, asked.tags, "scored", recalls(rank, _scope(asked)), rank + 1, "position")
    for asked in merged.values():
        yield Unit(asked.id, asked.cluster, asked.tags, "missing", {})


def _retrieval_paper(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
    for asked in _merged(questions).values():
        row = answers.last(asked.id)
        if row is None or "ranked" not in row:
            missed = recalls(None, _scope(asked))
            yield Unit(asked.id, asked.cluster, asked.tags, "missing" if row is None else "failed", missed)
            continue
        rank = _rank(asked.gold, row["ranked"])
        place = None if rank is None else rank + 1
        yield Unit(asked.id, asked.cluster, asked.tags, "scored", recalls(rank, _scope(asked)), place, "position")


# --- questions --------------------------------------------------------------------------------------------------------


def vqa_gold(row: Row) -> Iterator[Gold]:
    """CVLUE's rows ``{image, question_id, question, answer}`` or plain ones."""
    name = row.id("id", "question_id")
    gold = row.fields.get("gold", row.fields.get("answer"))
    if not isinstance(gold, str) or not gold.strip():
        raise WrongInput(row.file, row.line, "gold", "the right answer as text")
    yield Gold(name, gold, picture_of(row.fields, name), _tags(row.fields), {})


def _text(row: Row) -> dict[str, Any]:
    fields = row.fields
    said = fields.get("response", fields.get("answer"))
    if not isinstance(said, str | type(None)):
        raise WrongInput(row.file, row.line, "response", "text")
    return {"response": said} | ({"error": fields["error"]} if fields.get("error") else {})


def _short(right: Callable[[str, str], str]) -> Callable[[Iterable[Gold], Answers], Iterator[Unit]]:
    """Every question counts.

    The published scorer pairs by order and stops at the shorter list; rows here are paired by id, as it asserts.
    """

    def units(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
        for asked in questions:
            row = answers.last(asked.id)
            said = None if row is None else row.get("response")
            if row is None or said is None or failed(row):
                yield Unit(
                    asked.id, asked.cluster, asked.tags, "missing" if row is None else "failed", {"accuracy": 0.0}
                )
                continue
            rule = right(asked.gold, said)
            yield Unit(
                asked.id, asked.cluster, asked.tags, "scored", {"accuracy": float(rule != "")}, said.strip(), rule
            )

    return units


# --- grounding --------------------------------------------------------------------------------------------------------


def _are_numbers(value: Any, count: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == count
        and all(isinstance(v, int | float) and not isinstance(v, bool) for v in value)
    )


def _box(row: Row, value: Any, name: str) -> list[float]:
    if _are_numbers(value, 4):
        return [float(v) for v in value]
    raise WrongInput(row.file, row.line, name, "[x, y, width, height]")


def grounding_gold(row: Row) -> Iterator[Gold]:
    """CVLUE's rows ``{ref_id, image, text, width, height, bbox}`` or plain ones."""
    name = row.id("id", "ref_id")
    field = "gold" if "gold" in row.fields else "bbox"
    size = {n: row.fields.get(n) for n in ("width", "height")}
    yield Gold(name, _box(row, row.fields.get(field), field), picture_of(row.fields, name), _tags(row.fields), size)


_NUMBER: Final = r"\s*(-?\d+(?:\.\d+)?)\s*"
_CORNERS: Final = re.compile(rf"[(\[<]?{_NUMBER},{_NUMBER}[)\]>]?\s*,?\s*[(\[<]?{_NUMBER},{_NUMBER}[)\]>]?")
FORMS: Final = ("xywh", "xyxy", "grid1000", "fraction")


def _boxes(row: Row) -> dict[str, Any]:
    """``response``: four numbers, or text with four in it; ``box_form`` says what they are (:data:`FORMS`).

    ``xywh`` pixels of the picture, ``xyxy`` two corners in pixels of ``resized: [width, height]`` or the picture,
    ``grid1000`` two corners on Qwen-VL's grid of 1000, ``fraction`` two corners as shares of the sides.
    """
    fields = row.fields
    said = fields.get("response", fields.get("bbox"))
    form = fields.get("box_form", "grid1000" if isinstance(said, str) and "<box>" in said else "xywh")
    if form not in FORMS:
        raise WrongInput(row.file, row.line, "box_form", " or ".join(FORMS))
    resized = fields.get("resized")
    if resized is not None and not (_are_numbers(resized, 2) and min(resized) > 0):
        raise WrongInput(row.file, row.line, "resized", "[width, height]")
    kept: dict[str, Any] = {"form": form, "resized": resized, "error": fields.get("error")}
    if isinstance(said, str):
        match = _CORNERS.search(_plain(said))
        return kept | {"numbers": [float(n) for n in match.groups()] if match else []}
    if said is not None and not isinstance(said, list):
        raise WrongInput(row.file, row.line, "response", "four numbers, or text")
    return kept | {"numbers": _box(row, said, "response") if said else []}


def _plain(said: str) -> str:
    """The list of a JSON answer such as ``{"bbox_2d": [x1, y1, x2, y2]}``, else the text itself."""
    try:
        found = json.loads(re.sub(r"^```(?:json)?|```$", "", said.strip(), flags=re.MULTILINE))
    except (ValueError, RecursionError):
        return said
    found = found[0] if isinstance(found, list) and found and isinstance(found[0], dict) else found
    for name in ("bbox_2d", "bbox", "box"):
        if isinstance(found, dict) and isinstance(found.get(name), list):
            return str(found[name])
    return said


def in_pixels(asked: Gold, row: Mapping[str, Any]) -> list[float] | None:
    """A predicted box as ``[x, y, width, height]`` in pixels; None where there is none or no size is known."""
    numbers = row.get("numbers") or []
    if len(numbers) != 4:
        return None
    if row["form"] == "xywh":
        return list(numbers)
    width, height = asked.row.get("width"), asked.row.get("height")
    across, down = 1.0, 1.0
    resized = row.get("resized")
    if row["form"] != "xyxy" or resized:
        if not isinstance(width, int | float) or not isinstance(height, int | float):
            return None
        base = {"grid1000": (1000.0, 1000.0), "fraction": (1.0, 1.0)}.get(row["form"]) or tuple(
            map(float, resized or ())
        )
        across, down = width / base[0], height / base[1]
    x1, y1, x2, y2 = numbers
    return [x1 * across, y1 * down, (x2 - x1) * across, (y2 - y1) * down]


def _grounding(overlap: Callable[..., float]) -> Callable[[Iterable[Gold], Answers], Iterator[Unit]]:
    def units(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
        for asked in questions:
            row = answers.last(asked.id)
            none = {"IoU": 0.0, "IoU>0.5": 0.0}
            if row is None or row.get("error"):
                yield Unit(asked.id, asked.cluster, asked.tags, "missing" if row is None else "failed", none)
                continue
            box = in_pixels(asked, row)
            if box is None:
                yield Unit(asked.id, asked.cluster, asked.tags, "unparsable", none)
                continue
            value = overlap(box, asked.gold)
            yield Unit(
                asked.id,
                asked.cluster,
                asked.tags,
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
    """CVLUE's gold ``{image_id, image, dialog_id, answer, answer_options}`` or plain rows ``{id, gold}``."""
    name = _dialogue_name(row)
    gold = row.fields.get("gold", row.fields.get("answer"))
    if not isinstance(gold, str | int) or isinstance(gold, bool):
        raise WrongInput(row.file, row.line, "gold", "the id of the right answer")
    yield Gold(name, str(gold), picture_of(row.fields, name), _tags(row.fields), {})


def _sorted_answers(row: Row) -> dict[str, Any]:
    if row.fields.get("error"):
        return {"error": row.fields["error"]}
    field = "response" if "response" in row.fields else "answer_sort"
    return {"ranked": _entries(row.need(field, list))}


def _dialogue(*, full: bool) -> Callable[[Iterable[Gold], Answers], Iterator[Unit]]:
    def units(questions: Iterable[Gold], answers: Answers) -> Iterator[Unit]:
        for asked in questions:
            row = answers.last(asked.id)
            if row is None or "ranked" not in row:
                values = recalls(None) | ({"MRR": 0.0} if full else {})
                yield Unit(asked.id, asked.cluster, asked.tags, "missing" if row is None else "failed", values)
                continue
            rank = _rank([asked.gold], row["ranked"])
            values = recalls(rank)
            if full:
                # The published training baseline: a right answer that is not in the list adds nothing to MRR.
                values |= {"MRR": 0.0 if rank is None else 1 / (rank + 1)}
                values |= {} if rank is None else {"mean rank": rank + 1.0}
            yield Unit(
                asked.id, asked.cluster, asked.tags, "scored", values, None if rank is None else rank + 1, "position"
            )

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
        _boxes,
        _grounding(iou_of_pixels),
    ),
    Profile(
        "cvlue-vg/paper",
        "CVLUE section 5: mean IoU of continuous boxes",
        grounding_gold,
        plain_name,
        _boxes,
        _grounding(iou),
    ),
    Profile(
        "cvlue-vd/official",
        f"{_CODE}: R@k alone",
        dialogue_gold,
        _dialogue_name,
        _sorted_answers,
        _dialogue(full=False),
    ),
    Profile(
        "cvlue-vd/full",
        "As Das et al. (2017) and CVLUE's training baseline: with mean rank and MRR",
        dialogue_gold,
        _dialogue_name,
        _sorted_answers,
        _dialogue(full=True),
    ),
)
