"""Limits and languages of guidelines. Pure Python."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from curation.core.text import shows_nothing
from curation.people.rules import notice_type

NOTICES: Final = {"guideline_new": notice_type("guideline", "kind", "version")}
LANGUAGES: Final = ("zh-Hans", "zh-Hant", "en")
# Pictures of the benchmark that one version shows, over all languages.
MOST_PICTURES: Final = 60
# A picture in Markdown names it by its label: ![two lanterns](img-0042).
_PICTURE: Final = re.compile(r"\]\((img-[0-9]{4,9})\)")
# Code points of one language's text; the longest annotation appendix of the papers has a tenth of it.
LONGEST: Final = 60_000


def pictures_in(text: Mapping[str, str]) -> set[str]:
    """The labels of the pictures that a text shows."""
    return {label for one in text.values() for label in _PICTURE.findall(one)}


def number_of(label: str) -> int | None:
    """The number in a picture's label; None if it is none."""
    return int(label[4:]) if _PICTURE.fullmatch(f"]({label})") else None


def without_blank(text: Mapping[str, str]) -> dict[str, str]:
    """Leave out the languages with a blank text; the others are in the interface's order.

    Readers of a language without a text get another one.
    """
    return {language: text[language] for language in LANGUAGES if not shows_nothing(text.get(language, ""))}
