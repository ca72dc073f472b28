"""How an item's texts are indexed, by pairs of neighbouring characters, and what of them a result shows.

Pairs, because Chinese, Japanese and Thai have no blanks between words, and because they need nothing of PostgreSQL but
an index on arrays of numbers (docs/decisions/0060).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from curation.core.folding import fold

PASSAGE: Final = 120  # characters of a text that a result shows


def grams(texts: Iterable[str]) -> list[int]:
    """The pairs of neighbouring characters in folded texts, sorted, as signed 32-bit numbers.

    Rare characters, which take more than 16 bits, may share a number with another pair. Matches are compared by text.
    """
    pairs = {(ord(a) << 16 ^ ord(b)) & 0xFFFFFFFF for text in texts for a, b in pairwise(text)}
    return sorted(pair - (1 << 32) if pair >> 31 else pair for pair in pairs)


def passage(texts: Sequence[str], words: Sequence[str]) -> str:
    """The part of an item's texts that shows why it matches: ``PASSAGE`` characters of the text with most of the words.

    Empty if none of the texts has any of the words.
    """

    def contained(text: str) -> int:
        folded = fold(text)
        return sum(word in folded for word in words)

    best = max(texts, key=contained, default="")
    if not contained(best):
        return ""
    windows = [best[start : start + PASSAGE] for start in range(0, max(len(best) - PASSAGE // 2, 1), PASSAGE // 2)]
    return max(windows, key=contained)
