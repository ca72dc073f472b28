"""Boxes: every object of a listed category in a picture, each with its category (CVLUE appendix A.2.1).

A box is ``[x, y, width, height]`` in pixels of the picture as it is shown, whose origin is its upper left corner, with
two decimals: it is stored as it was drawn, whatever the zoom.

What no release may have is an error: a box that is incomplete, outside of the picture, or too small. Two boxes around
nearly the same place, and fewer objects than the picture's subset asks for, may stay with a reason, because there are
pictures on which both are right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import Field

from annotation.kinds.base import DoubledSettings, Finding, Rules
from annotation.kinds.context import Context, Need
from annotation.kinds.rectangles import Rectangle, inside, overlap_reaches
from annotation.kinds.tree import CodeNode, KeyedNode, NumbersNode, RecordNode, resolve

MOST_BOXES: Final = 300  # of one picture; CVLUE has 6.3 on average


class BoxesSettings(DoubledSettings):
    """The protocol's settings of boxes.

    Attributes:
        side_minimum: Shortest side of a box in pixels; smaller objects are not boxed.
        duplicate_percent: Two boxes of one category need a reason if their intersection over union reaches this.
    """

    side_minimum: int = Field(ge=1, le=1_000)
    duplicate_percent: int = Field(ge=1, le=100)


class BoxesRules(Rules):
    """The rules of boxes that the workspace shows."""

    kind: Literal["boxes"] = "boxes"
    side_minimum: int
    duplicate_percent: int
    double_percent: int


def _missing(boxes: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """Report what keeps boxes from being complete."""
    if not boxes:
        yield Finding("nothing_drawn", "boxes", "error")
        return
    for box in boxes:
        if not box["box"]:
            yield Finding("box_missing", f"boxes.{box['key']}.box", "error")
        if not box["category"]:
            yield Finding("category_missing", f"boxes.{box['key']}.category", "error")


def _too_few(boxes: Sequence[Mapping[str, Any]], context: Context) -> Iterator[Finding]:
    """Report fewer objects of the picture's main category than its subset asks for, once something is drawn."""
    count = sum(box["category"] == context.main_category for box in boxes)
    if boxes and context.main_category and count < context.main_minimum:
        params = {"count": count, "minimum": context.main_minimum, "category": context.main_category}
        yield Finding("too_few_of_main", "boxes", "error", params, overridable=True)


def _places(
    boxes: Sequence[Mapping[str, Any]], drawn: Mapping[str, Rectangle], side_minimum: int, context: Context
) -> Iterator[Finding]:
    known = None if context.categories is None else {choice.code for choice in context.categories}
    least = Rectangle.of((0, 0, side_minimum, side_minimum))
    for box in boxes:
        path, category = f"boxes.{box['key']}", box["category"]
        if category and known is not None and category not in known:
            yield Finding("category_unknown", f"{path}.category", "error", {"category": category})
        if (place := drawn.get(box["key"])) is None:
            continue
        if place.width < least.width or place.height < least.height:
            yield Finding("tiny", f"{path}.box", "error", {"minimum": side_minimum})
        # Without a picture, only the fields of a content are asked for.
        if context.width and not inside(place, context.width, context.height):
            yield Finding("outside", f"{path}.box", "error", {"width": context.width, "height": context.height})


def _duplicates(boxes: Sequence[Mapping[str, Any]], drawn: Mapping[str, Rectangle], percent: int) -> Iterator[Finding]:
    """Report each box that is nearly where an earlier one of its category is; ``other`` is that one's position."""
    earlier: dict[str, list[tuple[int, Rectangle]]] = {}
    for n, box in enumerate(boxes):
        place = drawn.get(box["key"])
        if place is None or not box["category"]:
            continue
        same = earlier.setdefault(box["category"], [])
        other = next((i for i, before in same if overlap_reaches(before, place, percent)), None)
        if other is None:
            same.append((n, place))
        else:
            field, params = f"boxes.{box['key']}.box", {"other": other}
            yield Finding("duplicate", field, "error", params, overridable=True)


class Boxes:
    """The kind of boxes."""

    name = "boxes"
    prefix = "box"
    content_schema = 1
    settings = BoxesSettings
    rules_shape = BoxesRules
    needs: tuple[Need, ...] = ("categories",)
    base = None

    def tree(self, settings: BoxesSettings, context: Context) -> RecordNode:
        """See :class:`annotation.kinds.base.Kind`."""
        box = RecordNode(fields={"category": CodeNode(list="categories"), "box": NumbersNode(count=4)})
        meaning = (
            "the objects of listed categories, each with its category and its box: x and y of the upper left corner, "
            "width and height in pixels"
        )
        return RecordNode(fields={"boxes": KeyedNode(of=box, answer=True, meaning=meaning)})

    def check(
        self, content: Mapping[str, Any], settings: BoxesSettings, context: Context, *, complete: bool
    ) -> list[Finding]:
        """See :class:`annotation.kinds.base.Kind`."""
        boxes = content["boxes"]
        if len(boxes) > MOST_BOXES:
            return [Finding("too_many", "boxes", "error", {"count": len(boxes), "maximum": MOST_BOXES})]
        drawn = {box["key"]: Rectangle.of(box["box"]) for box in boxes if box["box"]}
        findings = list(_missing(boxes)) if complete else []
        findings += _too_few(boxes, context)
        findings += _places(boxes, drawn, settings.side_minimum, context)
        findings += _duplicates(boxes, drawn, settings.duplicate_percent)
        return findings

    def rules(self, settings: BoxesSettings, context: Context) -> BoxesRules:
        """See :class:`annotation.kinds.base.Kind`."""
        return BoxesRules.of(settings, resolve(self.tree(settings, context), context))


KIND: Final = Boxes()
