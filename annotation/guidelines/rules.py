"""What guidelines may be. Pure Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from curation.core.text import shows_nothing

LANGUAGES: Final = ("zh-Hans", "zh-Hant", "en")
# Code points of one language's text: the longest of the papers' appendices on annotation is a tenth of it.
LONGEST: Final = 60_000


def written(text: Mapping[str, str]) -> dict[str, str]:
    """The languages in which a text says something, in the interface's order; readers of another get one of these."""
    return {language: text[language] for language in LANGUAGES if not shows_nothing(text.get(language, ""))}
