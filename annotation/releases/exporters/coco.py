"""What files in the MS-COCO format have in common: pictures, then annotations with the pictures' numbers.

There is one file per split. ``file_name`` is the picture's name in the release. Each element is on its own line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from annotation.releases.exporters.base import Content, Facts, File, Out


def files(facts: Facts, kind: str) -> Sequence[File]:
    """Return one file per split for a kind, and none for others; each reads the records twice."""
    if facts.kind != kind:
        return []
    return [File(f"{kind}-{split.name}-coco.json", split.rows, passes=2) for split in facts.splits]


def write(
    file: File,
    content: Content,
    out: Out,
    annotations: Callable[[Mapping[str, Any]], Iterable[Mapping[str, Any]]],
    categories: Sequence[Mapping[str, Any]] | None = None,
) -> None:
    """Write a split's pictures and annotations; annotations are numbered within the file.

    Args:
        file: The file.
        content: The release's content.
        out: The output.
        annotations: Returns the annotations of a record, without their number and that of their picture.
        categories: The list of categories; None for annotations without.
    """
    facts, rows = content.facts, file.rows
    numbers = {licence: number for number, licence in enumerate(facts.licences, 1)}
    if not out.done:
        licences = [{"id": number, "name": licence, "url": ""} for licence, number in numbers.items()]
        version = facts.public_digest or facts.label
        info = {"description": f"{facts.slug} {facts.label}", "version": version, "licence": facts.licence}
        out.file.write(b'{"info":' + _json(info) + b',\n"licenses":' + _json(licences))
        if categories is not None:
            out.file.write(b',\n"categories":[' + b",".join(b"\n" + _json(row) for row in categories) + b"\n]")
        out.file.write(b',\n"images":[')
    # The state: the last picture written, and the number of annotations written.
    state = out.state
    for done, record in enumerate(content.records(rows[out.done :]), out.done + 1):
        if record["id"] != state:  # records are ordered by picture
            out.file.write((b",\n" if state is not None else b"\n") + _json(_image(record, numbers)))
            state = record["id"]
        out.mark(done, state)
    if out.done <= len(rows):
        out.file.write(b'\n],\n"annotations":[')
        state = 0
    for done, record in enumerate(content.records(rows[max(0, out.done - len(rows)) :]), max(out.done, len(rows)) + 1):
        for annotation in annotations(record):
            state += 1
            row = {"id": state, "image_id": record["id"], **annotation}
            out.file.write((b",\n" if state > 1 else b"\n") + _json(row))
        out.mark(done, state)
    out.file.write(b"\n]}\n")


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _image(record: Mapping[str, Any], numbers: Mapping[str, int]) -> dict[str, Any]:
    return {
        "id": record["id"],
        "file_name": record["image"],
        "width": record["width"],
        "height": record["height"],
        "license": numbers[record["licence"]],
        "label": record["label"],
        "sha256": record["image_sha256"],
    }
