"""How alike texts are: measures that kinds choose among by their settings.

A paper that limits overlap seldom names its measure, so the protocol does. Shares are compared as integers, never as
floats, so that exactly the limit is within it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final, Literal

from pydantic import Field

from annotation.kinds.base import Finding, Settings, Span
from curation.core import text
from curation.core.registry import Registry


class Overlap(Settings):
    """How alike two texts of one item may be."""

    measure: Literal["bigram_jaccard", "shared_over_shorter", "shared_over_longer"]
    limit_percent: int = Field(ge=0, le=100)


@dataclass(frozen=True, slots=True)
class Units:
    """A text cut into what a measure compares, each unit with its place in UTF-16 code units."""

    units: list[str]
    places: list[tuple[int, int]]


# The same few thousand characters make up all texts of a language.
@lru_cache(maxsize=16_384)
def _unit(grapheme: str) -> tuple[str | None, int]:
    """A character folded in width and case, None where it does not count, and how many UTF-16 code units it takes."""
    folded = text.folded(grapheme)
    return (folded[0] if folded else None), text.utf16_length(grapheme)


# With each save of a draft all of an item's texts are compared anew, of which one has changed.
@lru_cache(maxsize=2_048)
def characters(value: str) -> Units:
    """Cut a text into its counted characters, folded in width and case."""
    units, places, at = [], [], 0
    for grapheme in text.graphemes(value):
        unit, length = _unit(grapheme)
        end = at + length
        if unit is not None:
            units.append(unit)
            places.append((at, end))
        at = end
    return Units(units, places)


@lru_cache(maxsize=2_048)
def bigrams(value: str) -> Units:
    """Cut a text into pairs of neighbouring counted characters."""
    one = characters(value)
    pairs = range(len(one.units) - 1)
    return Units(
        [one.units[i] + one.units[i + 1] for i in pairs], [(one.places[i][0], one.places[i + 1][1]) for i in pairs]
    )


# Each measure: how to cut, and the denominator for two sets of units.
MEASURES: Final[Registry[tuple[Callable[[str], Units], Callable[[set[str], set[str]], int]]]] = Registry(
    "overlap measure",
    {
        "bigram_jaccard": (bigrams, lambda a, b: len(a | b)),
        "shared_over_shorter": (characters, lambda a, b: min(len(a), len(b))),
        "shared_over_longer": (characters, lambda a, b: max(len(a), len(b))),
    },
)


def overlap(one: str, other: str, measure: str) -> tuple[int, int]:
    """Return (shared, of) for two texts: they overlap by ``shared / of``; ``of`` is 0 where there is nothing."""
    cut, denominator = MEASURES[measure]
    a, b = set(cut(one).units), set(cut(other).units)
    return len(a & b), denominator(a, b)


def _marks(value: str, field: str, shared: set[str], measure: str) -> list[Span]:
    """The stretches of a text that hold shared units, neighbours joined."""
    cut, _ = MEASURES[measure]
    units = cut(value)
    spans: list[Span] = []
    for unit, (start, end) in zip(units.units, units.places, strict=True):
        if unit not in shared:
            continue
        if spans and start <= spans[-1].end:
            spans[-1] = Span(field, spans[-1].start, max(end, spans[-1].end))
        else:
            spans.append(Span(field, start, end))
    return spans


def pairwise(values: Sequence[str], fields: Sequence[str], rule: Overlap, *, code: str) -> list[Finding]:
    """Compare every two texts of an item; a finding stands at the later one and marks both.

    Args:
        values: The texts.
        fields: Where they stand.
        rule: The measure and the limit.
        code: Beginning of the findings' codes: ``<code>_identical`` and, to be overridden with a reason,
            ``<code>_overlap``. Their ``other`` is the earlier text's index.
    """
    cut, denominator = MEASURES[rule.measure]
    letters = [characters(v).units for v in values]
    units = [set(cut(v).units) for v in values]
    findings = []
    for i, j in combinations(range(len(values)), 2):
        if not letters[i] or not letters[j]:
            continue
        if letters[i] == letters[j]:
            findings.append(Finding(f"{code}_identical", fields[j], "error", {"other": i}))
            continue
        shared, of = units[i] & units[j], denominator(units[i], units[j])
        if len(shared) * 100 <= rule.limit_percent * of:
            continue
        params = {
            "other": i,
            "percent": len(shared) * 100 // of,
            "limit": rule.limit_percent,
            "measure": rule.measure,
        }
        spans = [
            *_marks(values[j], fields[j], shared, rule.measure),
            *_marks(values[i], fields[i], shared, rule.measure),
        ]
        findings.append(Finding(f"{code}_overlap", fields[j], "error", params, tuple(spans), overridable=True))
    return findings
