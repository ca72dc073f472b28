"""Pure functions of the package track: batches, round-robin assignment, rows of an import."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

from curation.lib.sampling import seeded_order
from curation.people.rules import notice_type

T = TypeVar("T")
NOTICES: Final = {
    "package_assigned": notice_type("package", "package"),
    "package_taken_back": notice_type("package", "package", "comment"),
}


def chunks(ids: Sequence[int], size: int, *, complete_only: bool) -> list[list[int]]:
    """Split into batches of ``size``; the last may be smaller unless ``complete_only``."""
    batches = [list(ids[i : i + size]) for i in range(0, len(ids), size)]
    if complete_only and batches and len(batches[-1]) < size:
        batches.pop()
    return batches


def batches(
    items: Sequence[tuple[int, int | None]], *, seed: bytes, size: int, mix: str, complete_only: bool
) -> list[list[int]]:
    """Batch items for packages; the same items and seed give the same batches.

    Args:
        items: The number and category of each item; numbers are unique.
        seed: Determines the order; see :func:`curation.lib.sampling.seeded_order`.
        size: Items in a full batch.
        mix: ``shuffled``: in seeded order; ``spread``: each batch has the same share of each category as all items;
            ``single``: each batch is of one category, and batches of the categories alternate.
        complete_only: Leave out batches that are not full.
    """
    order = seeded_order(seed, [number for number, _ in items])
    if mix == "shuffled":
        return chunks(order, size, complete_only=complete_only)
    category_of = dict(items)
    groups: dict[int | None, list[int]] = {}
    for number in order:
        groups.setdefault(category_of[number], []).append(number)
    if mix == "single":
        batches_of = {category: chunks(group, size, complete_only=complete_only) for category, group in groups.items()}
        rounds = sorted(
            (round_no, _category_key(category), category)
            for category, each in batches_of.items()
            for round_no in range(len(each))
        )
        return [batches_of[category][round_no] for round_no, _, category in rounds]
    # Each category's items are spaced evenly between 0 and 1, so that every interval has the same share of each.
    places = {
        number: ((2 * i + 1) / (2 * len(group)), _category_key(category))
        for category, group in groups.items()
        for i, number in enumerate(group)
    }
    even = sorted(places, key=places.__getitem__)
    drawn = {number: i for i, number in enumerate(order)}
    return [sorted(batch, key=drawn.__getitem__) for batch in chunks(even, size, complete_only=complete_only)]


def place_copies(
    batches: Sequence[Sequence[int]],
    origins: Mapping[int, int | None],
    *,
    seed: bytes,
    most: int,
    people: int = 0,
    fits: Callable[[int, int], bool] = lambda number, batch: True,
) -> dict[int, int]:
    """Choose where copies of items go: never into the item's batch, nor to the person who gets that batch.

    The items are taken in seeded order, so that each is equally likely to be done twice; batches get copies in turn.

    Args:
        batches: The batches that are made.
        origins: Each item that may have a copy, with the position of its batch, also of one that is not made now;
            None for one in no batch.
        seed: Determines the order.
        most: The most copies.
        people: Number of people who get the batches in turn; 0: they are free.
        fits: Whether an item belongs in a batch, by its position.

    Returns:
        The batch of each copy, by the item's number.
    """
    placed: dict[int, int] = {}
    counts = [0] * len(batches)
    for number in seeded_order(seed + b"/copies", list(origins)):
        if len(placed) >= most:
            break
        origin = origins[number]
        others = [
            i
            for i in range(len(batches))
            if i != origin and not (people and origin is not None and i % people == origin % people) and fits(number, i)
        ]
        if not others:
            continue
        order = seeded_order(seed + b"/%d/" % number, others)
        placed[number] = min(order, key=counts.__getitem__)
        counts[placed[number]] += 1
    return placed


def _category_key(category: int | None) -> tuple[bool, int]:
    """The sort key of a category; None sorts last."""
    return (category is None, category or 0)


def round_robin(count: int, people: Sequence[T]) -> list[T | None]:
    """The assignee of each of ``count`` packages, in turn; None if there are no people."""
    return [people[i % len(people)] if people else None for i in range(count)]


def free_slots(taken: Sequence[int], minimum: int) -> list[int]:
    """The lowest slots that are not taken, as many as a picture needs to have ``minimum`` items."""
    free = (slot for slot in range(len(taken) + minimum) if slot not in taken)
    return list(islice(free, max(0, minimum - len(taken))))


_PICTURE = re.compile(r"(?:img-)?([0-9]{1,9})")


class RowFault(NamedTuple):
    """A fault of a row of an import; ``row`` counts from 1, the browser translates ``code``."""

    row: int
    code: str
    params: dict[str, Any]


def parse_rows(rows: Sequence[tuple[str, int]]) -> tuple[dict[tuple[int, int], int], list[RowFault]]:
    """Parse an import's rows, each a picture's label or number and a slot.

    Returns:
        The row of each (picture number, slot), in order, and the faults that do not depend on the pictures.
    """
    row_of: dict[tuple[int, int], int] = {}
    faults = []
    for row, (image, slot) in enumerate(rows, 1):
        match = _PICTURE.fullmatch(image.strip())
        if match is None:
            faults.append(RowFault(row, "image_unknown", {"image": image}))
            continue
        place = (int(match[1]), slot)
        if place in row_of:
            faults.append(RowFault(row, "row_twice", {"image": image, "first": row_of[place]}))
        else:
            row_of[place] = row
    return row_of, faults
