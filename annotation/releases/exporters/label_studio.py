"""Tasks of Label Studio: one per item, with its texts in text areas named by the kind, and its codes as choices.

Boxes are rectangles with their category as label, whose places are in percent of the picture's size.

A task's ``data`` identifies the picture by label and sha256, so that the file can be imported again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from annotation.kinds.texts import text_groups, texts_at
from annotation.kinds.tree import CodeNode, KeyedNode
from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out

# The fields of an entry that is a rectangle with a label.
_RECTANGLE: Final = {"category", "box"}
_DECIMALS: Final = 8  # of a share in percent: far below a hundredth of a pixel


class LabelStudio:
    """The exporter of Label Studio's tasks."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return one file per split."""
        return [File(f"{facts.kind}-{split.name}-label-studio.json", split.rows) for split in facts.splits]

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write a split's tasks, one per line."""
        if not out.done:
            out.file.write(b"[")
        for done, record in enumerate(content.records(file.rows[out.done :]), out.done + 1):
            task = json.dumps(task_of(record, content.facts), ensure_ascii=False, separators=(",", ":"))
            out.file.write((b",\n" if done > 1 else b"\n") + task.encode())
            out.mark(done)
        out.file.write(b"\n]\n")


def task_of(record: dict[str, Any], facts: Facts) -> dict[str, Any]:
    """Build one task; a text area without any public text is left out."""
    number = int(record["item"].rpartition("-")[2])
    data = {
        "image": record["image"],
        "label": record["label"],
        "sha256": record["image_sha256"],
        "item": record["item"],
        "kind": facts.kind,
        "split": record["split"],
        "language": record.get("language") or facts.language,
    }
    if "slot" in record:
        data["slot"] = record["slot"]
    result = [
        {"id": name, "from_name": name, "to_name": "image", "type": "textarea", "value": {"text": texts}}
        for group, name in text_groups(facts.tree).items()
        if any(texts := texts_at(record, group))
    ]
    result += [
        {"id": name, "from_name": name, "to_name": "image", "type": "choices", "value": {"choices": [record[name]]}}
        for name, node in facts.tree.fields.items()
        if isinstance(node, CodeNode) and record[name]
    ]
    for name, node in facts.tree.fields.items():
        if isinstance(node, KeyedNode) and node.of.fields.keys() == _RECTANGLE:
            result += [_rectangle(name, box, record) for box in record[name]]
    return {"id": number, "data": data, "annotations": [{"id": number, "result": result}]}


def _rectangle(name: str, box: dict[str, Any], record: dict[str, Any]) -> dict[str, Any]:
    x, y, width, height = box["box"]
    across, down = record["width"], record["height"]
    places = {"x": x / across, "y": y / down, "width": width / across, "height": height / down}
    return {
        "id": box["key"],
        "from_name": name,
        "to_name": "image",
        "type": "rectanglelabels",
        "original_width": across,
        "original_height": down,
        "image_rotation": 0,
        "value": {
            **{side: round(100 * share, _DECIMALS) for side, share in places.items()},
            "rotation": 0,
            "rectanglelabels": [box["category"]],
        },
    }


EXPORTER: Final[Exporter] = LabelStudio()
