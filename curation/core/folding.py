"""Texts as searches compare them (no Django here)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from opencc import OpenCC

from curation.core.text import normalize, without_invisible

# Blocks of Chinese characters: extension A with the main block, compatibility forms, the planes above the first.
_HAN: Final = (range(0x3400, 0xA000), range(0xF900, 0xFB00), range(0x20000, 0x32400))


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
