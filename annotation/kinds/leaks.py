"""Where a text names a cultural concept of its picture (TCC-Bench section 1: questions do not disclose concepts).

Texts and names are compared word by word as in :mod:`annotation.kinds.comparison`, with traditional characters as
simplified ones, Latin letters without accents, English words also in plural. Chinese names of two or more characters
are also recognised in pinyin: with tones or without, joined or split, ü typed as u or v. One syllable is also a word of
other languages ("ding", "can"), so that names of one character have no pinyin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import regex

from annotation.kinds.comparison import Word, occurrences, words
from annotation.kinds.context import Concept
from annotation.kinds.scripts import is_language
from curation.core import text
from curation.core.folding import fold

_LATIN: Final = regex.compile(r"[\p{Script=Latin}\p{N}]+")
_HAN: Final = regex.compile(r"\p{Script=Han}+")
_ACCENT: Final = regex.compile(r"\p{Mn}")
_TONE: Final = regex.compile(r"(?<=[a-z])[1-5]")  # zhu1que4
_SHORTEST_PLURAL: Final = 3  # letters; "as" and "his" are no plurals
# What takes a concept's place, by language; with the concept's generic noun, and where it has none.
_IN_PICTURE: Final = {
    "zh-Hant": ("圖中的{noun}", "圖中的事物"),
    "zh": ("图中的{noun}", "图中的事物"),
    "en": ("the {noun} in the picture", "what the picture shows"),
}


class Leak(NamedTuple):
    """A place where a text names a concept.

    Attributes:
        concept: The concept.
        start: Its first position, in UTF-16 code units, as is ``end``.
        end: The position after its last one.
        is_certain: False for names of one Chinese character, which also occur inside other words.
    """

    concept: Concept
    start: int
    end: int
    is_certain: bool


@dataclass(frozen=True, slots=True)
class _Form:
    """One way in which a name is recognised: as ``words``, or by ``joined`` Latin letters however they are split."""

    words: tuple[Word, ...] = ()
    joined: frozenset[str] = frozenset()
    is_pinyin: bool = False
    is_certain: bool = True


def leaks(value: str, concepts: Sequence[Concept]) -> list[Leak]:
    """Return where a text names concepts, in order; of two names that overlap only the longer one, or the first."""
    if not concepts or not value:
        return []
    read = _compared(value)
    latin = [_LATIN.fullmatch(word.folded) is not None for word in read]
    candidates = [
        Leak(concept, read[first].start, read[last - 1].end, form.is_certain)
        for concept in concepts
        for form in _forms(concept.names)
        for first, last in _places(form, read, latin)
    ]
    kept: list[Leak] = []
    for leak in sorted(candidates, key=lambda leak: leak.start - leak.end):
        if all(leak.end <= other.start or other.end <= leak.start for other in kept):
            kept.append(leak)
    return sorted(kept, key=lambda leak: leak.start)


def in_picture(tag: str, noun: str) -> str:
    """Return what may take a concept's place in a text: "图中的神兽", "the mythical creature in the picture".

    Args:
        tag: The text's language as a BCP 47 tag.
        noun: The concept's generic noun in this language; may be empty.

    Returns:
        The phrase; the noun alone in languages that are not known here.
    """
    for language, (with_noun, without) in _IN_PICTURE.items():
        if tag == language or is_language(tag, language):
            return with_noun.format(noun=noun) if noun else without
    return noun


def _compared(value: str) -> list[Word]:
    return [Word(_plain(word.folded), word.start, word.end) for word in words(value)]


@lru_cache(maxsize=16_384)
def _plain(word: str) -> str:
    simplified = fold(word)
    bare = _ACCENT.sub("", text.normalize("NFD", simplified))
    return bare if _LATIN.fullmatch(bare) else simplified


@lru_cache(maxsize=4_096)
def _forms(names: tuple[str, ...]) -> tuple[_Form, ...]:
    return tuple(form for name in names for form in _forms_of(name))


def _forms_of(name: str) -> Iterator[_Form]:
    compared = tuple(_compared(name))
    if not compared:
        return
    joined = "".join(word.folded for word in compared)
    if _LATIN.fullmatch(joined):
        yield _Form(joined=frozenset(_singulars(joined)))
        return
    is_chinese = _HAN.fullmatch(joined) is not None
    yield _Form(compared, is_certain=not is_chinese or len(joined) > 1)
    if is_chinese and len(joined) > 1 and (pinyin := _pinyin(joined)):
        yield _Form(joined=pinyin, is_pinyin=True)


def _pinyin(name: str) -> frozenset[str]:
    """Return the pinyin of a Chinese name without tones, joined; nothing if a character has none."""
    from pypinyin import lazy_pinyin  # noqa: PLC0415  (slow to import, and needed only where there are concepts)

    joined = "".join(lazy_pinyin(name))
    if not (joined.isascii() and joined.isalpha()):
        return frozenset()
    return frozenset({joined, joined.replace("v", "u")})


def _singulars(word: str) -> Iterator[str]:
    """Yield a word, and what it may be the English plural of."""
    yield word
    if word.endswith("ies"):
        yield word[:-3] + "y"
    if word.endswith("s") and not word.endswith("ss") and len(word) > _SHORTEST_PLURAL:
        yield word[:-1]
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        yield word[:-2]


def _places(form: _Form, read: Sequence[Word], latin: Sequence[bool]) -> Iterator[tuple[int, int]]:
    if form.words:
        yield from occurrences(form.words, read)
        return
    longest = max(map(len, form.joined)) + 2  # with a plural's ending
    for first, is_latin in enumerate(latin):
        joined = ""
        for last in range(first, len(read)) if is_latin else ():
            word = read[last].folded
            joined += _TONE.sub("", word) if form.is_pinyin else word
            if not latin[last] or len(joined) > longest:
                break
            if joined in form.joined or (not form.is_pinyin and not form.joined.isdisjoint(_singulars(joined))):
                yield first, last + 1
                break
