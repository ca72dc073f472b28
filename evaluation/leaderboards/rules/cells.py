"""The input of tables and charts: one cell for each number on a board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from evaluation.leaderboards.rules.words import WORDS


class System(NamedTuple):
    """A system's name on charts; ``lacks`` is true while some answers are missing.

    Attributes:
        row: The row's name in addresses and files: ``run-5``, ``submission-3``; empty where it is not displayed.
        manner: How it was asked, in the words of settings; it tells rows of one system apart.
        is_blind: It was sent no pictures.
        cost: What its replies cost, with the currency; empty where they were free or the reader may not see it.
    """

    key: int
    name: str
    slug: str
    revision: str
    is_demo: bool
    lacks: bool
    row: str = ""
    manner: tuple[str, ...] = ()
    is_blind: bool = False
    cost: tuple[str, str] = ("", "")


class Group(NamedTuple):
    """A group of pictures: its key, and its name in the file's language."""

    key: str
    name: str


class Cell(NamedTuple):
    """One number, mostly a share 0..1, with its interval, None if nothing was scored; counts are queries or questions.

    ``chance`` is what guessing gives, ``text_only`` the same without pictures. Groups of questions have no counts but
    those of what is expected and scored.
    """

    system: int
    scope: str
    metric: str
    group: str
    value: float | None
    low: float | None
    high: float | None
    n_expected: int
    n_scored: int
    n_missing: int | None
    n_failed: int | None
    n_unparsable: int | None = None
    n_refused: int | None = None
    chance: float | None = None
    text_only: float | None = None


class Board(NamedTuple):
    """The content of a file.

    Attributes:
        title: The title of the release or of the item set.
        profile: The scoring profile.
        digest: The digest of the gallery or of the item set.
        group_by: Empty, or what the figures are grouped by: ``category``, ``distance``, a tag of questions.
        scopes: Retrieval's directions in display order; one empty scope for questions.
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

    @property
    def about_questions(self) -> bool:
        """Whether it is about questions, not about retrieval."""
        return tuple(self.scopes) == ("",)

    @property
    def chance(self) -> float | None:
        """What guessing gives by the first metric over everything, if it is the same for all systems."""
        chances = {cell.chance for cell in self.cells if cell.metric == self.metrics[0] and not cell.group}
        return chances.pop() if len(chances) == 1 else None


def display_names(systems: Sequence[System], lang: str) -> dict[int, str]:
    """Return the systems' names in files; systems of equal name get what tells them apart."""
    return {key: name + apart for key, (name, apart) in names_apart(systems, lang).items()}


def names_apart(systems: Sequence[System], lang: str) -> dict[int, tuple[str, str]]:
    """Return each system's name, and what tells its row apart: settings, its number where they are equal, marks."""
    words = WORDS[lang]
    parts = {one.key: _apart(one, [other for other in systems if other.name == one.name]) for one in systems}
    alike = Counter((one.name, parts[one.key], one.is_blind) for one in systems)
    names = {}
    for system in systems:
        marks = {words.blind: system.is_blind, words.demo: system.is_demo, words.lacking: system.lacks}
        true_marks = [mark for mark, holds in marks.items() if holds]
        is_alone = alike[system.name, parts[system.key], system.is_blind] == 1
        number = f" #{system.row}" if system.row and not is_alone else ""
        marked = f" ({', '.join(true_marks)})" if true_marks else ""
        names[system.key] = (system.name, parts[system.key] + number + marked)
    return names


def _apart(system: System, of_name: Sequence[System]) -> str:
    """Return by what settings a system differs from others of its name: revision, manner."""
    differs = system.revision and len({other.revision for other in of_name}) > 1
    parts = f" @ {system.revision[:12]}" if differs else ""
    columns = zip(system.manner, *(other.manner for other in of_name if other.manner), strict=False)
    differing = [own for own, *every in columns if len(set(every)) > 1]
    return f"{parts} {' '.join(differing)}" if differing else parts
