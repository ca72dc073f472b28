"""Groups of cultural distance (CVLUE, section 3.1), computed from the names of MS-COCO and WordNet's nouns.

A name that MS-COCO has is associated least with the culture, one that the English WordNet does not have most. Both are
comparisons of strings: a name may stand in WordNet in another sense only, and an animal may be called as a device of
MS-COCO is. People therefore correct what is computed, with a reason.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

_FOLDER: Final = Path(__file__).resolve().parents[3] / "fixtures" / "wordlists"
_GAPS: Final = re.compile(r"[\s_]+")
#: WordNet's rules for nouns (morph(7WN)): an ending and what replaces it.
_ENDINGS: Final = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
)
Group = Literal["coco", "moderate", "closest"]


@lru_cache(maxsize=1)
def coco_names() -> frozenset[str]:
    """The 91 names of MS-COCO's object categories, in lower case."""
    return frozenset((_FOLDER / "coco.txt").read_text(encoding="utf-8").lower().split("\n")) - {""}


@lru_cache(maxsize=1)
def _nouns() -> frozenset[str]:
    with gzip.open(_FOLDER / "wordnet-nouns.txt.gz", "rt", encoding="ascii") as file:
        return frozenset(file.read().split("\n")) - {""}


@lru_cache(maxsize=1)
def _irregular() -> dict[str, str]:
    with gzip.open(_FOLDER / "wordnet-noun-exceptions.txt.gz", "rt", encoding="ascii") as file:
        return dict(line.split(" ")[:2] for line in file.read().split("\n") if line)


def _lemmas(word: str) -> Iterator[str]:
    yield word
    if word in _irregular():
        yield _irregular()[word]
    for ending, replacement in _ENDINGS:
        if word.endswith(ending):
            yield word.removesuffix(ending) + replacement


def in_wordnet(name: str) -> bool:
    """Whether WordNet 3.0 has a name as a noun, in whatever sense; plurals count as their singular."""
    words = _GAPS.sub("_", name.strip().lower())
    return any(lemma in _nouns() for lemma in _lemmas(words))


def computed_group(name: str) -> Group | Literal[""]:
    """The group that the English name alone gives; empty without a name."""
    plain = " ".join(name.lower().split())
    if not plain:
        return ""
    if plain in coco_names():
        return "coco"
    return "moderate" if in_wordnet(plain) else "closest"
