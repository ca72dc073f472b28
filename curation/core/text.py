"""Text rules: cleaning, counting, comparing (no Django here).

Stored text is NFC and keeps full-width forms; only comparisons fold them.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby
from typing import Any, Final, Literal

import regex

from curation.core.errors import TextRefused

# Controls that reorder displayed text; forbidden everywhere, because captions and names are shown next to each other.
BIDI_CONTROLS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Without the first alternative each flag counts the flags before it: a text of flags takes the square of its length.
_GRAPHEME: Final = regex.compile(r"\p{RI}{2}(?=\p{RI})|\X")
# Texts without marks, joiners, jamo and flags, where each code point is a character (UAX #29, GB999).
_ONE_BY_ONE: Final = regex.compile(r"\p{GCB=Other}*")
# Characters that show nothing: fillers, joiners, tags, variation selectors; Unicode's list, which has Hangul letters.
_INVISIBLE: Final = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cf}]+")
_BRAILLE_BLANK: Final = "\u2800"
_BLANK: Final = regex.compile(rf"[\p{{Z}}\p{{C}}\p{{Default_Ignorable_Code_Point}}{_BRAILLE_BLANK}]*")
# Joiners and variation selectors change how their neighbours look in some scripts and in emoji, and nothing elsewhere.
_WITHOUT_EFFECT: Final = regex.compile(
    r"(?<!(?!\p{DI})[\p{Joining_Type=D}\p{Joining_Type=R}\p{M}\p{Extended_Pictographic}\p{Script=Han}])"
    r"[\u200c\u200d\p{Variation_Selector}]"
    r"|[\u200c\u200d](?![\u200c\u200d]*[\p{L}\p{M}\p{Extended_Pictographic}])"
    r"|(?![\u200c\u200d\p{Variation_Selector}])\p{DI}"
    r"|[\ufff9-\ufffb]"
)
_LETTER_OR_NUMBER: Final = r"(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]"
_COUNTED: Final = regex.compile(_LETTER_OR_NUMBER)
_COUNTED_CLUSTER: Final = regex.compile(rf"\p{{Default_Ignorable_Code_Point}}*+{_LETTER_OR_NUMBER}")
_SURROGATE: Final = regex.compile("[\ud800-\udfff]")
_REFUSED: Final = regex.compile(f"[{''.join(sorted(BIDI_CONTROLS))}\0-\x09\x0b-\x1f\x7f-\x9f]")
_UNSHOWABLE: Final = regex.compile(f"[{''.join(sorted(BIDI_CONTROLS))}\0-\x1f\x7f-\x9f\ud800-\udfff]")
_LINE_BREAK: Final = regex.compile("[\r\u2028\u2029]")
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
    text = normalize("NFC", value).replace("\r\n", "\n").replace("\t", " ")
    text = str(_LINE_BREAK.sub("\n", text))
    if not lines:
        text = text.replace("\n", " ")
    if match := _REFUSED.search(text):
        raise TextRefused(reason="direction_control" if match.group() in BIDI_CONTROLS else "control_character")
    return text.strip()


def replace_unshowable(text: str) -> str:
    """Put U+FFFD for control characters, lone surrogates and direction controls, in texts that programs wrote."""
    return str(_UNSHOWABLE.sub("\ufffd", text))


def storable(value: Any) -> Any:
    """Put U+FFFD for NUL and lone surrogates, which PostgreSQL does not store, in each text of a JSON value."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value.replace("\0", "\ufffd"))
    if isinstance(value, list | tuple):
        return [storable(part) for part in value]
    return {name: storable(part) for name, part in value.items()} if isinstance(value, dict) else value


def stacks_marks(text: str) -> bool:
    """Return whether a character of the text has more combining marks than any language uses."""
    return _STACKED_MARKS.search(text) is not None


def normalize(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    """Return ``unicodedata.normalize(form, text)``, in time linear in the length.

    Python sorts the marks of a character by insertion: a megabyte of them in the wrong order would hold the process for
    half an hour. Such texts are decomposed and sorted first, which leads to the same normal form.
    """
    if len(text) > _SORTED_BY_PYTHON and stacks_marks(text):
        decomposed: Literal["NFD", "NFKD"] = "NFKD" if form == "NFKC" else "NFD"
        pieces = "".join(unicodedata.normalize(decomposed, c) for c in text)
        runs = groupby(pieces, lambda c: unicodedata.combining(c) > 0)
        text = "".join(
            c for are_marks, run in runs for c in (sorted(run, key=unicodedata.combining) if are_marks else run)
        )
    return unicodedata.normalize(form, text)


def shows_nothing(text: str) -> bool:
    """Return whether ``text`` is empty or has only blanks and invisible characters."""
    return _BLANK.fullmatch(text) is not None


def without_invisible(text: str) -> str:
    """Return ``text`` without the characters that show nothing."""
    return str(_INVISIBLE.sub("", text))


def looks_equal(one: str, other: str) -> bool:
    """Return whether texts differ in nothing but invisible characters that change no other character's look."""
    return one == other or _visible(one) == _visible(other)


def _visible(text: str) -> str:
    return blank_braille(_WITHOUT_EFFECT.sub("", text)).strip()


def blank_braille(text: str) -> str:
    """Put a space for each blank of Braille, which Unicode counts among the symbols."""
    return text.replace(_BRAILLE_BLANK, " ")


def graphemes(text: str) -> list[str]:
    """Split into extended grapheme clusters, what readers see as one character."""
    return list(text) if _ONE_BY_ONE.fullmatch(text) else list(_GRAPHEME.findall(text))


def counted_characters(text: str) -> list[str]:
    """Return the grapheme clusters that count: those whose first visible code point is a letter or a number.

    Punctuation, spaces, symbols and emoji do not count (CVLUE A.2.2: "at least 8 characters").
    """
    return [g for g in graphemes(normalize("NFC", text)) if _COUNTED_CLUSTER.match(g)]


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
