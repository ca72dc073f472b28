"""What a profile is given and what it owes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from evaluation.profiles.rows import Row

Status: TypeAlias = Literal["scored", "missing", "unparsable", "refused", "failed"]


class Gold(NamedTuple):
    """One thing that is asked.

    Attributes:
        id: Its name, once in the file.
        gold: The right answer, in the profile's own form.
        cluster: The picture it belongs to: questions about one picture stand or fall together.
        tags: What it can be broken down by: category, subject, pair …
        row: The row it was read from.
    """

    id: str
    gold: Any
    cluster: str
    tags: Mapping[str, str]
    row: Mapping[str, Any]


class Unit(NamedTuple):
    """What became of one thing that is counted: a question, or a group of shifts of one.

    Attributes:
        values: Metric → value; a metric that is left out does not count this unit in its denominator.
        extracted: What was read out of the answer, None where nothing was.
        rule: Which rule read it or took it as right.
    """

    id: str
    cluster: str
    tags: Mapping[str, str]
    status: Status
    values: Mapping[str, float]
    extracted: Any = None
    rule: str = ""


class Answers:
    """The predictions, by id, in little memory: a row that is a response alone is kept as its text.

    Attributes:
        duplicates: Rows whose id had come before.
    """

    def __init__(self) -> None:
        self._place: dict[str, int] = {}
        self._rows: list[Any] = []
        self._asked = bytearray()
        self._unanswered: set[str] = set()
        self.duplicates = 0

    def add(self, name: str, fields: Mapping[str, Any]) -> None:
        """Keep a row."""
        kept = fields["response"] if fields.keys() == {"response"} and isinstance(fields["response"], str) else fields
        place = self._place.setdefault(name, len(self._rows))
        if place == len(self._rows):
            self._rows.append(kept)
            self._asked.append(0)
            return
        self.duplicates += 1
        known = self._rows[place]
        if isinstance(known, list):
            known.append(kept)
        else:
            self._rows[place] = [known, kept]

    def all(self, name: str) -> Sequence[Mapping[str, Any]]:
        """Every row of an id, in the order of the file."""
        place = self._place.get(name)
        if place is None:
            return []
        known = self._rows[place]
        rows = known if isinstance(known, list) else [known]
        return [{"response": row} if isinstance(row, str) else row for row in rows]

    def last(self, name: str) -> Mapping[str, Any] | None:
        """The row of an id that came last, as in a dictionary that is filled from the file."""
        rows = self.all(name)
        return rows[-1] if rows else None

    def ask(self, name: str) -> bool:
        """Note that an id is asked for; False when it was before."""
        place = self._place.get(name)
        if place is None:
            fresh = name not in self._unanswered
            self._unanswered.add(name)
            return fresh
        fresh = not self._asked[place]
        self._asked[place] = 1
        return fresh

    def unknown(self) -> int:
        """How many ids nobody asked for."""
        return self._asked.count(0)

    def names(self) -> Iterable[str]:
        """Every id."""
        return self._place.keys()

    def __len__(self) -> int:
        """How many ids there are."""
        return len(self._place)


class Extra(NamedTuple):
    """A figure of a profile that is no mean over units, with what it was made of."""

    value: float | None
    details: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Profile:
    """One way to score a file.

    Attributes:
        name: ``benchmark-task/reading``.
        source: Paper and section, or the published code, it follows.
        read_gold: Makes what is asked out of a row of the gold file.
        name_of: The id of a row of predictions.
        keep: What of a row of predictions has to be held; the less, the more rows fit.
        units: Judges everything that was asked, in any order.
        macro: Metric → tag: the mean of the means of the tag's members instead of the mean over all units.
        finish: Figures beside the means, over all units.
        repeats: What a second row of an id means: the later row counts, each row counts for itself, or it is an error.
        gold_once: Whether each id stands once in the gold; a caption may be asked about under two pictures.
        needs: Field of a prediction → which other model writes it; a unit without one has the rule ``no <field>``.
    """

    name: str
    source: str
    read_gold: Callable[[Row], Iterable[Gold]]
    name_of: Callable[[Row], str]
    keep: Callable[[Row], Mapping[str, Any]]
    units: Callable[[Iterable[Gold], Answers], Iterator[Unit]]
    macro: Mapping[str, str] = field(default_factory=dict)
    finish: Callable[[Sequence[Unit]], Mapping[str, Extra]] | None = None
    repeats: Literal["later", "each", "error"] = "later"
    gold_once: bool = True
    needs: Mapping[str, str] = field(default_factory=dict)


# Fields of a gold row that results are broken down by, whatever the profile.
BREAKDOWNS: Final = (
    "category",
    "group",
    "domain",
    "subject",
    "grade",
    "type",
    "difficulty",
    "pair",
    "country",
    "language",
    "continent",
    "script",
    "split",
    "source",
    "distance",
)


def tags_of(fields: Mapping[str, Any]) -> dict[str, str]:
    """What a plain gold row carries of :data:`BREAKDOWNS`."""
    return {
        name: str(fields[name]) for name in BREAKDOWNS if isinstance(fields.get(name), str | int) and fields[name] != ""
    }


def picture_of(fields: Mapping[str, Any], default: str) -> str:
    """The picture of a row; one without any is a cluster of its own."""
    value = fields.get("image", fields.get("image_id", fields.get("picture")))
    return str(value) if isinstance(value, str | int) and str(value) else default
