"""Answers about runs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from typing_extensions import TypedDict

from curation.core.shapes import OneOf, Paged, PersonBrief
from evaluation.runs.models import Run
from evaluation.runs.rules import CELL_STATES, RUN_STATUSES
from evaluation.sets.models import ItemSet
from evaluation.systems.shapes import SystemBrief


class RunRelease(TypedDict):
    """The release whose set a run is over."""

    id: int
    label: str


class RunSet(TypedDict):
    """The item set a run is over."""

    id: int
    name: str
    origin: Annotated[str, OneOf(ItemSet.Origin)]


class RunManner(TypedDict):
    """How a run asks the questions of a set; ``scale`` is that of its pictures, null where none are sent.

    ``prompt`` is the number of the prompts' version, null where there is no prompt; ``shots`` counts the examples
    before each question.
    """

    setting: str
    means: str
    side: str
    language: str
    prompt: int | None
    scale: str | None
    shots: int


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


class RunCost(TypedDict):
    """What the replies of a run cost when their calls were made, for this run or an earlier one."""

    amount: str
    currency: str


class RunRow(TypedDict):
    """A run: ``expected``, ``done``, ``failed`` and ``refused``, those that the system declined, count entries.

    ``manner`` is how these are asked, ``release`` that of the set. ``errors`` count what is at fault: a picture once
    for all its captions. ``state`` is what people decided, ``status`` what the run is doing; ``silent_s`` are the
    seconds since the last heartbeat of a worker on it. ``cost`` is null where nothing was paid, and for readers who may
    not see spending.
    """

    id: int
    system: SystemBrief
    suite: str
    release: RunRelease | None
    set: RunSet
    manner: RunManner
    state: Annotated[str, OneOf(Run.State)]
    status: Annotated[str, OneOf(RUN_STATUSES)]
    silent_s: int | None
    expected: int
    done: int
    failed: int
    refused: int
    cost: RunCost | None
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


class RunCell(TypedDict):
    """A system in one setting of a grid; what is null in its setting is the suite's default.

    ``state`` says what a start does with it: it is started, an equal run is open or paused, or has ended, which ``run``
    is; or it is blocked by ``reason``. ``cost`` is the most that its replies cost, ``currency`` null where they are
    free; both are null where the cost is not known. ``seconds`` is how long the workers that are alive take, by what
    the system took for earlier runs over sets; null where there were none.
    """

    system: str
    name: str
    setting: str
    means: str | None
    side: str | None
    language: str | None
    prompt: int | None
    scale: str | None
    shots: int
    state: Annotated[str, OneOf(CELL_STATES)]
    run: int | None
    questions: int | None
    cost: str | None
    currency: str | None
    seconds: int | None
    reason: RunError | None


class RunPlanCost(TypedDict):
    """The most that all cells to be started cost in one currency, and what the benchmark's budget has left."""

    currency: str
    cost: str
    left: str


class RunPlan(TypedDict):
    """What starting a grid does; ``starts``, ``questions``, ``costs`` and ``seconds`` are of the cells to be started.

    ``seconds`` is null if the time of one of them is not known.
    """

    cells: list[RunCell]
    starts: int
    questions: int
    costs: list[RunPlanCost]
    seconds: int | None


class RunsStarted(TypedDict):
    """The runs of a grid: those that were started, and equal ones that were open; ``created`` counts the former."""

    runs: list[RunRow]
    created: int


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
    """What failed: ``variant`` is ``image``, one of the captions, or a question's key.

    ``message`` is the system's own error text.
    """

    item: FailureItem
    revision_no: int
    variant: str
    code: str
    message: str
    round: int
    image: FailureImage


class FailurePage(Paged):
    """A page of failures."""

    results: list[FailureRow]
