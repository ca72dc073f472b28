"""Answers about samples of runs over item sets."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from typing_extensions import TypedDict

from curation.core.shapes import OneOf, Paged, PersonBrief
from evaluation.profiles.results import OUTCOMES
from evaluation.runs.shapes import RunManner, RunSet
from evaluation.systems.shapes import SystemBrief


class PredictionResult(TypedDict):
    """What the headline profile makes of a reply: ``value`` says whether it is right, ``rule`` read ``extracted``."""

    outcome: Annotated[str, OneOf(OUTCOMES)]
    value: float | None
    extracted: str
    rule: str


class PredictionRow(PredictionResult):
    """An entry with its result as read; ``corrected`` is null without an override, or until it is scored."""

    no: int
    key: str
    text: str
    right: str
    is_overridden: bool
    corrected: PredictionResult | None


class PredictionPage(Paged):
    """A page of entries, in the order in which they are asked."""

    results: list[PredictionRow]


class PredictionTag(TypedDict):
    """A tag with the values that most entries have, and how many have each."""

    name: str
    values: list[PredictionTagValue]


class PredictionTagValue(TypedDict):
    """A tag's value, and how many entries have it."""

    value: str
    n: int


class PredictionRun(TypedDict):
    """A scored run over the same item set."""

    run: int
    system: SystemBrief
    manner: RunManner


class PredictionOutcome(TypedDict):
    """How many entries have an outcome."""

    outcome: Annotated[str, OneOf(OUTCOMES)]
    n: int


class PredictionFilters(PredictionRun):
    """What the samples of a run can be filtered by; ``overrides`` counts the replies that people read."""

    set: RunSet
    profile: str
    outcomes: list[PredictionOutcome]
    tags: list[PredictionTag]
    runs: list[PredictionRun]
    overrides: int


class PredictionPicture(TypedDict):
    """The picture of an entry."""

    name: str
    url: str
    width: int
    height: int


class PredictionPart(TypedDict):
    """A part of a message: a text, or the place of the picture."""

    picture: bool
    text: str


class PredictionMessage(TypedDict):
    """A message as it was sent."""

    role: str
    parts: list[PredictionPart]


class PredictionPiece(TypedDict):
    """A piece of a reply; ``is_read`` marks the one that decides what was read."""

    text: str
    is_read: bool


class PredictionCandidate(TypedDict):
    """A candidate with what the system measured: ``share`` among all, null for similarities."""

    name: str
    text: str
    measured: float
    share: float | None
    is_right: bool
    is_best: bool


class PredictionOption(TypedDict):
    """An option of the question."""

    name: str
    text: str
    is_right: bool


class PredictionReply(TypedDict):
    """A reply; ``is_cut`` says that only its beginning is here. ``error`` is why there is none, else empty."""

    outcome: Literal["answered", "refused", "failed", "none"]
    pieces: list[PredictionPiece]
    is_cut: bool
    candidates: list[PredictionCandidate]
    tokens_in: int | None
    tokens_out: int | None
    error: str


class PredictionOverride(TypedDict):
    """What a person read in a reply, null for no answer, and why."""

    id: int
    answer: str | None
    reason: str
    person: PersonBrief
    created_at: datetime


class PredictionForm(TypedDict):
    """How a person says what a reply answers: one letter of these, several, or a text."""

    expects: Literal["letter", "letters", "text"]
    letters: str
    maximum: int


class PredictionOther(PredictionRun):
    """Another run's result on the same entry, with the beginning of its reply."""

    result: PredictionResult | None
    corrected: PredictionResult | None
    text: str


class Prediction(TypedDict):
    """One entry with the reply of a run, and the results of others; the newest override comes first and counts.

    ``previous`` and ``next`` are numbers of entries within the filters. ``messages`` is null where a prompt of the
    setting is not here any more, and empty where pictures are compared with texts.
    """

    run: PredictionRun
    set: RunSet
    profile: str
    no: int
    key: str
    tags: dict[str, str]
    text: str
    options: list[PredictionOption]
    right: str
    picture: PredictionPicture | None
    messages: list[PredictionMessage] | None
    reply: PredictionReply
    result: PredictionResult
    corrected: PredictionResult | None
    overrides: list[PredictionOverride]
    form: PredictionForm | None
    others: list[PredictionOther]
    previous: int | None
    next: int | None
    available_actions: list[str]
