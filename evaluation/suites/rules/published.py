"""The questions of a release: the rows of gold and of predictions that its published records make.

Ids are those of CVLUE's and CVQA's own files, so that answer files for them can be submitted unchanged: a picture's
path, a caption's text, a question's number or name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from annotation.kinds.option_order import LETTERS
from annotation.releases.exporters.cvlue_published import first_expression, first_question
from annotation.releases.rules import (
    CANDIDATES,
    CAPTION,
    SCORED_ROUND,
    drawn_options,
    question_id,
    scored_splits,
    text_id,
)
from curation.core.registry import Registry

Fields = dict[str, Any]

#: The split whose pictures and texts retrieval searches (CVLUE section 5 reports its test split).
GALLERY_SPLIT: Final = "test"


@dataclass(frozen=True, slots=True)
class Published:
    """How the published records of a kind become rows of files.

    Attributes:
        gold: The gold rows of a record, by the release's seed of options.
        asks: What a suite asks beside them: for each gold row the other fields of a row of a gold file; None for
            captions, of which retrieval makes no questions.
        template: The expected rows of predictions, with empty responses; reveals no answer.
        headline: The profile that reads a filled template.
    """

    gold: Callable[[Mapping[str, Any], int], Iterator[Fields]]
    asks: Callable[[Mapping[str, Any], int], Iterator[Fields]] | None
    template: Callable[[Iterable[Mapping[str, Any]], int], Iterator[Fields]]
    headline: str


def evaluated_splits(release: Mapping[str, Any]) -> tuple[str, ...]:
    """The splits that are scored, by a protocol's settings of releases: those with withheld answers, else the test."""
    return scored_splits(release.get("withheld") or ())


def _retrieval_gold(record: Mapping[str, Any], _: int) -> Iterator[Fields]:
    image, about = record["image"], {"image": record["image"], "category": record.get("category", "")}
    yield {"id": image, "gold": list(record["captions"]), "scope": "i2t", **about}
    for caption in dict.fromkeys(record["captions"]):
        yield {"id": caption, "gold": [image], "scope": "t2i", **about}


def _retrieval_template(records: Iterable[Mapping[str, Any]], _: int) -> Iterator[Fields]:
    """Pictures in the release's order, then texts in the order of their SHA-256, which reveals no picture."""
    texts: set[str] = set()
    pictures: dict[str, None] = {}
    for record in records:
        pictures[record["image"]] = None
        texts.update(record["captions"])
    for image in pictures:
        yield {"id": image, "scope": "i2t", "response": []}
    for text in sorted(texts, key=lambda text: hashlib.sha256(text.encode()).digest()):
        yield {"id": text, "scope": "t2i", "response": []}


def _vqa_gold(record: Mapping[str, Any], _: int) -> Iterator[Fields]:
    first, about = first_question(record), {"image": record["image"], "category": record.get("category", "")}
    for place, pair in enumerate(record["pairs"]):
        yield {"id": str(first + place), "gold": pair["answer"], **about}


def _vqa_asks(record: Mapping[str, Any], _: int) -> Iterator[Fields]:
    for pair in record["pairs"]:
        yield {"question": pair["question"]}


def _vqa_template(records: Iterable[Mapping[str, Any]], _: int) -> Iterator[Fields]:
    for record in records:
        first = first_question(record)
        for place, pair in enumerate(record["pairs"]):
            question = {"image": record["image"], "question": pair["question"]}
            yield {"id": str(first + place), **question, "response": ""}


def _grounding_gold(record: Mapping[str, Any], _: int) -> Iterator[Fields]:
    about = {"image": record["image"], "category": record.get("category", "")}
    size = {"width": record["width"], "height": record["height"]}
    for number, expression in enumerate(record["expressions"], first_expression(record)):
        yield {"id": str(number), "gold": expression["box"], **about, **size}


def _grounding_asks(record: Mapping[str, Any], _: int) -> Iterator[Fields]:
    for expression in record["expressions"]:
        yield {"text": expression["text"]}


def _grounding_template(records: Iterable[Mapping[str, Any]], _: int) -> Iterator[Fields]:
    for record in records:
        about = {"image": record["image"], "width": record["width"], "height": record["height"]}
        for number, expression in enumerate(record["expressions"], first_expression(record)):
            yield {"id": str(number), "text": expression["text"], **about, "response": []}


def _dialogue_key(record: Mapping[str, Any]) -> str:
    """The id of a scored round, as in CVLUE's files: its picture's number and its own."""
    return f"{record['id']}#{record[SCORED_ROUND]}"


def _dialogue_gold(record: Mapping[str, Any], _: int) -> Iterator[Fields]:
    """Nothing for dialogues without a scored round: releases from before dialogues were scored have none."""
    if number := record.get(SCORED_ROUND):
        right = record["rounds"][number - 1]["answer"]
        about = {"image": record["image"], "category": record.get("category", "")}
        yield {"id": _dialogue_key(record), "gold": str(text_id(right)), **about}


def _dialogue_asks(record: Mapping[str, Any], _: int) -> Iterator[Fields]:
    if record.get(SCORED_ROUND):
        yield _dialogue_question(record)


def _dialogue_question(record: Mapping[str, Any]) -> Fields:
    """The scored round without its answer; candidates are answered by their numbers."""
    *earlier, scored = record["rounds"][: record[SCORED_ROUND]]
    return {
        "caption": record[CAPTION],
        "history": [[one["question"], one["answer"]] for one in earlier],
        "question": scored["question"],
        "candidates": list(record[CANDIDATES]),
        "answer_options": [text_id(text) for text in record[CANDIDATES]],
    }


def _dialogue_template(records: Iterable[Mapping[str, Any]], _: int) -> Iterator[Fields]:
    for record in records:
        if record.get(SCORED_ROUND):
            question = {"image": record["image"], **_dialogue_question(record)}
            yield {"id": _dialogue_key(record), **question, "response": []}


def _choice_gold(record: Mapping[str, Any], seed: int) -> Iterator[Fields]:
    options, right = drawn_options(record, seed)
    pair = [record.get("language_name", ""), record.get("country", "")]
    yield {
        "id": question_id(record),
        "gold": LETTERS[right],
        "options": [option["local"] for option in options],
        "image": record["image"],
        "category": record.get("category", ""),
        "pair": " - ".join(pair) if all(pair) else "",
    }


def _choice_asks(record: Mapping[str, Any], seed: int) -> Iterator[Fields]:
    options, _ = drawn_options(record, seed)
    yield {
        "question": record["question"]["local"],
        "question_en": record["question"].get("translated", ""),
        "options_en": [option.get("translated", "") for option in options],
        "country": record.get("country", ""),
    }


def _choice_template(records: Iterable[Mapping[str, Any]], seed: int) -> Iterator[Fields]:
    """The options in the order of the release's files, by which the letters of answers go."""
    for record in records:
        options, _ = drawn_options(record, seed)
        texts = {"question": record["question"], "options": options}
        yield {"id": question_id(record), "image": record["image"], **texts, "response": ""}


PUBLISHED: Final[Registry[Published]] = Registry(
    "published kind",
    {
        "captions": Published(_retrieval_gold, None, _retrieval_template, "cvlue-itr/paper"),
        "grounding": Published(_grounding_gold, _grounding_asks, _grounding_template, "cvlue-vg/paper"),
        # CVLUE's scorer has R@k alone.
        "dialogue": Published(_dialogue_gold, _dialogue_asks, _dialogue_template, "cvlue-vd/full"),
        "vqa": Published(_vqa_gold, _vqa_asks, _vqa_template, "cvlue-vqa/official"),
        # It reads letters; CVQA's paper needs numbers for all options.
        "multiple_choice": Published(_choice_gold, _choice_asks, _choice_template, "cvqa-mcq/generated"),
    },
)
