"""Where a text names a cultural concept of its picture (TCC-Bench section 1: questions do not disclose concepts).

Texts and names are compared word by word as in :mod:`annotation.kinds.comparison`, with traditional characters as
simplified ones, Latin letters without accents, English words also in plural and without an article before them. A name
with brackets, such as 朱雀（南方之神）, is also recognised by the text outside them and by each text inside. Chinese
names of two or more characters are also recognised in pinyin: with tones or without, joined or split, ü typed as u or
v. One syllable is also a word of other languages ("ding", "can"), so that names of one character have no pinyin.

A place that may name something else by chance is not certain: 鼎 in 鼎盛, "change" for 嫦娥, what brackets explain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
_TONE_MARK: Final = regex.compile("[\u0300\u0301\u0304\u030c]")  # of decomposed letters: à á ā ǎ, not ü
_SENTENCE_END: Final = regex.compile(r"[.!?…。！？:：]|\n")
_BRACKETED: Final = regex.compile(r"[(\[（［【〔]([^()\[\]（）［］【】〔〕]*)[)\]）］】〕]")
_SHORTEST_PLURAL: Final = 3  # letters; "as" and "his" are no plurals
_LONGEST_ENDING: Final = 2  # letters that a plural adds
_ARTICLES: Final = frozenset({"the", "a", "an"})
_SHORTEST_NAME: Final = 3  # letters after an article
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
        is_certain: False for a place that may name something else: a name of one Chinese character, which also occurs
            inside other words; pinyin without tones that no capital shows to be a name ("change", 嫦娥); a Latin name
            that is split otherwise; what a name has in brackets.
    """

    concept: Concept
    start: int
    end: int
    is_certain: bool


@dataclass(frozen=True, slots=True)
class _Form:
    """One way in which a name is recognised: as ``words``, or by ``joined`` Latin letters however they are split.

    Attributes:
        words: The words; empty for Latin letters.
        joined: Latin letters without blanks, in singular.
        before_last: The words of a Latin name before its last one.
        is_pinyin: Whether the letters are pinyin.
        is_certain: Whether a place where they occur can be certain.
    """

    words: tuple[Word, ...] = ()
    joined: frozenset[str] = frozenset()
    before_last: tuple[str, ...] = ()
    is_pinyin: bool = False
    is_certain: bool = True


class _Text:
    """A text as names are compared with it."""

    def __init__(self, value: str) -> None:
        self._units = value.encode("utf-16-le")
        read = words(value)
        self.words = [Word(_plain(word.folded), word.start, word.end) for word in read]
        self.is_latin = [_LATIN.fullmatch(word.folded) is not None for word in self.words]
        self._folded = [word.folded for word in read]

    def is_pinyin_name(self, first: int, last: int) -> bool:
        """Whether words that are pinyin have tones, or begin with a capital inside a sentence ("Where is Zhuque?")."""
        if any(
            _TONE_MARK.search(text.normalize("NFD", word)) or _TONE.search(word) for word in self._folded[first:last]
        ):
            return True
        before = self._cut(self.words[first - 1].end, self.words[first].start) if first else "."
        begun = self._cut(self.words[first].start, self.words[first].end)
        return begun.istitle() and not _SENTENCE_END.search(before)

    def _cut(self, start: int, end: int) -> str:
        return self._units[2 * start : 2 * end].decode("utf-16-le")


def leaks(value: str, concepts: Sequence[Concept]) -> list[Leak]:
    """Return where a text names concepts, in order; of two names that overlap only the longer one, or the first.

    A place is certain if one of the names there is.
    """
    if not concepts or not value:
        return []
    read = _Text(value)
    candidates = [
        Leak(concept, read.words[first].start, read.words[last - 1].end, is_certain)
        for concept in concepts
        for form in _forms(concept.names)
        for first, last, is_certain in _places(form, read)
    ]
    certain = [leak for leak in candidates if leak.is_certain]
    kept: list[Leak] = []
    for leak in sorted(candidates, key=lambda leak: (leak.start - leak.end, not leak.is_certain)):
        if not _overlaps(leak, kept):
            kept.append(leak if leak.is_certain else leak._replace(is_certain=_overlaps(leak, certain)))
    return sorted(kept, key=lambda leak: leak.start)


def _overlaps(leak: Leak, others: Sequence[Leak]) -> bool:
    return any(leak.start < other.end and other.start < leak.end for other in others)


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
    yield from _forms_of_part(name)
    outside, inside = name, list[str]()
    while parts := _BRACKETED.findall(outside):  # from the innermost brackets outwards
        outside = _BRACKETED.sub(" ", outside)
        inside += parts
    if inside:
        yield from _forms_of_part(outside)
    for part in inside:
        yield from (replace(form, is_certain=False) for form in _forms_of_part(part))


def _forms_of_part(name: str) -> Iterator[_Form]:
    compared = tuple(_compared(name))
    if not compared:
        return
    joined = "".join(word.folded for word in compared)
    if _LATIN.fullmatch(joined):
        yield from _latin_forms([word.folded for word in compared])
        return
    is_chinese = _HAN.fullmatch(joined) is not None
    yield _Form(compared, is_certain=not is_chinese or len(joined) > 1)
    if is_chinese and len(joined) > 1 and (pinyin := _pinyin(joined)):
        yield _Form(joined=pinyin, is_pinyin=True)


def _latin_forms(name: Sequence[str]) -> Iterator[_Form]:
    """Yield the forms of a name in Latin letters: "the Great Wall" is also "a great wall"."""
    article, *others = name
    is_the = article == "the" and len(others) > 0
    if not is_the:
        yield _latin_form(name)
    # The A of A Q and the An of An Lushan are no articles.
    if is_the or (article in _ARTICLES and len("".join(others)) >= _SHORTEST_NAME):
        yield replace(_latin_form(others), is_certain=is_the)


def _latin_form(name: Sequence[str]) -> _Form:
    return _Form(joined=frozenset(_singulars("".join(name))), before_last=tuple(name[:-1]))


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
    if word.endswith("ves"):
        yield from (word[:-3] + "f", word[:-3] + "fe")


def _places(form: _Form, read: _Text) -> Iterator[tuple[int, int, bool]]:
    """Yield the first word of a place, the one after its last, and whether the place is certain."""
    if form.words:
        yield from ((first, last, form.is_certain) for first, last in occurrences(form.words, read.words))
        return
    longest = max(map(len, form.joined)) + _LONGEST_ENDING
    for first, is_latin in enumerate(read.is_latin):
        joined = ""
        for last in range(first, len(read.words)) if is_latin else ():
            word = read.words[last].folded
            joined += _TONE.sub("", word) if form.is_pinyin else word
            if not read.is_latin[last] or len(joined) > longest:
                break
            if joined in form.joined or (joined[-1] == "s" and not form.joined.isdisjoint(_singulars(joined))):
                yield first, last + 1, form.is_certain and _is_name(form, read, first, last + 1)
                break


def _is_name(form: _Form, read: _Text, first: int, last: int) -> bool:
    """Whether Latin words are a name and no other words by chance: "change" is not Chang'e, nor "long men" Longmen."""
    if form.is_pinyin:
        return read.is_pinyin_name(first, last)
    return tuple(word.folded for word in read.words[first : last - 1]) == form.before_last
