"""Whether two short texts say the same, and whether one occurs in the other.

Texts are compared word by word, folded in width, case and punctuation. Scripts without spaces between words (Han,
kana) have one character per word here; symbols and emoji are words too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

import regex

from curation.core import text

_COUNTED: Final = regex.compile(r"[\p{L}\p{N}]")
_NUMBER: Final = regex.compile(r"\p{N}")
_SYMBOL: Final = regex.compile(r"(?!\u2800)[\p{S}#＃%％‰]")  # C# is not C, nor 5% 5
_UNSPACED: Final = regex.compile(r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]")
_HANGUL_END: Final = regex.compile(r"\p{Script=Hangul}\Z")
_PRESENTATION: Final = regex.compile("[\ufe0e\ufe0f]")
_INSIDE_NUMBER: Final = frozenset(".,")  # 2.5 is neither 25 nor 5
_BETWEEN_NUMBERS: Final = frozenset(":/-–—")  # 3:30 is not 330
_MINUS: Final = "-"  # -5 is not 5; U+2212 is a symbol
_GAP: Final = "\0"  # between words in one string; no text has it
_CACHED_CHARACTER: Final = 8

Part = Literal["letter", "number", "word", "mark", "nothing"]


class Word(NamedTuple):
    """A folded word with its range in the text, in UTF-16 code units."""

    folded: str
    start: int
    end: int


class _Character(NamedTuple):
    """A character, folded; part of a word, a word of its own, a mark between words, or nothing that shows."""

    folded: str
    part: Part
    length: int


def _character(grapheme: str) -> _Character:
    length = text.utf16_length(grapheme)
    if _SYMBOL.match(grapheme):  # invisible characters tell emoji apart, except for the choice of their presentation
        return _Character(_PRESENTATION.sub("", text.normalize("NFKC", grapheme)), "word", length)
    folded = text.normalize("NFKC", text.without_invisible(text.normalize("NFKC", grapheme).casefold()))
    part: Part
    if not folded:
        part = "nothing"
    elif _COUNTED.match(grapheme):
        part = "word" if _UNSPACED.match(folded) else "number" if _NUMBER.match(grapheme) else "letter"
    else:
        part = "mark"
    return _Character(folded, part, length)


_short_character: Final = lru_cache(maxsize=16_384)(_character)


def words(value: str) -> list[Word]:
    """Split a text into words. What shows nothing, such as a joiner or a direction mark, ends no word."""
    placed: list[tuple[_Character, int]] = []
    position = 0
    for grapheme in text.graphemes(value):
        character = _short_character(grapheme) if len(grapheme) <= _CACHED_CHARACTER else _character(grapheme)
        if character.part != "nothing":
            placed.append((character, position))
        position += character.length
    parts: list[Part] = ["mark", *(character.part for character, _ in placed), "mark"]
    grouped: list[list[tuple[_Character, int]]] = []
    within = False
    for i, (character, start) in enumerate(placed):
        part = _part_between(character, parts[i], parts[i + 2])
        if part in {"letter", "number"} and within:
            grouped[-1].append((character, start))
        elif part != "mark":
            grouped.append([(character, start)])
        within = part in {"letter", "number"}
    return [Word("".join(c.folded for c, _ in word), word[0][1], word[-1][1] + word[-1][0].length) for word in grouped]


def _part_between(character: _Character, before: Part, after: Part) -> Part:
    """Return what a character is between its neighbours: some punctuation counts beside digits."""
    if character.part != "mark" or after != "number":
        return character.part
    if before == "number" and character.folded in _INSIDE_NUMBER:
        return "number"
    if before == "number" and character.folded in _BETWEEN_NUMBERS:
        return "word"
    return "word" if before != "letter" and character.folded == _MINUS else "mark"


def key_of(value: str) -> tuple[str, ...]:
    """Return the same for texts that say the same; a text of nothing but punctuation is compared as it is."""
    folded = tuple(word.folded for word in words(value))
    return folded or (text.blank_braille(text.without_invisible(text.normalize("NFKC", value))).strip(),)


def occurrences(words_sought: Sequence[Word], words_read: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Yield where a text's words occur as whole words in another's, as ranges of words that do not overlap.

    A Korean word may go on after its end, because particles follow nouns without a space.
    """
    if not words_sought:
        return
    sought = _joined(words_sought)
    if _HANGUL_END.search(words_sought[-1].folded):
        sought = sought.removesuffix(_GAP)
    read = _joined(words_read)
    position, last, index = 0, 0, 0
    while (place := read.find(sought, position)) >= 0:
        index += read.count(_GAP, last, place)
        yield index, index + len(words_sought)
        last, position = place, place + len(sought) - 1


def _joined(sequence: Sequence[Word]) -> str:
    return _GAP + "".join(word.folded + _GAP for word in sequence)


def find_answer(answer: str, question: str, others: Iterable[str]) -> tuple[int, int] | None:
    """Find an answer in its question, unless the question offers a choice ("A or B"): it names another option too.

    Returns:
        The range of the first occurrence in UTF-16 code units; None if there is none, or if the answer is a single
        character, which occurs in questions by chance.
    """
    if len(text.counted_characters(answer)) < 2:
        return None
    question_words = words(question)
    place = next(occurrences(words(answer), question_words), None)
    if place is None:
        return None
    start, end = place
    for other in others:
        if any(last <= start or end <= first for first, last in occurrences(words(other), question_words)):
            return None
    return question_words[start].start, question_words[end - 1].end
