"""Arithmetic of the package track."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Any, NamedTuple


def seeded_order(seed: bytes, ids: Sequence[int]) -> list[int]:
    """Order ids by sha256(seed ‖ id in decimal digits); anybody with the seed can check it."""
    return sorted(ids, key=lambda i: hashlib.sha256(seed + str(i).encode()).digest())


def cut(ids: Sequence[int], size: int, *, complete_only: bool) -> list[list[int]]:
    """Cut into batches of ``size``; the last may be smaller unless only complete ones are wanted."""
    batches = [list(ids[i : i + size]) for i in range(0, len(ids), size)]
    if complete_only and batches and len(batches[-1]) < size:
        batches.pop()
    return batches


_PICTURE = re.compile(r"(?:img-)?([0-9]{1,9})")


class RowFault(NamedTuple):
    """What is wrong with a row of an import; ``row`` counts from 1, ``code`` is translated by the browser."""

    row: int
    code: str
    params: dict[str, Any]


def rows_named(rows: Sequence[tuple[str, int]]) -> tuple[dict[tuple[int, int], int], list[RowFault]]:
    """Read an import's rows, each a picture's label or number and a slot.

    Returns:
        The row that names each (picture's number, slot), in order, and the faults that need no look at the pictures.
    """
    named: dict[tuple[int, int], int] = {}
    faults = []
    for row, (image, slot) in enumerate(rows, 1):
        found = _PICTURE.fullmatch(image.strip())
        if found is None:
            faults.append(RowFault(row, "image_unknown", {"image": image}))
            continue
        place = (int(found[1]), slot)
        if place in named:
            faults.append(RowFault(row, "row_twice", {"image": image, "first": named[place]}))
        else:
            named[place] = row
    return named, faults
