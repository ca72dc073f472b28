"""Boxes in the MS-COCO format for object detection: pictures, categories, one annotation per box.

A category's number is its number in the benchmark's list, its name the short name there, and its supercategory the
semantic field. The ``bbox`` is x, y, width and height in pixels with two decimals, as it is stored. Boxes of a split
whose answers are withheld are left out; the key file has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from annotation.kinds.context import Choice
from annotation.kinds.rectangles import PER_PIXEL, Rectangle
from annotation.kinds.tree import CodeNode, RecordNode, groups
from annotation.releases.exporters import coco
from annotation.releases.exporters.base import Content, Exporter, Facts, File, Out


def categories(tree: RecordNode) -> tuple[Choice, ...]:
    """Return the categories from which those of the boxes were chosen."""
    return next(node.choices for _, node in groups(tree) if isinstance(node, CodeNode))


def _category(choice: Choice) -> dict[str, Any]:
    return {
        "id": choice.number,
        "name": choice.code,
        "supercategory": choice.field,
        "names": dict(choice.name),
    }


def _annotations(numbers: Mapping[str, int]) -> Callable[[Mapping[str, Any]], Iterator[dict[str, Any]]]:
    def of_record(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for box in record["boxes"]:
            yield {
                "category_id": numbers[box["category"]],
                "bbox": box["box"],
                "area": Rectangle.of(box["box"]).area / PER_PIXEL**2,
                "iscrowd": 0,
                "segmentation": [],
            }

    return of_record


class CocoBoxes:
    """The exporter of MS-COCO boxes."""

    def files(self, facts: Facts) -> Sequence[File]:
        """Return one file per split, for boxes only."""
        return coco.files(facts, "boxes")

    def write(self, file: File, content: Content, out: Out) -> None:
        """Write a split's pictures, the categories and the boxes."""
        choices = categories(content.facts.tree)
        numbers = {choice.code: choice.number for choice in choices}
        coco.write(file, content, out, _annotations(numbers), [_category(choice) for choice in choices])


EXPORTER: Final[Exporter] = CocoBoxes()
