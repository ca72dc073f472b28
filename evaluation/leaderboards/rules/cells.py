"""The input of tables and charts: one cell for each number on a board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evaluation.leaderboards.rules.words import WORDS


class System(NamedTuple):
    """A system's name on charts; ``lacks`` is true while some answers are missing."""

    key: int
    name: str
    slug: str
    revision: str
    is_demo: bool
    lacks: bool


class Group(NamedTuple):
    """A group of pictures: its key, and its name in the file's language."""

    key: str
    name: str


class Cell(NamedTuple):
    """One number: a share 0..1 with its interval, None if nothing was scored; counts are queries."""

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
    """The content of a file.

    Attributes:
        title: The release's title.
        profile: The scoring profile.
        digest: The gallery's digest.
        group_by: Empty, ``category`` or ``distance``.
        scopes: Scopes in display order.
        metrics: Metrics in display order; charts of groups show the first.
        systems: Systems in display order.
        groups: Groups in display order; empty for scores over everything.
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


def display_names(board: Board, lang: str) -> dict[int, str]:
    """Return the systems' names in files; systems of equal name get their revision added."""
    words = WORDS[lang]
    system_names = [s.name for s in board.systems]
    labels = {}
    for system in board.systems:
        name = system.name if system_names.count(system.name) == 1 else f"{system.name} @ {system.revision[:12]}"
        marks = [mark for mark, holds in ((words.demo, system.is_demo), (words.lacking, system.lacks)) if holds]
        labels[system.key] = f"{name} ({', '.join(marks)})" if marks else name
    return labels
