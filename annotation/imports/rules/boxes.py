"""Boxes of other tools: their categories by short name, name or number, and their edges in hundredths of a pixel."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from typing import Any, Final, NamedTuple

from annotation.imports.rules.rows import Fault, storable
from annotation.kinds.content import KEY
from annotation.kinds.tree import CodeNode, RecordNode, groups

DECIMALS: Final = 2
CATEGORIES: Final = "boxes"  # the field of the content, and of Label Studio's regions


class ForeignBox(NamedTuple):
    """A box as a file has it.

    Attributes:
        category: The category's short name, name or number.
        corners: Left, upper, right and lower edge in pixels.
        key: What the file calls it; empty if it does not.
    """

    category: Any
    corners: Sequence[float]
    key: str = ""


def has_boxes(tree: RecordNode) -> bool:
    """Return whether a kind's content is boxes."""
    return list(tree.fields) == [CATEGORIES]


class Categories:
    """Finds the benchmark's categories by what other tools call them."""

    def __init__(self, tree: RecordNode) -> None:
        choices = next(node.choices for _, node in groups(tree) if isinstance(node, CodeNode))
        self._codes = {choice.code for choice in choices}
        self._by_number = {choice.number: choice.code for choice in choices}
        self._by_name: dict[str, set[str]] = {}
        for choice in choices:
            for name in choice.name.values():
                self._by_name.setdefault(_folded(name), set()).add(choice.code)
            self._by_name.setdefault(_folded(choice.code), set()).add(choice.code)

    def code(self, value: Any) -> str | None:
        """Return the code of a category: by its code, else by a name that only it has, else by its number."""
        if isinstance(value, int) and not isinstance(value, bool):
            return self._by_number.get(value)
        if not isinstance(value, str):
            return None
        if value in self._codes:
            return value
        codes = self._by_name.get(_folded(value), set())
        if len(codes) == 1:
            return next(iter(codes))
        return self._by_number.get(int(value)) if value.isascii() and value.isdigit() and len(value) < 10 else None


def _folded(name: str) -> str:
    return " ".join(name.lower().replace("_", " ").replace("-", " ").split())


def content_of_boxes(boxes: Iterable[ForeignBox], categories: Categories) -> Mapping[str, Any] | Fault:
    """Build content from boxes; whether they are inside of the picture is checked later."""
    rows: list[dict[str, Any]] = []
    keys: set[str] = set()
    for n, box in enumerate(boxes):
        code = categories.code(box.category)
        if code is None:
            return Fault("category_unknown", {"category": storable(str(box.category))})
        if not all(math.isfinite(edge) for edge in box.corners):
            return Fault("row_not_understood", {})
        own = [box.key] if KEY.fullmatch(box.key) else []
        key = next(key for key in chain(own, (f"k{n}" if i == 0 else f"k{n}x{i}" for i in count())) if key not in keys)
        keys.add(key)
        rows.append({"key": key, "category": code, "box": _box(box.corners)})
    return {CATEGORIES: rows} if rows else Fault("row_without_boxes", {})


def _box(corners: Sequence[float]) -> list[float]:
    """Return x, y, width and height. Edges are rounded, so that a box which ends at the picture's edge stays in it."""
    left, upper, right, lower = (round(edge, DECIMALS) for edge in corners)
    return [left, upper, round(right - left, DECIMALS), round(lower - upper, DECIMALS)]


def corners(box: Any) -> list[float] | None:
    """Return the edges of a box given as x, y, width and height; None for anything else."""
    if not isinstance(box, list) or len(box) != 4 or not all(is_number(value) for value in box):
        return None
    x, y, width, height = box
    return [x, y, x + width, y + height]


def is_number(value: Any) -> bool:
    """Return whether a value of a file is a number that a coordinate may be."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1e9
