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


def _unit(grapheme: str) -> tuple[str | None, int]:
    """Fold a character in width and case; None if it does not count. Also return its number of UTF-16 code units."""
    folded = text.folded(grapheme)
    return (folded[0] if folded else None), text.utf16_length(grapheme)


def characters(value: str) -> Units:
    """Split a text into its counted characters, folded in width and case."""
    return _short_characters(value) if len(value) <= CACHED_TEXT else _characters(value)


def _characters(value: str) -> Units:
    units, places, start = [], [], 0
    for grapheme in text.graphemes(value):
        unit, length = _short_unit(grapheme) if len(grapheme) <= CACHED_CHARACTER else _unit(grapheme)
        end = start + length
        if unit is not None:
            units.append(unit)
            places.append((start, end))
        start = end
    return Units(units, places)


def bigrams(value: str) -> Units:
    """Split a text into pairs of neighbouring counted characters."""
    return _short_bigrams(value) if len(value) <= CACHED_TEXT else _bigrams(value)


def _bigrams(value: str) -> Units:
    one = characters(value)
    pairs = range(len(one.units) - 1)
    return Units(
        [one.units[i] + one.units[i + 1] for i in pairs], [(one.places[i][0], one.places[i + 1][1]) for i in pairs]
    )


# Cached, because the same few thousand characters make up all texts of a language, and because each save of a draft
# compares all texts of an item, of which only one has changed. Long ones are not cached: thousands of fields of a
# thousand characters would take most of a gigabyte of each process.
CACHED_CHARACTER: Final = 8
CACHED_TEXT: Final = 100
MOST_MARKS: Final = 100  # of one text in one finding
_short_unit: Final = lru_cache(maxsize=16_384)(_unit)
_short_characters: Final = lru_cache(maxsize=2_048)(_characters)
_short_bigrams: Final = lru_cache(maxsize=2_048)(_bigrams)

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


def _marks(units: Units, field: str, shared: set[str]) -> list[Span]:
    """Return the first spans of a text with shared units; adjacent ones are joined."""
    joined: list[tuple[int, int]] = []
    for unit, (start, end) in zip(units.units, units.places, strict=True):
        if unit not in shared:
            continue
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        elif len(joined) < MOST_MARKS:
            joined.append((start, end))
        else:
            break
    return [Span(field, start, end) for start, end in joined]


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
    cuts = [cut(v) for v in values]  # once for each text, however many others it is compared with
    units = [set(c.units) for c in cuts]
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
        spans = (*_marks(cuts[j], fields[j], shared), *_marks(cuts[i], fields[i], shared))
        findings.append(Finding(f"{code}_overlap", fields[j], "error", params, spans, overridable=True))
    return findings
