"""Limits and languages of guidelines. Pure Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from curation.core.text import shows_nothing
from curation.people.rules import notice_type

NOTICES: Final = {"guideline_new": notice_type("guideline", "kind", "version")}
LANGUAGES: Final = ("zh-Hans", "zh-Hant", "en")
# Code points of one language's text; the longest annotation appendix of the papers has a tenth of it.
LONGEST: Final = 60_000


def without_blank(text: Mapping[str, str]) -> dict[str, str]:
    """Leave out the languages with a blank text; the others are in the interface's order.

    Readers of a language without a text get another one.
    """
    return {language: text[language] for language in LANGUAGES if not shows_nothing(text.get(language, ""))}
