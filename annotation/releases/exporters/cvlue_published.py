"""CVLUE's own formats: captioning and retrieval (IC), visual questions (VQA), grounding (VG), dialogues (VD).

Training and validation files are lists of pictures with their texts. The test split has the form that a system gets:
for retrieval the pictures in one file and the captions in another, for VQA the questions with empty answers, for VG the
expressions with empty boxes. The pool of captions has each text once, ordered by sha256, so that neither order nor
number reveals the matching picture. VQA also has a file with the numbered answers of the training split. VD is in
:mod:`annotation.releases.exporters.cvlue_dialogues`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from annotation.kinds.grounding import MOST_EXPRESSIONS
from annotation.releases.exporters import cvlue_dialogues
from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out

# How many passes over the records write a pool of texts; each pass sorts a part of them.
TURNS: Final = 10

ANSWERS: Final = "cvlue-vqa-answer_list.json"
IMAGES: Final = "cvlue-ic-test-images.json"
POOL: Final = "cvlue-ic-test-captions.json"


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


class CvluePublished:
    """The exporter of CVLUE's formats."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return the files of the kinds that CVLUE calls IC, VQA, VG and VD."""
        if facts.kind == "captions":
            return [file for split in facts.splits for file in _captions_files(split.name, split.rows)]
        if facts.kind == "vqa":
            lists = [File(f"cvlue-vqa-{s.name}.json", s.rows) for s in facts.splits]
            return lists + [File(ANSWERS, s.rows, TURNS) for s in facts.splits if s.name == "train"]
        if facts.kind == "grounding":
            return [File(f"cvlue-vg-{s.name}.json", s.rows) for s in facts.splits]
        if facts.kind == "dialogue":
            return cvlue_dialogues.files(facts)
        return []

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write one of the files."""
        if file.name in (POOL, ANSWERS):
            _write_pool(file, content, out, numbered=file.name == ANSWERS)
        elif content.facts.kind == "dialogue":
            cvlue_dialogues.write(file, content, out)
        elif content.facts.kind == "vqa":
            _write_list(file, content, out, _questions)
        elif content.facts.kind == "grounding":
            _write_list(file, content, out, _expressions)
        elif file.name == IMAGES:
            _write_list(file, content, out, lambda record, _: [record["image"]])
        else:
            _write_list(file, content, out, _captions)


def _captions_files(split: str, rows: range) -> list[File]:
    if split == "test":
        return [File(IMAGES, rows), File(POOL, rows, TURNS)]
    return [File(f"cvlue-ic-{split}.json", rows)]


def _captions(record: dict[str, Any], split: str) -> list[dict[str, Any]]:
    numbered = {"image_id": record["id"]} if split == "train" else {}
    return [{"image": record["image"], "caption": record["captions"], **numbered}]


def first_question(record: Mapping[str, Any]) -> int:
    """Return the number of an item's first question; the others follow consecutively."""
    return (int(record["item"].rpartition("-")[2]) - 1) * len(record["pairs"]) + 1


def _questions(record: dict[str, Any], split: str) -> list[dict[str, Any]]:
    """Return an item's questions, numbered from the item's own number."""
    first = first_question(record)
    return [
        {
            "image": record["image"],
            "question_id": first + place,
            "question": pair["question"],
            "answer": "" if split == "test" else pair["answer"],
        }
        for place, pair in enumerate(record["pairs"])
    ]


def first_expression(record: Mapping[str, Any]) -> int:
    """Return the number of an item's first expression; the others follow consecutively.

    Items have different numbers of expressions, so numbers are left free between them.
    """
    return (int(record["item"].rpartition("-")[2]) - 1) * MOST_EXPRESSIONS + 1


def _expressions(record: dict[str, Any], split: str) -> list[dict[str, Any]]:
    return [
        {
            "ref_id": number,
            "image": record["image"],
            "text": expression["text"],
            "width": record["width"],
            "height": record["height"],
            "bbox": [] if split == "test" else expression["box"],
        }
        for number, expression in enumerate(record["expressions"], first_expression(record))
    ]


def _write_list(file: File, content: Content, out: Out, rows_of: Any) -> None:
    """Write a list with one element per line; ``out.state`` is the last picture."""
    if not out.done:
        out.file.write(b"[")
    before, any_yet = out.state, out.done > 0
    for done, record in enumerate(content.records(file.rows[out.done :]), out.done + 1):
        rows = rows_of(record, record["split"])
        if rows == [before]:  # a picture is listed once, however many items it has
            rows = []
        for row in rows:
            out.file.write((b",\n" if any_yet else b"\n") + _json(row))
            any_yet = True
        before = record["image"]
        out.mark(done, before)
    out.file.write(b"\n]\n")


def _write_pool(file: File, content: Content, out: Out, numbered: bool) -> None:
    """Write each distinct text once, ordered by sha256.

    Each pass sorts the texts of one tenth of all digests, which bounds memory, and ends with a mark.
    """
    opening, closing = (b"{", b"\n}\n") if numbered else (b"[", b"\n]\n")
    if not out.done:
        out.file.write(opening)
    place = out.state or 0
    for turn in range(out.done // max(1, len(file.rows)), TURNS):
        batch: dict[bytes, str] = {}
        for text in _texts(content, file.rows, answers=numbered):
            digest = hashlib.sha256(text.encode()).digest()
            if int.from_bytes(digest[:4]) * TURNS >> 32 == turn:
                batch[digest] = text
        for digest in sorted(batch):
            row = _json(batch[digest]) + (f": {place}".encode() if numbered else b"")
            out.file.write((b",\n" if place else b"\n") + row)
            place += 1
        out.mark((turn + 1) * len(file.rows), place)
    out.file.write(closing)


def _texts(content: Content, rows: range, *, answers: bool) -> Iterator[str]:
    if answers:
        return (pair["answer"] for record in content.records(rows) for pair in record["pairs"])
    return (caption for record in content.keys(rows) for caption in record["captions"])


EXPORTER: Final[Exporter] = CvluePublished()
