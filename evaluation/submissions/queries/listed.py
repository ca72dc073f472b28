"""Listed submissions and runs over a release, in one table for each profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from annotation.releases.models import Release
from curation.people.models import Person
from evaluation.profiles.registry import PROFILES
from evaluation.runs.models import Run
from evaluation.runs.queries import cost_of, manner_of, text_only_runs
from evaluation.runs.shapes import RunCost, RunManner
from evaluation.scoring.queries import MOST_RUNS, headline_of, newest_reports
from evaluation.submissions.models import Submission
from evaluation.submissions.queries.results import figures, open_test
from evaluation.submissions.shapes import ListedSubmission, ListedSubmissions
from evaluation.suites.rules import SUITES, profiles_of


class ScoredRow(NamedTuple):
    """A row of a board: what was scored by a profile, and its report.

    Attributes:
        scored: The report's own row: a run's report or a submission.
        has_samples: Results by question are kept for pages: of a run's first profile.
    """

    profile: str
    report: Mapping[str, Any]
    scored: int
    system: str
    created_at: datetime
    is_open: bool
    submission: int | None = None
    crew: str = ""
    run: int | None = None
    slug: str = ""
    revision: str = ""
    manner: RunManner | None = None
    cost: RunCost | None = None
    text_only: int | None = None
    is_demo: bool = False
    has_samples: bool = False

    @property
    def key(self) -> str:
        """The row's name in addresses and files."""
        return f"submission-{self.submission}" if self.run is None else f"run-{self.run}"

    @property
    def headline(self) -> float:
        """The value of its first figure, by which rows are ordered."""
        values = [figure["value"] for figure in figures(self.report["metrics"])[:1]]
        return values[0] if values and values[0] is not None else -1.0


def listed_submissions(person: Person | None, release: Release, kind: str) -> list[ListedSubmissions]:
    """The listed submissions for a kind of a release and the runs over it, in one table for each profile."""
    return [
        {"profile": profile, "source": PROFILES[profile].source, "rows": [_row(row) for row in rows]}
        for profile, rows in scored_rows(person, release, kind).items()
    ]


def scored_rows(person: Person | None, release: Release, kind: str) -> dict[str, list[ScoredRow]]:
    """The listed submissions for a kind of a release and the runs over it, by profile, the kind's headline first.

    The rows of a profile are best first by its first figure. ``person`` is the reader; None: anybody, who may open
    none of them.
    """
    order = list(profiles_of(kind))
    # Retrieval's runs have a board of their own.
    questions = [suite for suite in SUITES.values() if not suite.is_retrieval]
    suites = [suite.name for suite in questions if set(suite.profiles) & set(order)]
    closed = Run.objects.filter(set__release=release, suite__in=suites, state=Run.State.CLOSED)
    runs = list(closed.select_related("system").order_by("-pk")[:MOST_RUNS])
    may_open_runs = person is not None and person.may(release.benchmark_id, "run_show")
    return by_profile([*_submitted(person, release, order), *rows_of_runs(runs, person, is_open=may_open_runs)], order)


def by_profile(rows: Sequence[ScoredRow], order: Sequence[str]) -> dict[str, list[ScoredRow]]:
    """Rows by profile in a given order of profiles, each from the best."""
    best_first = sorted(rows, key=lambda row: (-row.headline, row.created_at))
    tables = {profile: [row for row in best_first if row.profile == profile] for profile in order}
    return {profile: rows for profile, rows in tables.items() if rows}


def rows_of_runs(runs: Sequence[Run], viewer: Person | None, *, is_open: bool) -> Iterator[ScoredRow]:
    """The rows of runs over a set, one for each profile that scored them."""
    reports, text_only = newest_reports(runs), text_only_runs(runs)
    for run in runs:
        for profile, made in reports.get(run.pk, {}).items():
            yield ScoredRow(
                profile,
                made.report,
                made.pk,
                run.system.name,
                made.computed_at,
                is_open,
                run=run.pk,
                slug=run.system.slug,
                revision=run.system.revision,
                manner=manner_of(run.settings),
                cost=cost_of(run, viewer),
                text_only=text_only.get(run.pk),
                is_demo=run.system.is_demo,
                has_samples=profile == headline_of(run, reports[run.pk]),
            )


def _submitted(person: Person | None, release: Release, profiles: Sequence[str]) -> Iterator[ScoredRow]:
    rows = Submission.objects.filter(release=release, listed=True, profile__in=profiles)
    may_open = open_test(person, release)
    for row in rows.select_related("crew").order_by("pk"):
        yield ScoredRow(
            row.profile,
            row.report or {},
            row.pk,
            row.system,
            row.created_at,
            may_open(row),
            submission=row.pk,
            crew=row.crew.name if row.crew else "",
        )


def _row(scored: ScoredRow) -> ListedSubmission:
    report = scored.report
    return {
        "id": scored.submission,
        "run": scored.run,
        "manner": scored.manner,
        "text_only": scored.text_only,
        "cost": scored.cost,
        "is_demo": scored.is_demo,
        "system": scored.system,
        "crew": scored.crew,
        "is_open": scored.is_open,
        "created_at": scored.created_at,
        "figures": figures(report["metrics"]),
        "n_expected": report["n_expected"],
        "n_scored": report["n_scored"],
        "n_missing": report["n_missing"],
        "n_unparsable": report["n_unparsable"],
        "n_refused": report["n_refused"],
        "n_failed": report["n_failed"],
    }
