"""Answers about guidelines."""

from __future__ import annotations

from datetime import datetime

from typing_extensions import TypedDict

from curation.core.shapes import PersonBrief


class GuidelineRow(TypedDict):
    """A kind's guidelines in the list; ``version`` is null if there are none."""

    kind: str
    version: int | None
    created_at: datetime | None
    note: str
    acknowledged: bool
    has_preset: bool


GuidelineText = TypedDict("GuidelineText", {"zh-Hans": str, "zh-Hant": str, "en": str}, total=False)
GuidelineText.__doc__ = "Markdown by interface language; languages without a text are left out."


class GuidelineVersion(TypedDict):
    """A version; ``acknowledged_by`` counts the people who acknowledged it."""

    version: int
    created_at: datetime
    by: PersonBrief | None
    note: str
    acknowledged_by: int


class GuidelineAnswer(TypedDict):
    """One version's text, and all versions, newest first."""

    kind: str
    version: int
    versions: list[GuidelineVersion]
    text: GuidelineText
    acknowledged: bool


class GuidelinePreset(TypedDict):
    """The built-in template."""

    text: GuidelineText


class AcknowledgeAnswer(TypedDict):
    """The version that the person acknowledged."""

    version: int
    acknowledged: bool
