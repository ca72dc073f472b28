"""What every file is made from: one cell for each number on a board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evaluation.charts.words import WORDS


class System(NamedTuple):
    """A system's name on charts; ``lacks``: not everything was answered yet."""

    key: int
    name: str
    slug: str
    revision: str
    is_demo: bool
    lacks: bool


class Group(NamedTuple):
    """A group of pictures by its key, and by its name in the file's language."""

    key: str
    name: str


class Cell(NamedTuple):
    """One number: a share 0..1 with its interval, None where nothing could be scored; counts are queries."""

    system: int
    scope: str
    metric: str
    group: str
    value: float | None
    low: float | None
    high: float | None
    n_expected: int
    n_scored: int
    n_missing: int
    n_failed: int


class Board(NamedTuple):
    """Everything a file shows.

    Attributes:
        title: What the release is called.
        profile: How scores were made.
        digest: Which gallery.
        group_by: Empty, ``category`` or ``distance``.
        scopes: In the order they stand.
        metrics: In the order they stand; the first is the one that groups are drawn by.
        systems: In the order they stand.
        groups: In the order they stand; empty over everything.
        cells: The numbers.
    """

    title: str
    profile: str
    digest: str
    group_by: str
    scopes: Sequence[str]
    metrics: Sequence[str]
    systems: Sequence[System]
    groups: Sequence[Group]
    cells: Sequence[Cell]


def names(board: Board, lang: str) -> dict[int, str]:
    """Systems as files call them: told apart by revision where two are called the same."""
    words = WORDS[lang]
    called = [s.name for s in board.systems]
    found = {}
    for system in board.systems:
        name = system.name if called.count(system.name) == 1 else f"{system.name} @ {system.revision[:12]}"
        marks = [mark for mark, holds in ((words.demo, system.is_demo), (words.lacking, system.lacks)) if holds]
        found[system.key] = f"{name} ({', '.join(marks)})" if marks else name
    return found
