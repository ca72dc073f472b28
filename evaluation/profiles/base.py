"""The interface of profiles: gold, answers, units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from typing_extensions import TypedDict

from evaluation.profiles.forms import with_form
from evaluation.profiles.rows import Row, WrongInput

Status: TypeAlias = Literal["scored", "missing", "unparsable", "refused", "failed"]
NO_CHANCES: Final[Mapping[str, float]] = MappingProxyType({})


class Gold(NamedTuple):
    """One question of the gold file.

    Attributes:
        id: Its id, unique in the file.
        gold: The right answer, in the profile's own form; None: the row withholds it.
        cluster: Its picture; questions about one picture depend on each other.
        tags: Its groups for breakdowns: category, subject, pair …
        row: The row from which it was read.
    """

    id: str
    gold: Any
    cluster: str
    tags: Mapping[str, str]
    row: Mapping[str, Any]

    def unit(
        self,
        status: Status,
        values: Mapping[str, float],
        extracted: Any = None,
        rule: str = "",
        chances: Mapping[str, float] = NO_CHANCES,
    ) -> Unit:
        """Make the unit of this question."""
        return Unit(self.id, self.cluster, self.tags, status, values, extracted, rule, (), chances)


class Unit(NamedTuple):
    """The result of one counted unit: a question, or all shifts of one question.

    Attributes:
        values: Metric → value; a metric without a value does not count this unit in its denominator.
        extracted: The value read from the answer; None if unreadable.
        rule: The rule that read the answer or accepted it.
        members: The result of each question of a unit of several, such as the shifts of one; empty for one question.
        chances: Metric → the value that guessing among the options has on average; empty without options.
    """

    id: str
    cluster: str
    tags: Mapping[str, str]
    status: Status
    values: Mapping[str, float]
    extracted: Any = None
    rule: str = ""
    members: tuple[Unit, ...] = ()
    chances: Mapping[str, float] = NO_CHANCES


class FewKnown(TypedDict):
    """How little a file of predictions has in common with the gold.

    Attributes:
        known: Ids in both.
        in_file: Ids in the file.
        expected: Ids in the gold.
        unknown: A few ids of the file that are not in the gold.
        missing: A few ids of the gold that are not in the file.
    """

    known: int
    in_file: int
    expected: int
    unknown: list[str]
    missing: list[str]


#: The field of a row with the answer that a person read instead of a profile's rules, and the rule of its unit; None is
#: no answer. Files of predictions never have it: what a profile keeps of a row does not include it.
OVERRIDE: Final = "override"
#: How many ids are examples of a difference.
EXAMPLES: Final = 3


class Answers:
    """The predictions by id. To save memory, a row with a response only is stored as its text.

    Attributes:
        duplicates: Rows that repeat an id.
        missing: The first ids of the gold that it does not have.
    """

    def __init__(self) -> None:
        self._place: dict[str, int] = {}
        self._rows: list[Any] = []
        self._requested = bytearray()
        self._unanswered: set[str] = set()
        self._overrides: dict[str, str | None] = {}
        self.duplicates = 0
        self.missing: list[str] = []

    def add(self, name: str, fields: Mapping[str, Any]) -> None:
        """Add a row."""
        response = fields.get("response") if len(fields) == 1 else None
        value = response if isinstance(response, str) else fields
        place = self._place.setdefault(name, len(self._rows))
        if place == len(self._rows):
            self._rows.append(value)
            self._requested.append(0)
            return
        self.duplicates += 1
        existing = self._rows[place]
        if isinstance(existing, list):
            existing.append(value)
        else:
            self._rows[place] = [existing, value]

    def with_overrides(self, overrides: Mapping[str, str | None]) -> Answers:
        """Return the same rows, those of some ids with the answer that a person read; None: they have none."""
        other = Answers()
        other._place, other._rows, other.duplicates = self._place, self._rows, self.duplicates
        other._requested = bytearray(len(self._requested))
        other._overrides = dict(overrides)
        return other

    @property
    def overrides(self) -> int:
        """How many ids count with an answer that a person read."""
        return len(self._overrides)

    def all(self, name: str) -> Sequence[Mapping[str, Any]]:
        """Return all rows of an id, in the order of the file."""
        place = self._place.get(name)
        if place is None:
            return []
        existing = self._rows[place]
        rows = existing if isinstance(existing, list) else [existing]
        read = {OVERRIDE: self._overrides[name]} if name in self._overrides else {}
        return [{**({"response": row} if isinstance(row, str) else row), **read} for row in rows]

    def last(self, name: str) -> Mapping[str, Any] | None:
        """Return the last row of an id, as a dictionary filled from the file would."""
        place = self._place.get(name)
        if place is None:
            return None
        row = self._rows[place]
        if isinstance(row, list):
            row = row[-1]
        if name in self._overrides:
            return self.all(name)[-1]
        return {"response": row} if isinstance(row, str) else row

    def mark_requested(self, name: str) -> bool:
        """Record that the gold has this id; return False for a repeated one."""
        place = self._place.get(name)
        if place is None:
            fresh = name not in self._unanswered
            self._unanswered.add(name)
            if fresh and len(self.missing) < EXAMPLES:
                self.missing.append(name)
            return fresh
        fresh = not self._requested[place]
        self._requested[place] = 1
        return fresh

    def unknown(self) -> int:
        """Return the number of ids that the gold does not have."""
        return self._requested.count(0)

    def few_known(self) -> FewKnown | None:
        """Return how many ids are in both files, if it is less than half of the smaller one's; None otherwise.

        So neither a file for a part of the gold counts as a wrong one, nor a file for more than the gold.
        """
        in_file, known = len(self), len(self) - self.unknown()
        expected = known + len(self._unanswered)
        if in_file and 2 * known >= min(in_file, expected):
            return None
        strangers = (name for name, place in self._place.items() if not self._requested[place])
        return {
            "known": known,
            "in_file": in_file,
            "expected": expected,
            "unknown": list(islice(strangers, EXAMPLES)),
            "missing": self.missing,
        }

    def names(self) -> Iterable[str]:
        """Return all ids."""
        return self._place.keys()

    def __len__(self) -> int:
        """Return the number of ids."""
        return len(self._place)


class Extra(NamedTuple):
    """A profile's figure that is not a mean over units, with the facts behind it."""

    value: float | None
    details: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Profile:
    """One way to score a file.

    Attributes:
        name: ``benchmark-task/reading``.
        source: The paper's section or the published code that it follows.
        read_questions: Reads the questions of a row of the gold file, and their right answers unless the row withholds
            them (:func:`is_withheld`), as the files of hidden splits do.
        name_of: Returns the id of a row of predictions.
        keep: Returns the needed fields of a row of predictions; the fewer, the more rows fit into memory.
        units: Scores all questions, in any order.
        macro: Metric → tag: its value is the mean of the means of the tag's members instead of the mean over all units.
        finish: Computes further figures from all units.
        repeats: How a repeated id counts: the later row, each row by itself, or as an error.
        gold_once: Whether each id is unique in the gold; a caption may be a query for two pictures.
        needs: Field of a prediction → the other model that writes it; a unit without it gets the rule ``no <field>``.
        decides: The metric that says whether a unit is right, 1 or 0; empty if none does.
    """

    name: str
    source: str
    read_questions: Callable[[Row], Iterable[Gold]]
    name_of: Callable[[Row], str]
    keep: Callable[[Row], Mapping[str, Any]]
    units: Callable[[Iterable[Gold], Answers], Iterator[Unit]]
    macro: Mapping[str, str] = field(default_factory=dict)
    finish: Callable[[Sequence[Unit]], Mapping[str, Extra]] | None = None
    repeats: Literal["later", "each", "error"] = "later"
    gold_once: bool = True
    needs: Mapping[str, str] = field(default_factory=dict)
    decides: str = "accuracy"

    def read_gold(self, row: Row) -> list[Gold]:
        """Return the questions of a row of the gold file with their right answers, which scoring needs.

        Raises:
            WrongInput: The row is not of the profile's form, or withholds a right answer.
        """
        try:
            questions = list(self.read_questions(row))
        except WrongInput as error:
            raise with_form(error, row, self.name) from error
        for question in questions:
            if question.gold is None:
                withheld = WrongInput(row.file, row.line, "", f"the right answer of {question.id}; {_WITHHELD}")
                raise with_form(withheld, row, self.name)
        return questions


_WITHHELD: Final = "a file that withholds right answers can be answered, not scored"


def is_withheld(value: Any) -> bool:
    """Return whether a row's field has no right answer: it is missing, empty or blank."""
    if isinstance(value, list):
        return all(map(is_withheld, value))
    return value is None or (isinstance(value, str) and not value.strip())


#: Metrics whose values are not shares from 0 to 1.
NO_SHARES: Final = frozenset({"bias rate", "bias rate, all answers", "mean rank", "score", "votes"})
# Fields of a gold row for breakdowns, in every profile.
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
    """Return a plain gold row's values of :data:`BREAKDOWNS`."""
    tags = {}
    for name in _breakdowns_among(tuple(fields)):
        value = fields[name]
        if isinstance(value, (str, int)) and value != "":
            tags[name] = str(value)
    return tags


@lru_cache(maxsize=256)
def _breakdowns_among(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of :data:`BREAKDOWNS` among those of a row; most rows of a file have the same names."""
    return tuple(name for name in BREAKDOWNS if name in names)


def picture_of(fields: Mapping[str, Any], default: str) -> str:
    """Return the picture of a row; a row without a picture is a cluster of its own."""
    value = fields.get("image", fields.get("image_id", fields.get("picture")))
    return str(value) if isinstance(value, (str, int)) and value != "" else default
