"""Arithmetic of the package track."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


def seeded_order(seed: bytes, ids: Sequence[int]) -> list[int]:
    """Order ids by sha256(seed ‖ id in decimal digits); anybody with the seed can check it."""
    return sorted(ids, key=lambda i: hashlib.sha256(seed + str(i).encode()).digest())


def cut(ids: Sequence[int], size: int, *, complete_only: bool) -> list[list[int]]:
    """Cut into batches of ``size``; the last may be smaller unless only complete ones are wanted."""
    batches = [list(ids[i : i + size]) for i in range(0, len(ids), size)]
    if complete_only and batches and len(batches[-1]) < size:
        batches.pop()
    return batches


def batches(
    items: Sequence[tuple[int, int | None]], *, seed: bytes, size: int, mix: str, complete_only: bool
) -> list[list[int]]:
    """Batch items for packages; who has the seed and the items gets the same batches.

    Args:
        items: Number and category of each; a number stands once.
        seed: What the order is drawn by.
        size: Items in a full batch.
        mix: ``shuffled``: as they are drawn; ``spread``: each batch mirrors the categories of all; ``single``: each
            batch is of one category, and the categories take turns.
        complete_only: Leave out what fills no batch.
    """
    order = seeded_order(seed, [number for number, _ in items])
    if mix == "shuffled":
        return cut(order, size, complete_only=complete_only)
    category_of = dict(items)
    groups: dict[int | None, list[int]] = {}
    for number in order:
        groups.setdefault(category_of[number], []).append(number)
    if mix == "single":
        cuts = {category: cut(group, size, complete_only=complete_only) for category, group in groups.items()}
        turns = sorted(
            (turn, _last(category), category) for category, each in cuts.items() for turn in range(len(each))
        )
        return [cuts[category][turn] for turn, _, category in turns]
    # Each category's items stand at even distances between 0 and 1, so that any stretch holds the share of each.
    places = {
        number: ((2 * i + 1) / (2 * len(group)), _last(category))
        for category, group in groups.items()
        for i, number in enumerate(group)
    }
    even = sorted(places, key=places.__getitem__)
    drawn = {number: i for i, number in enumerate(order)}
    return [sorted(batch, key=drawn.__getitem__) for batch in cut(even, size, complete_only=complete_only)]


def _last(category: int | None) -> tuple[bool, int]:
    """A place in the order of categories; no category comes last."""
    return (category is None, category or 0)


def dealt(count: int, people: Sequence[T]) -> list[T | None]:
    """Deal packages in turn; nobody where there are no people."""
    return [people[i % len(people)] if people else None for i in range(count)]


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
