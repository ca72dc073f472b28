"""Captions in the MS-COCO format: pictures, then one entry per caption with the picture's number.

One file per split. ``file_name`` is the picture's name in the release. Each element is on its own line.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


class CocoCaptions:
    """The exporter of MS-COCO captions."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return one file per split, for captions only; it reads the records twice, for pictures and for texts."""
        if facts.kind != "captions":
            return []
        return [File(f"captions-{split.name}-coco.json", split.rows, passes=2) for split in facts.splits]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write a split's pictures and captions; captions are numbered within the file."""
        facts, rows = content.facts, file.rows
        numbers = {licence: number for number, licence in enumerate(facts.licences, 1)}
        if not out.done:
            licences = [{"id": number, "name": licence, "url": ""} for licence, number in numbers.items()]
            version = facts.public_digest or facts.label
            info = {"description": f"{facts.slug} {facts.label}", "version": version, "licence": facts.licence}
            out.file.write(b'{"info":' + _json(info) + b',\n"licenses":' + _json(licences) + b',\n"images":[')
        # The state: the last picture written, and the number of captions written.
        state = out.state
        for done, record in enumerate(content.records(rows[out.done :]), out.done + 1):
            if record["id"] != state:  # records are ordered by picture
                out.file.write((b",\n" if state is not None else b"\n") + _json(_image(record, numbers)))
                state = record["id"]
            out.mark(done, state)
        if out.done <= len(rows):
            out.file.write(b'\n],\n"annotations":[')
            state = 0
        for done, record in enumerate(
            content.records(rows[max(0, out.done - len(rows)) :]), max(out.done, len(rows)) + 1
        ):
            for caption in record["captions"]:
                state += 1
                row = {"id": state, "image_id": record["id"], "caption": caption}
                out.file.write((b",\n" if state > 1 else b"\n") + _json(row))
            out.mark(done, state)
        out.file.write(b"\n]}\n")


def _image(record: dict[str, Any], numbers: dict[str, int]) -> dict[str, Any]:
    return {
        "id": record["id"],
        "file_name": record["image"],
        "width": record["width"],
        "height": record["height"],
        "license": numbers[record["licence"]],
        "label": record["label"],
        "sha256": record["image_sha256"],
    }


EXPORTER: Final[Exporter] = CocoCaptions()
