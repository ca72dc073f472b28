"""The result of each question by itself, as lists of samples show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from evaluation.profiles.base import Profile, Status, Unit

Outcome: TypeAlias = Literal["right", "wrong", "scored", "unparsed", "refused", "failed", "missing"]
#: ``scored`` is neither right nor wrong, ``unparsed`` a reply in which the profile reads no answer.
OUTCOMES: Final[tuple[Outcome, ...]] = ("right", "wrong", "scored", "unparsed", "refused", "failed", "missing")
#: Characters of a text that was read in a reply; whole replies are stored elsewhere.
LONGEST_EXTRACT: Final = 500
# A judge's verdict may lie between 0 and 1.
_RIGHT_FROM: Final = 0.5
_UNREAD: Final[dict[Status, Outcome]] = {
    "missing": "missing",
    "unparsable": "unparsed",
    "refused": "refused",
    "failed": "failed",
}


class Result(NamedTuple):
    """The result of a question.

    Attributes:
        id: The question's id.
        outcome: What came of it.
        value: The metric that decides whether it is right; None without one.
        extracted: The value read in the reply, texts cut to :data:`LONGEST_EXTRACT` characters; None if unreadable.
        rule: The rule that read it.
    """

    id: str
    outcome: Outcome
    value: float | None
    extracted: Any
    rule: str


def results_of(profile: Profile, unit: Unit) -> Iterator[Result]:
    """Yield the result of each question of a unit."""
    for one in unit.members or (unit,):
        value = one.values.get(profile.decides)
        extracted = one.extracted[:LONGEST_EXTRACT] if isinstance(one.extracted, str) else one.extracted
        yield Result(one.id, _outcome(one.status, value), value, extracted, one.rule)


def _outcome(status: Status, value: float | None) -> Outcome:
    if status != "scored":
        return _UNREAD[status]
    if value is None:
        return "scored"
    return "right" if value >= _RIGHT_FROM else "wrong"


#: For each picture which of its units are right: 1 or 0 by id.
Rights: TypeAlias = dict[str, dict[str, int]]


def add_rights(rights: Rights, profile: Profile, units: Iterable[Unit]) -> None:
    """Add the units that count by the metric that decides whether a unit is right; without an answer they are wrong."""
    for unit in units:
        value = unit.values.get(profile.decides)
        if value is not None:
            rights.setdefault(unit.cluster, {})[unit.id] = int(value >= _RIGHT_FROM)
