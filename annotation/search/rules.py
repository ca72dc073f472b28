"""How texts are compared in a search: folded, and indexed by pairs of neighbouring characters.

Pairs, because Chinese, Japanese and Thai have no blanks between words, and because they need nothing of PostgreSQL but
an index on arrays of numbers (docs/decisions/0060).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from opencc import OpenCC

from curation.core.text import normalize, without_invisible

# Blocks of Chinese characters: extension A with the main block, compatibility forms, the planes above the first.
_HAN: Final = (range(0x3400, 0xA000), range(0xF900, 0xFB00), range(0x20000, 0x32400))
PASSAGE: Final = 120  # characters of a text that a result shows


@lru_cache(maxsize=1)
def _simplified() -> dict[int, str]:
    """Simplified characters by the code points of traditional ones.

    One character at a time: with its context, 乾 would become 干 in some words only, and a part of a text would no
    longer be found in it.
    """
    convert = OpenCC("t2s").convert
    characters = [chr(code) for block in _HAN for code in block]
    once = convert("\n".join(characters)).split("\n")
    twice = convert("\n".join(once)).split("\n")
    return {ord(c): result for c, result in zip(characters, twice, strict=True) if c != result}


def fold(text: str) -> str:
    """Return ``text`` as searches compare it.

    Compatibility forms such as full-width letters, case, traditional characters, invisible characters and the width of
    blanks make no difference.
    """
    plain = normalize("NFKC", normalize("NFKC", without_invisible(text)).casefold())
    return " ".join(plain.translate(_simplified()).split())


def words_of(query: str) -> list[str]:
    """The folded words of a query, each once; a text matches if it contains all of them, in any order."""
    return list(dict.fromkeys(fold(query).split()))


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
