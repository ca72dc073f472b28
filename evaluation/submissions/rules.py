"""What a submission for a release must contain, and the figures of its report: pure functions of published records.

Ids are those of CVLUE's and CVQA's own files, so that answer files for them can be submitted unchanged: a picture's
path, a caption's text, a question's number or name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from annotation.kinds.option_order import LETTERS
from annotation.releases.exporters.cvlue_published import first_question
from annotation.releases.exporters.cvqa_hub import question_id
from annotation.releases.rules import drawn_options
from curation.core.folding import fold
from curation.core.registry import Registry
from curation.people.rules import notice_type
from evaluation.scoring.rules import large_groups

Fields = dict[str, Any]

# A file may have this many rows for each expected id, and always ROWS_AT_LEAST; more would only take memory.
ROWS_PER_ID: Final = 10
ROWS_AT_LEAST: Final = 1_000
# Unreadable files that a person may submit a day, for each one that may be scored.
REFUSED_PER_FILE: Final = 4
CREW_NAME: Final = 60  # characters
CREW_MEMBERS: Final = 50
CREW_LINK_DAYS: Final = 7
# Why a file could not be read.
FAULTS: Final = ("wrong_row", "wrong_file", "too_many_rows", "no_known_id")


@dataclass(frozen=True, slots=True)
class Task:
    """How one kind of work is evaluated.

    Attributes:
        profiles: Which profiles score the answers: all of the suites of its kind.
        gold: The gold rows of a published record, by the release's seed of options.
        template: The expected rows of predictions, with empty responses; reveals no answer.
    """

    profiles: tuple[str, ...]
    gold: Callable[[Mapping[str, Any], int], Iterator[Fields]]
    template: Callable[[Iterable[Mapping[str, Any]], int], Iterator[Fields]]


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


def _vqa_template(records: Iterable[Mapping[str, Any]], _: int) -> Iterator[Fields]:
    for record in records:
        first = first_question(record)
        for place, pair in enumerate(record["pairs"]):
            question = {"image": record["image"], "question": pair["question"]}
            yield {"id": str(first + place), **question, "response": ""}


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


def _choice_template(records: Iterable[Mapping[str, Any]], seed: int) -> Iterator[Fields]:
    """The options in the order of the release's files, by which the letters of answers go."""
    for record in records:
        options, _ = drawn_options(record, seed)
        texts = {"question": record["question"], "options": options}
        yield {"id": question_id(record), "image": record["image"], **texts, "response": ""}


TASKS: Final[Registry[Task]] = Registry(
    "task of submissions",
    {
        "captions": Task(("cvlue-itr/paper", "cvlue-itr/official"), _retrieval_gold, _retrieval_template),
        "vqa": Task(("cvlue-vqa/official", "cvlue-vqa/official-strict", "cvlue-vqa/exact"), _vqa_gold, _vqa_template),
        # The first reads the letters of a filled template; CVQA's paper needs numbers for all options.
        "multiple_choice": Task(
            (
                *("cvqa-mcq/generated", "cvqa-mcq/paper", "tcc-mcq/paper", "tcc-mcq/official", "tcc-mcq/robust"),
                *("vistai-mcq/robust", "vistai-mcq/official", "vistai-mcq/paper"),
            ),
            _choice_gold,
            _choice_template,
        ),
    },
)


def kind_of(profile: str) -> str:
    """Return the kind of annotation whose answers a profile scores; empty for one that scores no submissions."""
    return next((kind for kind in TASKS if profile in TASKS[kind].profiles), "")


def evaluated_splits(release: Mapping[str, Any]) -> tuple[str, ...]:
    """The splits that submissions are scored on: those whose answers the protocol withholds, else the test split."""
    return tuple(release.get("withheld") or ()) or ("test",)


def most_rows(expected: int) -> int:
    """The number of rows a file may have, given the number of expected ids."""
    return max(ROWS_AT_LEAST, ROWS_PER_ID * expected)


def publishable_groups(report: Mapping[str, Any], least: int) -> dict[str, dict[str, Any]]:
    """The groups of a report, by what they are grouped by, without those whose figures reveal single answers.

    A group is left out if it is too small for any of its metrics (:func:`large_groups`).
    """
    return {by: _publishable(report["metrics"], groups, least) for by, groups in report["breakdowns"].items()}


def _publishable(whole: Mapping[str, Any], groups: Mapping[str, Any], least: int) -> dict[str, Any]:
    chosen = set(groups)
    for metric in {name for part in groups.values() for name in part["metrics"]}:
        ns = {group: part["metrics"][metric]["n"] for group, part in groups.items() if metric in part["metrics"]}
        sizes = {group: n for group, n in ns.items() if n}
        chosen -= sizes.keys() - large_groups(sizes, total=whole[metric]["n"], least=least)
    return {group: part for group, part in groups.items() if group in chosen}


def crew_key(name: str) -> str:
    """Identifies a crew's name: the same for names that look alike, as searches compare them."""
    return hashlib.sha256(fold(name).encode()).hexdigest()


NOTICES: Final = {
    "submission_hidden": notice_type("submission", "label", "comment", is_for_outsiders=True),
}
