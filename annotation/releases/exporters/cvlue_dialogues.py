"""CVLUE's format of visual dialogue (VD).

Training and validation are lists of dialogues whose questions and answers are numbers of two files of texts; every
question has its candidate answers, which are drawn from the split's own answers. The files of scored splits have their
texts inside, and each dialogue up to the scored question, with its candidates and without the answer. Their right
answers are in files of their own, which are keys where the split withholds them.

A text's number follows from the text alone (``rules.text_id``), so all files of a release have the same numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from annotation.releases.exporters.base import Content, Facts, File, Out, Split
from annotation.releases.rules import CANDIDATES, CAPTION, SCORED_ROUND, scored_splits, text_id, turn_id, turns_of
from annotation.releases.rules.candidates import candidate_sets

QUESTIONS: Final = "cvlue-vd-id2question.json"
ANSWERS: Final = "cvlue-vd-id2answer.json"
#: How the names of files with right answers end.
GOLD: Final = "-gold.json"


def files(facts: Facts) -> list[File]:
    """Return a file for each split, the right answers of scored ones, and the texts of the others."""
    scored = {split.name for split in scored_of(facts)}
    lists = [File(f"cvlue-vd-{split.name}.json", split.rows) for split in facts.splits]
    # The records are read for what is public of them, and for their answers.
    golds = [
        File(f"cvlue-vd-{split.name}{GOLD}", split.rows, passes=2, is_key=split.withheld) for split in scored_of(facts)
    ]
    texts = [File(name, facts.rows) for name in (QUESTIONS, ANSWERS) if len(scored) < len(facts.splits)]
    return [*lists, *golds, *texts]


def scored_of(facts: Facts) -> list[Split]:
    """Return the splits that are scored."""
    names = scored_splits(split.name for split in facts.splits if split.withheld)
    return [split for split in facts.splits if split.name in names]


def write(file: File, content: Content, out: Out) -> None:
    """Write one of the files. An interrupted one restarts."""
    if file.name in (QUESTIONS, ANSWERS):
        _write_texts(file, content, out)
    elif file.name.endswith(GOLD):
        _write_rows(out, b'{"data": [', _gold(file, content), b"\n]}\n")
    elif file.name in {f"cvlue-vd-{split.name}.json" for split in scored_of(content.facts)}:
        _write_scored(file, content, out)
    else:
        _write_rows(out, b"[", _dialogues(file, content), b"\n]\n")


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _write_rows(out: Out, opening: bytes, rows: Iterator[Any], closing: bytes) -> None:
    """Write one element per line."""
    out.file.write(opening)
    for place, row in enumerate(rows):
        out.file.write((b",\n" if place else b"\n") + _json(row))
    out.file.write(closing)


def _about(record: Mapping[str, Any]) -> dict[str, Any]:
    return {"image_id": record["id"], "image": record["image"], "caption": record[CAPTION]}


def _dialogues(file: File, content: Content) -> Iterator[dict[str, Any]]:
    """Yield the dialogues of a split with all answers, and candidates for each."""
    records = list(content.records(file.rows))
    turns = [turn for one in records for turn in turns_of(one["item"], one["id"], one["rounds"])]
    options = {one.id: one.candidates for one in candidate_sets(turns, seed=content.facts.option_seed)}
    for record in records:
        yield _about(record) | {
            "dialog": [
                {
                    "question": text_id(one["question"]),
                    "answer": text_id(one["answer"]),
                    "answer_options": _ids(options[turn_id(record["item"], number)]),
                }
                for number, one in enumerate(record["rounds"], 1)
            ]
        }


def _ids(texts: Sequence[str]) -> list[int]:
    return [text_id(text) for text in texts]


def _write_scored(file: File, content: Content, out: Out) -> None:
    """Write the dialogues of a scored split up to their questions, then the texts that they name."""
    questions: dict[int, str] = {}
    answers: dict[int, str] = {}

    def number(texts: dict[int, str], text: str) -> int:
        texts[text_id(text)] = text
        return text_id(text)

    def dialogues() -> Iterator[dict[str, Any]]:
        for record in content.records(file.rows):
            *earlier, last = record["rounds"][: record[SCORED_ROUND]]
            rounds = [
                {"question": number(questions, one["question"]), "answer": number(answers, one["answer"])}
                for one in earlier
            ]
            options = [number(answers, text) for text in record[CANDIDATES]]
            scored = {"question": number(questions, last["question"]), "answer_options": options}
            yield _about(record) | {"dialog": [*rounds, scored]}

    _write_rows(out, b'{"dialogs": [', dialogues(), b"\n],\n")
    out.file.write(b'"id2question": ' + _json(dict(sorted(questions.items()))))
    out.file.write(b',\n"id2answer": ' + _json(dict(sorted(answers.items()))) + b"}\n")


def _gold(file: File, content: Content) -> Iterator[dict[str, Any]]:
    """Yield the scored rounds of a split with their right answers."""
    for record, key in zip(content.records(file.rows), content.keys(file.rows), strict=True):
        number = record[SCORED_ROUND]
        yield _about(record) | {
            "dialog_id": number,
            "question": text_id(record["rounds"][number - 1]["question"]),
            "answer_options": _ids(record[CANDIDATES]),
            "answer": text_id(key["answers"][number - 1]),
        }


def _write_texts(file: File, content: Content, out: Out) -> None:
    """Write the texts of all questions or answers of the splits that are not scored, by their numbers."""
    name = "question" if file.name == QUESTIONS else "answer"
    texts = (one[name] for record in content.records(file.rows) if not record[SCORED_ROUND] for one in record["rounds"])
    out.file.write(_json(dict(sorted((text_id(text), text) for text in set(texts)))) + b"\n")
