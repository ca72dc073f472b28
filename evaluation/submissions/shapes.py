"""Answers about submissions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from typing_extensions import TypedDict

from curation.core.shapes import JobAnswer, OneOf, Paged, PersonBrief
from evaluation.runs.shapes import RunCost, RunManner
from evaluation.submissions.models import Submission
from evaluation.submissions.rules import FAULTS


class SubmissionFault(TypedDict):
    """Why a file could not be read; ``line`` is 0 for the file as a whole, the row's number in an array."""

    code: Annotated[str, OneOf(FAULTS)]
    line: int
    field: str
    expected: str


class ScoredFigure(TypedDict):
    """A metric with its 95% interval; ``scope`` is retrieval's direction, else empty; ``n`` what it is a mean of.

    ``chance`` is what guessing among options gives on average, null where not every question has some.
    """

    scope: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    n: int | None
    chance: float | None


class ScoredGroup(TypedDict):
    """A member of a breakdown; ``n`` counts the ids in it."""

    group: str
    n: int
    figures: list[ScoredFigure]


class ScoredBreakdown(TypedDict):
    """A report broken down by category, distance, direction."""

    by: str
    groups: list[ScoredGroup]


class ScoredInterval(TypedDict):
    """How the intervals were computed."""

    method: str
    resamples: int
    seed: int


class FewKnownIds(TypedDict):
    """How little the file has in common with the release: ``known`` of ``in_file`` ids are among the ``expected``.

    ``unknown`` and ``missing`` are a few ids that only the file and only the release has, cut after 80 characters.
    """

    known: int
    in_file: int
    expected: int
    unknown: list[str]
    missing: list[str]


class SubmissionReport(TypedDict):
    """What ``manage.py score`` prints about the file, without any single answer, submitted or correct.

    Of splits with withheld answers, groups of fewer than ``least_group`` ids are left out; 0: none is.
    """

    source: str
    few_known_ids: FewKnownIds | None
    n_expected: int
    n_scored: int
    n_missing: int
    n_unparsable: int
    n_refused: int
    n_failed: int
    n_unknown_ids: int
    n_duplicate: int
    figures: list[ScoredFigure]
    breakdowns: list[ScoredBreakdown]
    least_group: int
    interval: ScoredInterval


class SubmissionRow(TypedDict):
    """One submission.

    ``crew`` is the crew's name, empty for a person alone; ``hidden_reason`` why an administrator took it off the
    leaderboard, empty if nobody did.
    """

    id: int
    person: PersonBrief
    crew: str
    system: str
    note: str
    profile: str
    name: str
    bytes: int
    sha256: str
    state: Annotated[str, OneOf(Submission.State)]
    fault: SubmissionFault | None
    listed: bool
    hidden_reason: str
    created_at: datetime
    scored_at: datetime | None
    job: JobAnswer | None
    available_actions: list[str]


class AnsweredRelease(TypedDict):
    """The release that predictions are submitted for."""

    id: int
    label: str
    kinds: list[str]
    state: str


class OpenRelease(TypedDict):
    """A release that takes submissions; ``mine`` is the number of the viewer's own."""

    release: AnsweredRelease
    frozen_at: datetime
    mine: int


class SubmissionDetail(SubmissionRow):
    """One submission with its report; ``kind``: which of the release's kinds it answers."""

    release: AnsweredRelease
    kind: str
    report: SubmissionReport | None


class OfferedProfile(TypedDict):
    """A profile that suits the release."""

    name: str
    source: str


class SubmissionDay(TypedDict):
    """Today's submissions of the viewer's crew, or of the viewer alone; files that could not be read do not count."""

    limit: int
    used: int
    refused: int
    refused_limit: int
    until: datetime


class SubmissionTotal(TypedDict):
    """The submissions in all."""

    limit: int
    used: int


class SubmissionRequirements(TypedDict):
    """What a submission for a kind must contain: ``expected`` ids of ``splits``.

    ``withheld``: no public file has the answers. ``crew``: the name of the viewer's crew, whose limits count; empty for
    a person alone.
    """

    release: AnsweredRelease
    kind: str
    open: bool
    splits: list[str]
    withheld: bool
    expected: int
    profiles: list[OfferedProfile]
    day: SubmissionDay
    total: SubmissionTotal
    crew: str
    maximum_bytes: int


class SubmissionPage(Paged):
    """A page of submissions, and what a submission for the release must contain."""

    results: list[SubmissionRow]
    requirements: SubmissionRequirements


class ListedSubmission(TypedDict):
    """A submission that its owner listed on the leaderboard, or a run over the release's item set.

    One of ``id``, the submission, and ``run`` is null; ``manner`` is how a run asks, and ``text_only`` the run that
    differs in one thing alone: it was sent no pictures. ``cost`` is as in a run. ``is_open``: the viewer may open its
    page. ``crew`` is empty for a person alone, whose name no board shows, and for runs.
    """

    id: int | None
    run: int | None
    manner: RunManner | None
    text_only: int | None
    cost: RunCost | None
    is_demo: bool
    system: str
    crew: str
    is_open: bool
    created_at: datetime
    figures: list[ScoredFigure]
    n_expected: int
    n_scored: int
    n_missing: int
    n_unparsable: int
    n_refused: int
    n_failed: int


class ListedSubmissions(TypedDict):
    """Listed submissions and runs scored by one profile, best first."""

    profile: str
    source: str
    rows: list[ListedSubmission]


class CrewAnswer(TypedDict):
    """A crew; ``link_until``: when its link expires, null without one. ``may_leave``: the viewer submitted nothing."""

    name: str
    members: list[PersonBrief]
    link_until: datetime | None
    may_leave: bool


class CrewPage(TypedDict):
    """The viewer's crew in a benchmark, null for a person alone; ``may_join``: they may join one by its link."""

    crew: CrewAnswer | None
    may_join: bool


class CrewLink(TypedDict):
    """A link to join; ``token`` is null in the answer to a repeated request."""

    token: str | None
    expires_at: datetime


class CrewInvitation(TypedDict):
    """What a link is for."""

    name: str
    members: int
