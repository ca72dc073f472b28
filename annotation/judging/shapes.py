"""Shapes shared by the answers about verdicts."""

from __future__ import annotations

from typing_extensions import TypedDict

from curation.core.shapes import PersonBrief


class VerdictBrief(TypedDict):
    """A verdict."""

    outcome: str
    reasons: list[str]
    comment: str
    round: int
    judge: PersonBrief | None
