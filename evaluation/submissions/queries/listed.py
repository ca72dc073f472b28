"""Listed submissions and runs over a release, in one table for each profile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from annotation.releases.models import Release
from curation.people.models import Person
from evaluation.profiles.registry import PROFILES
from evaluation.runs.models import Run
from evaluation.runs.queries import manner_of
from evaluation.runs.shapes import RunManner
from evaluation.scoring.queries import newest_reports
from evaluation.submissions.models import Submission
from evaluation.submissions.queries.results import figures, open_test
from evaluation.submissions.shapes import ListedSubmission, ListedSubmissions
from evaluation.suites.rules import SUITES, profiles_of

#: Runs on a board, the newest.
MOST_RUNS = 200


class _Scored(NamedTuple):
    """What was scored by a profile, and its report."""

    profile: str
    report: Mapping[str, Any]
    system: str
    created_at: datetime
    is_open: bool
    submission: int | None = None
    crew: str = ""
    run: int | None = None
    manner: RunManner | None = None
    is_demo: bool = False


def listed_submissions(person: Person | None, release: Release, kind: str) -> list[ListedSubmissions]:
    """The listed submissions for a kind of a release and the runs over it, in one table for each profile.

    The rows of a profile are best first by its first figure. ``person`` is the reader; None: anybody, who may open
    none of them.
    """
    order = list(profiles_of(kind))
    by_profile: dict[str, list[ListedSubmission]] = {}
    for scored in (*_submitted(person, release, order), *_run(person, release, order)):
        by_profile.setdefault(scored.profile, []).append(_row(scored))
    return [
        {
            "profile": profile,
            "source": PROFILES[profile].source,
            "rows": sorted(rows, key=lambda row: (-_first(row), row["created_at"])),
        }
        for profile, rows in sorted(by_profile.items(), key=lambda entry: order.index(entry[0]))
    ]


def _submitted(person: Person | None, release: Release, profiles: Sequence[str]) -> Iterator[_Scored]:
    rows = Submission.objects.filter(release=release, listed=True, profile__in=profiles)
    may_open = open_test(person, release)
    for row in rows.select_related("crew").order_by("pk"):
        yield _Scored(
            row.profile,
            row.report or {},
            row.system,
            row.created_at,
            may_open(row),
            submission=row.pk,
            crew=row.crew.name if row.crew else "",
        )


def _run(person: Person | None, release: Release, profiles: Sequence[str]) -> Iterator[_Scored]:
    suites = [suite.name for suite in SUITES.values() if set(suite.profiles) & set(profiles)]
    closed = Run.objects.filter(set__release=release, suite__in=suites, state=Run.State.CLOSED)
    runs = list(closed.select_related("system").order_by("-pk")[:MOST_RUNS])
    reports = newest_reports(runs)
    is_open = person is not None and person.may(release.benchmark_id, "run_show")
    for run in runs:
        for profile, made in reports.get(run.pk, {}).items():
            yield _Scored(
                profile,
                made.report,
                run.system.name,
                made.computed_at,
                is_open,
                run=run.pk,
                manner=manner_of(run.settings),
                is_demo=run.system.is_demo,
            )


def _row(scored: _Scored) -> ListedSubmission:
    report = scored.report
    return {
        "id": scored.submission,
        "run": scored.run,
        "manner": scored.manner,
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


def _first(row: ListedSubmission) -> float:
    values = [figure["value"] for figure in row["figures"]]
    return values[0] if values and values[0] is not None else -1.0
