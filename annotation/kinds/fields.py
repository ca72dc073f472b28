"""Text fields of a content: how they are accepted, refused and marked. For every kind; knows none of them."""

from __future__ import annotations

from typing import Any, Final

import regex

from annotation.kinds.base import Finding, MalformedContent, Span
from curation.core import text
from curation.core.errors import TextRefused

LONGEST: Final = 1_000  # code points of one field; far above any real one, keeps comparisons cheap


def as_typed(value: Any, *, what: str) -> str:
    """Return a text as it was typed, if it can be stored at all.

    Args:
        value: What came.
        what: The field in words, for the refusal.

    Raises:
        MalformedContent: Not a text, or far too long.
        TextRefused: NUL and lone surrogates, which no JSON column takes.
    """
    if not isinstance(value, str) or len(value) > LONGEST:
        raise MalformedContent(f"{what} a string of at most {LONGEST} characters")
    if "\0" in value or any("\ud800" <= c <= "\udfff" for c in value):
        raise TextRefused(reason="control_character" if "\0" in value else "lone_surrogate")
    return value


def refusals(value: str, field: str) -> list[Finding]:
    """Say so where a text holds characters that are never stored in a revision."""
    try:
        text.clean(value)
    except TextRefused as error:
        return [Finding("text_refused", field, "error", error.params)]
    return []


def span_of(match: regex.Match[str], value: str, field: str) -> Span:
    """Where a match stands, in UTF-16 code units."""
    start = text.utf16_length(value[: match.start()])
    return Span(field, start, start + text.utf16_length(match.group()))
