"""Answers about scores."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from typing_extensions import TypedDict

from curation.core.shapes import OneOf
from evaluation.runs.shapes import RunCost, RunManner
from evaluation.scoring.rules import SCOPES
from evaluation.systems.shapes import SystemBrief


class ScoreGallery(TypedDict):
    """The pictures and texts of one split that are searched."""

    images: int
    texts: int
    split: str


class ScoreLine(TypedDict):
    """One metric with its 95% interval; counts are queries. ``t2i`` finds the picture of a text, ``i2t`` a text."""

    profile: str
    scope: Annotated[str, OneOf(SCOPES)]
    metric: str
    value: float | None
    low: float | None
    high: float | None
    n_expected: int
    n_scored: int
    n_missing: int
    n_failed: int
    gallery_digest: str
    details: dict[str, Any]
    computed_at: datetime


class ScoreError(TypedDict):
    """Why the newest scoring failed."""

    code: str
    params: dict[str, Any]


ScoringState = Literal["waiting", "scoring", "scored", "failed"]


class SystemScores(TypedDict):
    """A system's scores; counts are vectors, pictures and texts together."""

    system: SystemBrief
    run: int
    state: ScoringState
    error: ScoreError | None
    n_expected: int
    n_scored: int
    n_missing: int
    n_failed: int
    metrics: list[ScoreLine]


class SetScoreMetric(TypedDict):
    """One metric of a profile with its 95% interval over ``n`` units; some metrics have none of these.

    ``chance`` is what guessing among options gives on average, null where not every unit has some.
    """

    profile: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    n: int | None
    chance: float | None


class SetScores(TypedDict):
    """What a run scores on an item set; counts are those of the headline profile, the first of ``reports``.

    ``reports`` are the profiles that read its answers. ``metrics`` are in their order, each profile's headline first.
    ``text_only`` is the run that differs in one thing alone: it was sent no pictures. ``corrected`` are the metrics
    with the ``overrides`` replies as people read them; empty until they are scored. ``cost`` is as in a run.
    """

    run: int
    system: SystemBrief
    manner: RunManner
    text_only: int | None
    settings: dict[str, Any]
    n_expected: int
    n_scored: int
    n_missing: int
    n_unparsable: int
    n_refused: int
    n_failed: int
    cost: RunCost | None
    reports: list[str]
    metrics: list[SetScoreMetric]
    overrides: int
    corrected: list[SetScoreMetric]
    computed_at: datetime


class ReleaseScores(TypedDict):
    """All scores of a release; ``suite`` is null where no system is tested on its kind."""

    suite: str | None
    gallery: ScoreGallery
    systems: list[SystemScores]
