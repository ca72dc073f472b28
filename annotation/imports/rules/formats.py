"""The import formats, and how to recognise a file's format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol, TextIO

from annotation.imports.rules.coco import CocoBoxes, CocoCaptions
from annotation.imports.rules.jsonl import JsonLines
from annotation.imports.rules.label_studio import LabelStudio
from annotation.imports.rules.rows import Row
from annotation.kinds.tree import RecordNode
from curation.core.registry import Registry
from curation.lib.json_rows import Scanner, Unreadable, open_text


class Format(Protocol):
    """One format; each has a module."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of annotation that it can represent."""
        ...

    def rows(self, file: TextIO, tree: RecordNode) -> Iterator[Row]:
        """Yield a file's rows in order, in bounded memory; the same file always gives the same rows.

        Args:
            file: The file.
            tree: The fields of the kind's content.

        Raises:
            Unreadable: The file as a whole does not have the format. Faults of single rows are part of the rows.
        """
        ...


FORMATS: Final[Registry[Format]] = Registry(
    "import format",
    {
        "label_studio": LabelStudio(),
        "coco_captions": CocoCaptions(),
        "coco_boxes": CocoBoxes(),
        "jsonl": JsonLines(),
    },
)
_OF_COCO: Final = {"images", "annotations", "info", "licenses", "categories"}


def detect(path: Path, kind: str = "captions") -> str | None:
    """Recognise the format from a file's beginning; None if unknown.

    Files of MS-COCO look alike whatever they hold, so ``kind`` decides which of its formats a file is read as.
    """
    with open_text(path) as file:
        scanner = Scanner(file)
        begins = scanner.peek()
        if begins == "[":
            return "label_studio"
        if begins != "{":
            return None
        try:
            scanner.expect("{")
            first = scanner.value()
            scanner.expect(":")
        except Unreadable:
            return None
        if first in _OF_COCO and scanner.peek() in ("[", "{"):
            return "coco_boxes" if kind in CocoBoxes.kinds else "coco_captions"
        return "jsonl"


def read(path: Path, format_name: str, tree: RecordNode) -> Iterator[Row]:
    """Yield the rows of a file; see :meth:`Format.rows`."""
    with open_text(path) as file:
        yield from FORMATS[format_name].rows(file, tree)
