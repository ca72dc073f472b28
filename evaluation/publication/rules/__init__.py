"""Rules of public pages: their languages and words, which samples they show, citations, terms."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from evaluation.publication.rules.citations import Citation
from evaluation.publication.rules.licences import licence_of
from evaluation.publication.rules.samples import Part, Settings, parts_of, public_record, sample_ordinals
from evaluation.publication.rules.words import WORDS
from evaluation.scoring.rules import large_groups

_Group = TypeVar("_Group", bound=Mapping[str, Any])

LANGUAGES: Final = ("zh-Hans", "zh-Hant", "en")
LANGUAGE_NAMES: Final[Mapping[str, str]] = {"zh-Hans": "简体中文", "zh-Hant": "繁體中文", "en": "English"}
# Tags of traditional Chinese in Accept-Language; all other Chinese is taken for simplified.
_TRADITIONAL: Final = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")

__all__ = [
    "LANGUAGES",
    "LANGUAGE_NAMES",
    "WORDS",
    "Citation",
    "Part",
    "Settings",
    "licence_of",
    "note_in",
    "of_groups",
    "parts_of",
    "preferred_language",
    "public_record",
    "sample_ordinals",
    "terms_sha256",
    "without_small_groups",
]


def preferred_language(accepted: str) -> str:
    """Choose a page's language by the header ``Accept-Language``; English if it names no Chinese first."""
    choices = []
    for place, entry in enumerate(accepted.lower().split(",")[:20]):
        tag, _, quality = entry.strip().partition(";q=")
        try:
            choices.append((-float(quality or 1), place, tag))
        except ValueError:
            continue
    for _, _, tag in sorted(choices):
        if tag.startswith("zh"):
            return "zh-Hant" if tag.startswith(_TRADITIONAL) else "zh-Hans"
        if tag.startswith("en"):
            return "en"
    return "en"


def note_in(note: Mapping[str, str], language: str) -> tuple[str, str]:
    """Choose the text of a note for a page, with its language: the page's own, otherwise the first that there is."""
    for tag in (language, *LANGUAGES):
        if note.get(tag):
            return note[tag], tag
    return "", language


def terms_sha256(terms: Mapping[str, str]) -> str:
    """Identify a text of terms in all its languages; empty without terms."""
    if not any(terms.values()):
        return ""
    return hashlib.sha256(json.dumps(terms, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def without_small_groups(groups: Sequence[_Group], least: int) -> list[_Group]:
    """Leave out groups of pictures whose figures reveal single answers (:func:`large_groups`)."""
    kept: set[tuple[str, str]] = set()
    for by in {group["group_by"] for group in groups}:
        sizes = {group["group"]: group["n"] for group in groups if group["group_by"] == by}
        kept |= {(by, group) for group in large_groups(sizes, total=sum(sizes.values()), least=least)}
    return [group for group in groups if (group["group_by"], group["group"]) in kept]


def of_groups(figures: Sequence[Mapping[str, Any]], groups: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The figures over everything and of some groups."""
    kept = {(group["group_by"], group["group"]) for group in groups}
    return [row for row in figures if not row["group_by"] or (row["group_by"], row["group"]) in kept]
