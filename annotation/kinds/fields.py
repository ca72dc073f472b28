"""Findings in text fields, for every kind: refused characters and marked ranges."""

from __future__ import annotations

from typing import Final

import regex

from annotation.kinds.base import Finding, Span
from curation.core import text
from curation.core.errors import TextRefused

MOST_WARNINGS: Final = 20  # of one rule in one field; a field of nothing but pronouns has a thousand


def refusals(value: str, field: str) -> list[Finding]:
    """Return an error finding if a text has characters that a revision never stores."""
    try:
        text.clean(value)
    except TextRefused as error:
        return [Finding("text_refused", field, "error", error.params)]
    return []


def span_of(match: regex.Match[str], value: str, field: str) -> Span:
    """Return the span of a match, in UTF-16 code units."""
    return span_at(match.start(), match.end(), value, field)


def span_at(start: int, end: int, value: str, field: str) -> Span:
    """Return the span of a range of code points, in UTF-16 code units."""
    before = text.utf16_length(value[:start])
    return Span(field, before, before + text.utf16_length(value[start:end]))
