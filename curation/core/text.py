"""Text as the application stores, counts and compares it (no Django here).

Stored text is NFC with full-width forms kept; folding happens only inside comparisons.
"""

from __future__ import annotations

import unicodedata
from typing import Final

import regex

from curation.core.errors import TextRefused

# Controls that reorder what a reader sees; allowed nowhere because captions and names are shown next to each other.
BIDI_CONTROLS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_GRAPHEME: Final = regex.compile(r"\X")
_COUNTED: Final = regex.compile(r"[\p{L}\p{N}]")


def clean(value: str, *, lines: bool = False) -> str:
    """Return ``value`` as it is stored: NFC, outer white space off, inner kept.

    Args:
        value: What a person typed.
        lines: Whether line breaks are kept; otherwise each becomes a blank.

    Raises:
        TextRefused: NUL and other control characters, lone surrogates, direction controls.
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


def shows_nothing(text: str) -> bool:
    """Whether a reader sees nothing of ``text``: it is empty, or only blanks and invisible characters."""
    return all(unicodedata.category(c)[0] in "ZC" for c in text)


def graphemes(text: str) -> list[str]:
    """Split into extended grapheme clusters, what a reader takes for one character."""
    return list(_GRAPHEME.findall(text))


def counted_characters(text: str) -> list[str]:
    """The grapheme clusters that count: those whose first code point is a letter or a number.

    Punctuation, spaces, symbols and emoji do not count (CVLUE A.2.2: "at least 8 characters").
    """
    return [g for g in graphemes(unicodedata.normalize("NFC", text)) if _COUNTED.match(g[0])]


def count_characters(text: str) -> int:
    """Number of characters a rule about length sees."""
    return len(counted_characters(text))


def folded(text: str) -> list[str]:
    """Counted characters in the form that comparisons use: NFKC, case-folded.

    One element a grapheme of the input, so positions stay those of the text as typed.
    """
    return [unicodedata.normalize("NFKC", g).casefold() for g in counted_characters(text)]


def utf16_length(text: str) -> int:
    """Length as JavaScript counts it, for positions that a browser marks."""
    return len(text.encode("utf-16-le")) // 2
