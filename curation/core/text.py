"""Text rules: cleaning, counting, comparing (no Django here).

Stored text is NFC and keeps full-width forms; only comparisons fold them.
"""

from __future__ import annotations

import unicodedata
from typing import Final

import regex

from curation.core.errors import TextRefused

# Controls that reorder displayed text; forbidden everywhere, because captions and names are shown next to each other.
BIDI_CONTROLS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_GRAPHEME: Final = regex.compile(r"\X")
_COUNTED: Final = regex.compile(r"[\p{L}\p{N}]")


def clean(value: str, *, lines: bool = False) -> str:
    """Return ``value`` in its stored form: NFC, without outer white space.

    Args:
        value: The text that a person typed.
        lines: Whether to keep line breaks; otherwise each becomes a blank.

    Raises:
        TextRefused: The text has NUL or other control characters, lone surrogates, or direction controls.
    """
    if any("\ud800" <= c <= "\udfff" for c in value):
        raise TextRefused(reason="lone_surrogate")
    text = unicodedata.normalize("NFC", value).replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    if not lines:
        text = text.replace("\n", " ")
    for c in text:
        if c in BIDI_CONTROLS:
            raise TextRefused(reason="direction_control")
        if unicodedata.category(c) == "Cc" and c != "\n":
            raise TextRefused(reason="control_character")
    return text.strip()


def replace_unshowable(text: str) -> str:
    """Put U+FFFD for control characters, lone surrogates and direction controls, in texts that programs wrote."""
    return "".join("\ufffd" if c < " " or "\ud800" <= c <= "\udfff" or c in BIDI_CONTROLS else c for c in text)


def shows_nothing(text: str) -> bool:
    """Return whether ``text`` is empty or has only blanks and invisible characters."""
    return all(unicodedata.category(c)[0] in "ZC" for c in text)


def graphemes(text: str) -> list[str]:
    """Split into extended grapheme clusters, what readers see as one character."""
    return list(_GRAPHEME.findall(text))


def counted_characters(text: str) -> list[str]:
    """Return the grapheme clusters that count: those whose first code point is a letter or a number.

    Punctuation, spaces, symbols and emoji do not count (CVLUE A.2.2: "at least 8 characters").
    """
    return [g for g in graphemes(unicodedata.normalize("NFC", text)) if _COUNTED.match(g[0])]


def count_characters(text: str) -> int:
    """Return the number of characters for rules about length."""
    return len(counted_characters(text))


def folded(text: str) -> list[str]:
    """Return the counted characters in the form for comparisons: NFKC, case-folded.

    The result has one element per grapheme of the input, so that positions match the typed text.
    """
    return [unicodedata.normalize("NFKC", g).casefold() for g in counted_characters(text)]


def utf16_length(text: str) -> int:
    """Return the length as JavaScript counts it, for positions that a browser marks."""
    return len(text.encode("utf-16-le")) // 2
