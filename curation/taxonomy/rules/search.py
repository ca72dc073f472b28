"""What people may type to find a category: its names in all languages, and the pinyin of its Chinese ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import regex

_HAN: Final = regex.compile(r"\p{Han}")
_GAPS: Final = regex.compile(r"[\s_-]+")


def search_strings(slug: str, name: Mapping[str, str]) -> list[str]:
    """Return the strings of which a typed part finds the category, each once, in lower case.

    They are the names, the slug in words, and for a name in simplified Chinese its toneless pinyin without blanks
    (``wushi`` for 舞狮) and the first letters of its syllables (``ws``).
    """
    simplified = name.get("zh-Hans", "")
    strings = [*name.values(), _GAPS.sub(" ", slug), *_pinyin(simplified)]
    return list(dict.fromkeys(" ".join(value.lower().split()) for value in strings if value.strip()))


def _pinyin(name: str) -> Iterator[str]:
    if not _HAN.search(name):
        return
    from pypinyin import lazy_pinyin  # noqa: PLC0415  (slow to import, and needed only when a list is stored)

    syllables = lazy_pinyin(name)
    joined = _GAPS.sub("", "".join(syllables))
    yield joined
    if "v" in joined:  # ü, which keyboards have not: people type v or u
        yield joined.replace("v", "u")
    yield "".join(syllable.strip()[:1] for syllable in syllables)
