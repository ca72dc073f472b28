"""A grid of settings for runs over an item set: lists of choices, and the cells that they make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from itertools import product
from math import prod
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

from evaluation.suites.rules import Means, Side

#: Cells of a grid.
MOST_CELLS: Final = 200
#: Questions that the runs of one start ask together, since their chunks are cut in one transaction.
MOST_QUESTIONS: Final = 500_000
#: Examples before each question.
MOST_SHOTS: Final = 10
#: What a grid has in place of a scale where no picture is sent.
NO_PICTURE: Final = "none"

CellState: TypeAlias = Literal["start", "open", "paused", "closed", "blocked"]
"""What a start does with a cell: an equal run may be open, paused, or have ended."""
CELL_STATES: Final[tuple[CellState, ...]] = ("start", "open", "paused", "closed", "blocked")

Number = TypeVar("Number", int, Decimal)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """How a set is asked; None is the suite's default.

    Attributes:
        setting: The suite's setting; empty: the first.
        means: How the system answers; None: the first way that it is capable of.
        language: The language of the prompt.
        side: Which text of the questions is asked; None: the first that the set has.
        prompt: The number of the prompt's version; None: the lowest.
        picture: Whether pictures are sent.
        scale: The factor of both sides of each picture.
        shots: How many examples come before each question.
        examples: The item set from which they are drawn; None without examples.
        seed: Of their draw.
    """

    setting: str = ""
    means: Means | None = None
    language: str | None = None
    side: Side | None = None
    prompt: int | None = None
    picture: bool = True
    scale: str = "1"
    shots: int = 0
    examples: int | None = None
    seed: int = 0


class Cell(NamedTuple):
    """A system in one setting: a run, if it is started."""

    system: str
    chosen: Chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Choices for each part of a setting; an empty list is the suite's default.

    Attributes:
        systems: The systems' names.
        pictures: The factors of both sides of each picture; :data:`NO_PICTURE` sends none.
        shots: The numbers of examples before each question.
        examples: The item set from which examples are drawn.
        seed: Of their draw.
        again: Whether a cell is started whose equal run has ended.
    """

    systems: Sequence[str]
    settings: Sequence[str] = ()
    means: Sequence[Means] = ()
    sides: Sequence[Side] = ()
    languages: Sequence[str] = ()
    prompts: Sequence[int] = ()
    pictures: Sequence[str] = ()
    shots: Sequence[int] = ()
    examples: int | None = None
    seed: int = 0
    again: bool = False

    @property
    def size(self) -> int:
        """How many cells it has."""
        return prod(map(len, self._choices()))

    def cells(self) -> Iterator[Cell]:
        """Yield the cells, those of a system together and in the order of the lists."""
        for system, setting, means, side, language, prompt, picture, shots in product(*self._choices()):
            sent = picture != NO_PICTURE
            yield Cell(
                system,
                Chosen(
                    setting=setting,
                    means=means,
                    side=side,
                    language=language,
                    prompt=prompt,
                    picture=sent,
                    scale=picture if sent else "1",
                    shots=shots,
                    examples=self.examples if shots else None,
                    seed=self.seed if shots else 0,
                ),
            )

    def as_json(self) -> dict[str, Any]:
        """Return it as the audit log keeps it."""
        return {name: list(value) if isinstance(value, list | tuple) else value for name, value in asdict(self).items()}

    def _choices(self) -> tuple[list[Any], ...]:
        lists: tuple[tuple[Sequence[Any], Any], ...] = (
            (self.systems, None),
            (self.settings, ""),
            (self.means, None),
            (self.sides, None),
            (self.languages, None),
            (self.prompts, None),
            (self.pictures, "1"),
            (self.shots, 0),
        )
        return tuple(
            list(dict.fromkeys(choices)) or ([] if i == 0 else [usual]) for i, (choices, usual) in enumerate(lists)
        )


def that_fit(amounts: Iterable[Number], limit: Number) -> list[bool]:
    """Say of each amount whether it fits into what earlier ones leave of a limit; what is too large takes nothing."""
    left, fits = limit, []
    for amount in amounts:
        fits.append(amount <= left)
        if fits[-1]:
            left -= amount
    return fits


class PaceRow(NamedTuple):
    """How long a system's workers took for the entries of earlier runs in one setting."""

    system_id: int
    means: str
    setting: str
    has_picture: bool
    ms: int
    entries: int


def ms_for(rows: Sequence[PaceRow], means: str, setting: str, *, has_picture: bool) -> float | None:
    """Return the milliseconds that a system takes for an entry: in the same setting if known, else in a similar one.

    Args:
        rows: The system's own rows.
        means: How it answers. Ways differ so much that one says nothing of another.
        setting: The suite's setting.
        has_picture: Whether pictures are sent.
    """
    answered = [row for row in rows if row.means == means]
    same = [row for row in answered if row.setting == setting]
    equal = [row for row in same if row.has_picture == has_picture]
    for near in (equal, same, answered):
        if entries := sum(row.entries for row in near):
            return sum(row.ms for row in near) / entries
    return None
