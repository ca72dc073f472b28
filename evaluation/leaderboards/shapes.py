"""Answers about leaderboards and samples."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from typing_extensions import TypedDict

from curation.core.shapes import LocalisedText, OneOf, Paged
from evaluation.profiles.base import BREAKDOWNS
from evaluation.runs.shapes import RunManner
from evaluation.scoring.rules import SCOPES
from evaluation.submissions.shapes import ListedSubmissions, ScoredFigure
from evaluation.systems.shapes import SystemBrief


class BoardGallery(TypedDict):
    """The pictures and texts of one split that are searched; ``digest`` identifies them."""

    split: str
    images: int
    texts: int
    digest: str


class BoardGroup(TypedDict):
    """A group of pictures or of questions; ``n`` counts them."""

    group_by: Annotated[str, OneOf(BREAKDOWNS)]
    group: str
    name: LocalisedText
    n: int


class BoardScore(TypedDict):
    """One number with its 95% interval; counts are queries. ``group_by`` and ``group`` are empty over everything."""

    scope: Annotated[str, OneOf(SCOPES)]
    metric: str
    group_by: str
    group: str
    value: float | None
    low: float | None
    high: float | None
    interval: str | None
    n_expected: int
    n_scored: int
    n_missing: int
    n_failed: int


class BoardGap(TypedDict):
    """The gap between a system's best and worst group, with the 95% interval of that difference."""

    scope: Annotated[str, OneOf(SCOPES)]
    metric: str
    group_by: str
    gap: float
    highest: str
    lowest: str
    low: float
    high: float
    interval: str


BoardStatus = Literal["scored", "partial", "scoring", "waiting", "failed"]


class BoardSystem(TypedDict):
    """A system's row: the newest complete scoring of any of its runs, otherwise the newest.

    ``of`` is whether the run is rolling or made for this release; ``status`` is the status of the scoring.
    """

    system: SystemBrief
    run: int
    of: Literal["rolling", "release"]
    scoring: int | None
    computed_at: datetime | None
    status: BoardStatus
    scores: list[BoardScore]
    gaps: list[BoardGap]


class BoardFile(TypedDict):
    """A file made of the board; takes ``theme`` and ``lang``."""

    name: str
    url: str


class BoardContent(TypedDict):
    """The systems under test on a release, side by side."""

    suite: str | None
    profile: str
    gallery: BoardGallery
    metrics: list[str]
    scopes: list[str]
    groups: list[BoardGroup]
    systems: list[BoardSystem]
    charts: list[BoardFile]


class Leaderboard(BoardContent):
    """Systems side by side, and listed submissions; ``suite`` is null where no system is tested on the kind.

    ``kind`` is the one of the release's ``kinds`` that they are about; ``has_profiles`` is false if none scores it.
    """

    kind: str
    kinds: list[str]
    has_profiles: bool
    submissions: list[ListedSubmissions]


class SystemsCompared(TypedDict):
    """Two systems on the queries or questions that both have; ``difference`` is the first's share less the other's.

    ``only_one`` counts what only the first hit, ``images`` the pictures they come from.
    """

    n: int
    images: int
    both: int
    only_one: int
    only_other: int
    neither: int
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    method: str
    interval: str


class ProfileGroup(BoardGroup):
    """A group of questions; ``chance`` is what guessing gives there."""

    chance: float | None


class ProfileRow(TypedDict):
    """A submission or a run; one of both is null.

    ``text_only`` is the figure of the same setting without pictures, null where no run is. ``groups`` are the figures
    of the board's groups, in their order, null where nothing counts. ``is_comparable``: results by question are kept.
    ``has_samples``: a page shows each question of the run by this profile.
    """

    key: str
    run: int | None
    submission: int | None
    system: str
    crew: str
    manner: RunManner | None
    is_demo: bool
    is_comparable: bool
    has_samples: bool
    figure: ScoredFigure | None
    text_only: float | None
    groups: list[ScoredFigure | None]


class ProfileBoard(TypedDict):
    """What a profile scores: rows from the best, broken down by one tag of the questions.

    ``profiles`` are those with rows, ``tags`` those with several values; ``profile``, ``metric`` and ``tag`` are empty
    where there are none. Of ``n_rows`` rows the best are here, and of ``n_groups`` groups the largest. ``chance`` is
    what guessing gives. Where answers are withheld, groups of fewer than ``least_group`` are left out; 0: none is.
    """

    profiles: list[str]
    profile: str
    metric: str
    tags: list[str]
    tag: str
    chance: float | None
    groups: list[ProfileGroup]
    n_groups: int
    least_group: int
    rows: list[ProfileRow]
    n_rows: int
    charts: list[BoardFile]


class SampledItem(TypedDict):
    """An item by name."""

    id: int
    label: str


class SampleImage(TypedDict):
    """A picture by name, small."""

    id: int
    label: str
    thumb_url: str


class SampleView(SampleImage):
    """A picture to look at."""

    view_url: str
    width: int
    height: int


class SampleGold(TypedDict):
    """A right answer; ``text`` is null for a picture."""

    item: SampledItem
    image: SampleImage
    variant: str
    text: str | None


class SampleRow(SampleGold):
    """A query; ``rank`` counts from 0 and is null where nothing could be ranked, ``text`` null for a picture."""

    scope: Annotated[str, OneOf(SCOPES)]
    ordinal: int
    rank: int | None
    category: str
    distance: str


class SamplePage(Paged):
    """A page of a run's queries; ``run`` is null where nothing was scored."""

    results: list[SampleRow]
    run: int | None


class SampleQuery(TypedDict):
    """The query; ``texts`` are all texts of the picture in this release."""

    scope: Annotated[str, OneOf(SCOPES)]
    ordinal: int
    item: SampledItem
    image: SampleView
    variant: str
    texts: list[str]
    text: str | None
    category: str
    distance: str


class SampleNear(SampleGold):
    """One of a system's first answers; ``similarity`` is the cosine."""

    similarity: float
    is_gold: bool


class SampleSystem(TypedDict):
    """A system's answer to the query."""

    system: SystemBrief
    run: int
    rank: int | None
    nearest: list[SampleNear]


class Sample(TypedDict):
    """A query with every system's answer; ``previous`` and ``next`` are ordinals within the filters."""

    query: SampleQuery
    gold: list[SampleGold]
    systems: list[SampleSystem]
    previous: int | None
    next: int | None
