"""JSON lines: records of our own releases, and plain ones such as ``{"image": "img-0042", "captions": [...]}``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TextIO

from annotation.imports.rules.contents import content_in
from annotation.imports.rules.rows import (
    Fault,
    PictureReference,
    Row,
    picture_reference,
    reference_in,
    slot_of,
    team_reference,
)
from annotation.kinds.registry import KINDS
from annotation.kinds.tree import RecordNode
from curation.lib.json_rows import Broken, lines

REFERENCES: Final = ("image", "file_name", "filename", "picture", "label")


class JsonLines:
    """The format."""

    kinds = tuple(KINDS)

    def rows(self, file: TextIO, tree: RecordNode) -> Iterator[Row]:
        """Yield one row per line, named by the line's number."""
        for line, value in lines(file):
            yield flat_row(line, value, tree)


def flat_row(line: int, value: Any, tree: RecordNode) -> Row:
    """Read a record with flat values."""
    if isinstance(value, Broken):
        return Row(line, fault=Fault(value.code, {}))
    if not isinstance(value, Mapping):
        return Row(line, fault=Fault("row_not_understood", {}))
    picture = picture_of(value)
    slot = slot_of(value.get("slot"))
    if isinstance(slot, Fault):
        return Row(line, picture, fault=slot)
    content = content_in(tree, value)
    if isinstance(content, Fault):
        return Row(line, picture, slot, fault=content)
    return Row(line, picture, slot, content, team=team_reference(value))


def picture_of(values: Mapping[str, Any]) -> PictureReference:
    """Return the picture that a flat record names."""
    return picture_reference(
        sha256=values.get("image_sha256", values.get("sha256")),
        label=values.get("label"),
        reference=reference_in(values, REFERENCES),
    )
