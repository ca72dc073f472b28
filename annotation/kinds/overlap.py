"""Measures of text overlap, which kinds choose in their settings.

Papers that limit overlap seldom name their measure, so the protocol does. Shares are compared as integers, never as
floats, so that a share of exactly the limit is allowed.
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
    """The allowed overlap of two texts of one item."""

    measure: Literal["bigram_jaccard", "shared_over_shorter", "shared_over_longer"]
    limit_percent: int = Field(ge=0, le=100)


@dataclass(frozen=True, slots=True)
class Units:
    """A text split into a measure's units, each with its range in UTF-16 code units."""

    units: list[str]
    places: list[tuple[int, int]]


# Cached, because the same few thousand characters make up all texts of a language.
@lru_cache(maxsize=16_384)
def _unit(grapheme: str) -> tuple[str | None, int]:
    """Fold a character in width and case; None if it does not count. Also return its number of UTF-16 code units."""
    folded = text.folded(grapheme)
    return (folded[0] if folded else None), text.utf16_length(grapheme)


# Cached, because each save of a draft compares all texts of an item, of which only one has changed.
@lru_cache(maxsize=2_048)
def characters(value: str) -> Units:
    """Split a text into its counted characters, folded in width and case."""
    units, places, start = [], [], 0
    for grapheme in text.graphemes(value):
        unit, length = _unit(grapheme)
        end = start + length
        if unit is not None:
            units.append(unit)
            places.append((start, end))
        start = end
    return Units(units, places)


@lru_cache(maxsize=2_048)
def bigrams(value: str) -> Units:
    """Split a text into pairs of neighbouring counted characters."""
    one = characters(value)
    pairs = range(len(one.units) - 1)
    return Units(
        [one.units[i] + one.units[i + 1] for i in pairs], [(one.places[i][0], one.places[i + 1][1]) for i in pairs]
    )


# Each measure: how to split a text, and the denominator for two sets of units.
MEASURES: Final[Registry[tuple[Callable[[str], Units], Callable[[set[str], set[str]], int]]]] = Registry(
    "overlap measure",
    {
        "bigram_jaccard": (bigrams, lambda a, b: len(a | b)),
        "shared_over_shorter": (characters, lambda a, b: min(len(a), len(b))),
        "shared_over_longer": (characters, lambda a, b: max(len(a), len(b))),
    },
)


def overlap(one: str, other: str, measure: str) -> tuple[int, int]:
    """Return (shared, total) for two texts; the overlap is ``shared / total``, and ``total`` is 0 for empty texts."""
    cut, denominator = MEASURES[measure]
    a, b = set(cut(one).units), set(cut(other).units)
    return len(a & b), denominator(a, b)


def _marks(value: str, field: str, shared: set[str], measure: str) -> list[Span]:
    """Return the spans of a text with shared units; adjacent ones are joined."""
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
    """Compare every two texts of an item; a finding belongs to the later one and marks both.

    Args:
        values: The texts.
        fields: The fields of the texts.
        rule: The measure and the limit.
        code: Prefix of the findings' codes: ``<code>_identical``, and ``<code>_overlap``, which a reason overrides.
            Their ``other`` is the earlier text's index.
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
