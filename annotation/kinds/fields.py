"""Findings in text fields, for every kind: refused characters and marked ranges."""

from __future__ import annotations

from itertools import islice
from typing import Final

import regex

from annotation.kinds.base import Finding, Span
from annotation.kinds.scripts import letters_in, script_of
from curation.core import text
from curation.core.errors import TextRefused

FEWEST_LETTERS: Final = 4  # of a text whose script is checked; shorter ones are often names or formulas
# A run of letters of one of the common scripts; Chinese words have no blanks between them.
_WORD: Final = regex.compile(r"(?V1)[\p{Han}]+|[\p{L}--\p{Han}][\p{L}\p{M}'’--\p{Han}]*")
MOST_WARNINGS: Final = 20  # of one rule in one field; a field of nothing but pronouns has a thousand


def refusals(value: str, field: str) -> list[Finding]:
    """Return an error finding if a text has characters that a revision never stores."""
    try:
        text.clean(value)
    except TextRefused as error:
        return [Finding("text_refused", field, "error", error.params)]
    return []


def other_script(value: str, field: str, tag: str, most_percent: int | None) -> list[Finding]:
    """Warn if more than a share of a text's letters are not of its language's script, such as English words in Chinese.

    The words are marked. Languages that are not listed have no script here, and no warning.

    Args:
        value: The text.
        field: Its field.
        tag: The language that the text is to be written in, as a BCP 47 tag.
        most_percent: The share of other letters that is allowed; None allows all.
    """
    script = script_of(tag)
    if script is None or most_percent is None:
        return []
    own, letters = letters_in(value, script)
    if letters < FEWEST_LETTERS or 100 * (letters - own) <= most_percent * letters:
        return []
    marked = (match for match in _WORD.finditer(value) if not script.letters(match.group()))
    spans = tuple(span_of(match, value, field) for match in islice(marked, MOST_WARNINGS))
    params = {"percent": 100 * (letters - own) // letters, "maximum": most_percent}
    return [Finding("other_script", field, "warn", params, spans)]


def span_of(match: regex.Match[str], value: str, field: str) -> Span:
    """Return the span of a match, in UTF-16 code units."""
    return span_at(match.start(), match.end(), value, field)


def span_at(start: int, end: int, value: str, field: str) -> Span:
    """Return the span of a range of code points, in UTF-16 code units."""
    before = text.utf16_length(value[:start])
    return Span(field, before, before + text.utf16_length(value[start:end]))
