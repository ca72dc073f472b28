"""Which object a click means, the order of expressions, and notification types of the pair track."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from annotation.kinds.rectangles import PER_PIXEL, Rectangle
from curation.people.rules import notice_type

POINT: Final = "point"
ANSWERS: Final = (POINT, "not_found", "several")
SEED_BYTES: Final = 16
NOTICES: Final = {
    "item_click_failed": notice_type("item", "item"),
    "item_decided": notice_type("item", "item"),
    "item_base_changed": notice_type("item", "item", "base"),
}


def in_order(seed: bytes, person_id: int, keys: Iterable[str]) -> list[str]:
    """Return the keys of expressions in the order in which a person gets them: random, and always the same."""
    return sorted(keys, key=lambda key: (hashlib.sha256(seed + f"{person_id}:{key}".encode()).digest(), key))


def object_at(boxes: Sequence[Mapping[str, Any]], x: float, y: float) -> str:
    """Return the key of the smallest box that a point is in, edges included; empty if it is in none.

    Of boxes of one size the first counts.
    """
    at_x, at_y = round(x * PER_PIXEL), round(y * PER_PIXEL)
    holding: list[tuple[int, str]] = []
    for box in boxes:
        place = Rectangle.of(box["box"])
        if place.x <= at_x <= place.x + place.width and place.y <= at_y <= place.y + place.height:
            holding.append((place.area, box["key"]))
    return min(holding, key=lambda held: held[0], default=(0, ""))[1]
