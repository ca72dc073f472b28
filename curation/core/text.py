"""Text rules: cleaning, counting, comparing (no Django here).

Stored text is NFC and keeps full-width forms; only comparisons fold them.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby
from typing import Final, Literal

import regex

from curation.core.errors import TextRefused

# Controls that reorder displayed text; forbidden everywhere, because captions and names are shown next to each other.
BIDI_CONTROLS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Without the first alternative each flag counts the flags before it: a text of flags takes the square of its length.
_GRAPHEME: Final = regex.compile(r"\p{RI}{2}(?=\p{RI})|\X")
# Texts without marks, joiners, jamo and flags, where each code point is a character (UAX #29, GB999).
_ONE_BY_ONE: Final = regex.compile(r"\p{GCB=Other}*")
_COUNTED: Final = regex.compile(r"[\p{L}\p{N}]")
_SURROGATE: Final = regex.compile("[\ud800-\udfff]")
_REFUSED: Final = regex.compile(f"[{''.join(sorted(BIDI_CONTROLS))}\0-\x09\x0b-\x1f\x7f-\x9f]")
_SORTED_BY_PYTHON: Final = 1_000  # code points of a text whose marks Python sorts within a millisecond
# More marks on one character than any language has (UAX #15, 12.2: 30 suffice). Two half-width forms become marks.
_STACKED_MARKS: Final = regex.compile(r"[\p{M}\uff9e\uff9f]{31}")


def clean(value: str, *, lines: bool = False) -> str:
    """Return ``value`` in its stored form: NFC, without outer white space.

    Args:
        value: The text that a person typed.
        lines: Whether to keep line breaks; otherwise each becomes a blank.

    Raises:
        TextRefused: The text has NUL or other control characters, lone surrogates, or direction controls.
    """
    if _SURROGATE.search(value):
        raise TextRefused(reason="lone_surrogate")
    text = normalize("NFC", value).replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    if not lines:
        text = text.replace("\n", " ")
    if match := _REFUSED.search(text):
        raise TextRefused(reason="direction_control" if match.group() in BIDI_CONTROLS else "control_character")
    return text.strip()


def replace_unshowable(text: str) -> str:
    """Put U+FFFD for control characters, lone surrogates and direction controls, in texts that programs wrote."""
    return "".join("\ufffd" if c < " " or "\ud800" <= c <= "\udfff" or c in BIDI_CONTROLS else c for c in text)


def stacks_marks(text: str) -> bool:
    """Return whether a character of the text has more combining marks than any language uses."""
    return _STACKED_MARKS.search(text) is not None


def normalize(form: Literal["NFC", "NFKC"], text: str) -> str:
    """Return ``unicodedata.normalize(form, text)``, in time linear in the length.

    Python sorts the marks of a character by insertion: a megabyte of them in the wrong order would hold the process for
    half an hour. Such texts are decomposed and sorted first, which leads to the same normal form.
    """
    if len(text) > _SORTED_BY_PYTHON and stacks_marks(text):
        decomposed: Literal["NFD", "NFKD"] = "NFD" if form == "NFC" else "NFKD"
        pieces = "".join(unicodedata.normalize(decomposed, c) for c in text)
        runs = groupby(pieces, lambda c: unicodedata.combining(c) > 0)
        text = "".join(
            c for are_marks, run in runs for c in (sorted(run, key=unicodedata.combining) if are_marks else run)
        )
    return unicodedata.normalize(form, text)


def shows_nothing(text: str) -> bool:
    """Return whether ``text`` is empty or has only blanks and invisible characters."""
    return all(unicodedata.category(c)[0] in "ZC" for c in text)


def graphemes(text: str) -> list[str]:
    """Split into extended grapheme clusters, what readers see as one character."""
    return list(text) if _ONE_BY_ONE.fullmatch(text) else list(_GRAPHEME.findall(text))


def counted_characters(text: str) -> list[str]:
    """Return the grapheme clusters that count: those whose first code point is a letter or a number.

    Punctuation, spaces, symbols and emoji do not count (CVLUE A.2.2: "at least 8 characters").
    """
    return [g for g in graphemes(normalize("NFC", text)) if _COUNTED.match(g[0])]


def count_characters(text: str) -> int:
    """Return the number of characters for rules about length."""
    composed = normalize("NFC", text)
    if _ONE_BY_ONE.fullmatch(composed):
        return len(_COUNTED.findall(composed))
    return len(counted_characters(composed))


def folded(text: str) -> list[str]:
    """Return the counted characters in the form for comparisons: NFKC, case-folded.

    The result has one element per grapheme of the input, so that positions match the typed text.
    """
    return [normalize("NFKC", g).casefold() for g in counted_characters(text)]


def utf16_length(text: str) -> int:
    """Return the length as JavaScript counts it, for positions that a browser marks."""
    return len(text.encode("utf-16-le")) // 2
