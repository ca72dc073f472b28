"""Answers about drafting."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from annotation.drafting.rules import Discard, Fate
from curation.core.models import Job
from curation.core.shapes import OneOf


class DraftedText(TypedDict):
    """A text in the language that people write in, and in the one that the benchmark translates to."""

    local: str
    translated: str


class DraftedQuestion(TypedDict):
    """A question as the content of an item without its category: the first option is the right one."""

    question: DraftedText
    options: list[DraftedText]
    explanation: DraftedText


class CandidateRow(TypedDict):
    """A drafted question; ``fate`` and ``reason`` are null until one decides.

    ``item`` and ``item_id`` are the label and the id of the item that it was used for.
    """

    no: int
    content: DraftedQuestion
    fate: Fate | None
    reason: Discard | None
    item: str | None
    item_id: int | None


class DraftingRow(TypedDict):
    """A request to a model for questions about a concept; ``candidates`` are empty until it replied.

    ``error_code`` says why it failed. ``limited_until``: its server limits requests, so it is sent again until then.
    """

    id: int
    concept: str
    state: Annotated[str, OneOf(Job.State)]
    error_code: str | None
    error_params: dict[str, Any]
    limited_until: datetime | None
    mine: bool
    created_at: datetime
    candidates: list[CandidateRow]


class DraftingYield(TypedDict):
    """Outcomes of the questions that a model drafted with a version of a prompt.

    ``failed`` counts requests by why they failed, ``discarded`` candidates by reason. A candidate that was used counts
    as ``unchanged`` if the version that the person wrote next has all its texts, as ``refined`` if not, with the mean
    share of changed texts, and as ``unwritten`` while there is none, or if another candidate took its place before.
    ``cost`` is null for those who may not see spending, and where calls cost nothing.
    """

    prompt: str
    language: str
    model: str
    requests: int
    failed: dict[str, int]
    candidates: int
    unchanged: int
    refined: int
    changed_percent: int | None
    unwritten: int
    discarded: dict[str, int]
    cost: str | None
    currency: str | None


class PictureDraftings(TypedDict):
    """The drafts of a picture, newest first; ``worker_alive``: whether a worker sends requests to models at present."""

    draftings: list[DraftingRow]
    worker_alive: bool
    available_actions: list[str]
