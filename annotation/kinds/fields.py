"""Text fields of a content, for every kind: validation, errors and marked ranges."""

from __future__ import annotations

from typing import Any, Final

import regex

from annotation.kinds.base import Finding, MalformedContent, Span
from curation.core import text
from curation.core.errors import TextRefused

LONGEST: Final = 1_000  # code points of one field; far above any real one, so that comparisons stay cheap
MOST_WARNINGS: Final = 20  # of one rule in one field; a field of nothing but pronouns has a thousand


def as_typed(value: Any, *, what: str) -> str:
    """Return a typed text unchanged if it can be stored.

    Args:
        value: The value from the client.
        what: The field's name in words, for the error.

    Raises:
        MalformedContent: The value is not a text, or far too long.
        TextRefused: The text has NUL or lone surrogates, which no JSON column stores.
    """
    if not isinstance(value, str) or len(value) > LONGEST:
        raise MalformedContent(f"{what} a string of at most {LONGEST} characters")
    if "\0" in value or any("\ud800" <= c <= "\udfff" for c in value):
        raise TextRefused(reason="control_character" if "\0" in value else "lone_surrogate")
    return value


def refusals(value: str, field: str) -> list[Finding]:
    """Return an error finding if a text has characters that a revision never stores."""
    try:
        text.clean(value)
    except TextRefused as error:
        return [Finding("text_refused", field, "error", error.params)]
    return []


def span_of(match: regex.Match[str], value: str, field: str) -> Span:
    """Return the span of a match, in UTF-16 code units."""
    start = text.utf16_length(value[: match.start()])
    return Span(field, start, start + text.utf16_length(match.group()))
