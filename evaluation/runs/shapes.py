"""Answers about runs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from curation.core.shapes import OneOf, Paged, PersonBrief
from evaluation.runs.models import Run
from evaluation.runs.rules import RUN_STATUSES
from evaluation.sets.models import ItemSet
from evaluation.systems.shapes import SystemBrief


class RunRelease(TypedDict):
    """The release a run is over."""

    id: int
    label: str


class RunSet(TypedDict):
    """The item set a run is over."""

    id: int
    name: str
    origin: Annotated[str, OneOf(ItemSet.Origin)]


class RunManner(TypedDict):
    """How a run asks the questions of a set; ``scale`` is that of its pictures, null where none are sent."""

    setting: str
    means: str
    side: str
    language: str
    scale: str | None


class RunError(TypedDict):
    """Why the last chunk failed."""

    code: str
    params: dict[str, Any]


class RunErrorCount(TypedDict):
    """How many inputs failed with one error code."""

    code: str
    n: int


class RunWorker(TypedDict):
    """Whether workers are alive, and how many."""

    alive: bool
    last_seen: datetime | None
    workers: int


class RunRow(TypedDict):
    """A run: ``expected``, ``done`` and ``failed`` count revisions, ``errors`` pictures and texts.

    Over a set they all count entries, ``refused`` those that the system declined; ``manner`` is how these are asked.
    ``state`` is what people decided, ``status`` what the run is doing; ``silent_s`` are the seconds since the last
    heartbeat of a worker on it. Without a release and a set it is a rolling run over accepted items.
    """

    id: int
    system: SystemBrief
    suite: str
    release: RunRelease | None
    set: RunSet | None
    manner: RunManner | None
    state: Annotated[str, OneOf(Run.State)]
    status: Annotated[str, OneOf(RUN_STATUSES)]
    silent_s: int | None
    expected: int
    done: int
    failed: int
    refused: int
    per_minute: float | None
    seconds_left: int | None
    last_error: RunError | None
    errors: list[RunErrorCount]
    worker: RunWorker
    round: int
    started_by: PersonBrief | None
    created_at: datetime
    updated_at: datetime
    available_actions: list[str]


class RunChunks(TypedDict):
    """How many chunks of the work are in each state."""

    queued: int
    running: int
    done: int
    failed: int


class RunDetail(RunRow):
    """A run with everything needed to repeat it."""

    settings: dict[str, Any]
    environment: dict[str, Any]
    chunks: RunChunks


class FailureItem(TypedDict):
    """The item of a failure."""

    id: int
    label: str


class FailureImage(TypedDict):
    """The picture of a failure."""

    id: int
    label: str
    thumb_url: str


class FailureRow(TypedDict):
    """A failed input: ``variant`` is ``image`` or one of the texts, ``message`` the system's own error text."""

    item: FailureItem
    revision_no: int
    variant: str
    code: str
    message: str
    round: int
    image: FailureImage


class FailurePage(Paged):
    """A page of failures, by item."""

    results: list[FailureRow]
