"""Reads about submissions: what a release expects, the limit a day, the result of each submission."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import Any, NamedTuple, cast
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from annotation.releases.access import release_ids_open_to, releases_visible_to
from annotation.releases.models import Release, ReleaseEntry
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import LEAST_GROUP, SUBMISSIONS_PER_DAY, SUBMISSIONS_TOTAL
from curation.core.models import Job
from curation.core.pages import cut_page
from curation.core.shapes import job_answer
from curation.people.access import benchmark_for, made_within
from curation.people.models import Person
from curation.taxonomy.models import Category
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.rows import Row
from evaluation.scoring.rules import SCOPES
from evaluation.submissions import access, rules
from evaluation.submissions.errors import ReleaseNotScorable
from evaluation.submissions.models import Submission
from evaluation.submissions.rules import TASKS, Task
from evaluation.submissions.shapes import (
    AnsweredRelease,
    ListedSubmission,
    ListedSubmissions,
    OpenRelease,
    ScoredBreakdown,
    ScoredFigure,
    SubmissionDetail,
    SubmissionPage,
    SubmissionReport,
    SubmissionRequirements,
    SubmissionRow,
)

# States of a release that takes submissions.
OPEN = frozenset({Release.State.FROZEN, Release.State.PUBLISHED})
# Releases on the list; older ones are reached from their own pages.
OPEN_LISTED = 50


# --- What a release expects -------------------------------------------------------------------------------------------


def _records(release: Release) -> Iterator[dict[str, Any]]:
    rows = ReleaseEntry.objects.filter(release=release, split__in=rules.evaluated_splits(_release_settings(release)))
    yield from rows.order_by("ordinal").values_list("record", flat=True).iterator(chunk_size=500)


def _release_settings(release: Release) -> dict[str, Any]:
    settings: dict[str, Any] = release.protocol.content.get("release", {})
    return settings


def task_of(release: Release) -> Task:
    """How submissions for a release are evaluated.

    Raises:
        ReleaseNotScorable: No profile scores its kind, or its evaluated splits are empty.
    """
    if release.kind not in TASKS or not expected(release):
        raise ReleaseNotScorable(label=release.label)
    return TASKS[release.kind]


def gold_rows(release: Release) -> Iterator[Row]:
    """The gold rows of a release, with the category and the cultural distance for the report's groups."""
    categories = Category.objects.filter(benchmark_id=release.benchmark_id).values_list("slug", "distance")
    distances = {slug: distance for slug, distance in categories if distance}
    task, seed = TASKS[release.kind], release.option_seed or 0
    rows = (fields for record in _records(release) for fields in task.gold(record, seed))
    for number, fields in enumerate(rows, 1):
        yield Row("gold", number, fields | {"distance": distances.get(fields["category"], "")})


def expected(release: Release) -> int:
    """The number of ids that a submission for a frozen release must answer; 0 if it takes none."""
    return _expected(release.pk, release.digest) if release.frozen_at is not None and release.kind in TASKS else 0


@lru_cache(maxsize=256)  # a frozen release never changes
def _expected(release_id: int, digest: str) -> int:
    release = Release.objects.select_related("protocol").get(pk=release_id)
    task, seed = TASKS[release.kind], release.option_seed or 0
    return len({row["id"] for record in _records(release) for row in task.gold(record, seed)})


class File(NamedTuple):
    """A file to send."""

    name: str
    content: bytes


def template(person: Person, release_id: int) -> File:
    """The expected rows of a file of predictions, with empty responses, as JSON lines.

    Raises:
        ReleaseNotScorable, ReleaseWithdrawn, NotFound, OperationNotAllowed.
    """
    release = access.available_release_open_to(person, release_id, "submission_template")
    rows = task_of(release).template(_records(release), release.option_seed or 0)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return File(f"{release.label}-predictions.jsonl", text.encode())


def open_releases(person: Person, benchmark_slug: str) -> list[OpenRelease]:
    """List the frozen releases that take submissions, newest first.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "submission_releases")
    rows = releases_visible_to(person, benchmark, "submission_releases").filter(
        state__in=OPEN, frozen_at__isnull=False, kind__in=TASKS
    )
    open_ids = release_ids_open_to(person, benchmark.pk)
    rows = rows if open_ids is None else rows.filter(pk__in=open_ids)
    mine = Count("submissions", filter=Q(submissions__person=person))
    return [
        {"release": _release(row), "frozen_at": cast(datetime, row.frozen_at), "mine": row.mine}
        for row in rows.annotate(mine=mine).order_by("-pk")[:OPEN_LISTED]
    ]


# --- The limit a day --------------------------------------------------------------------------------------------------


class Day(NamedTuple):
    """A person's submissions of today for a benchmark's releases of one kind.

    Attributes:
        limit: Files a day, without unreadable ones.
        used: Files of today that are scored or waiting.
        refused: Unreadable files of today.
        refused_limit: Unreadable files a day.
        until: The next midnight in the benchmark's time zone.
    """

    limit: int
    used: int
    refused: int
    refused_limit: int
    until: datetime


def day_of(person: Person, benchmark: Benchmark, kind: str) -> Day:
    """A person's submissions of today for a benchmark's releases of a kind, in its time zone."""
    zone = ZoneInfo(benchmark.zone)
    begins = datetime.combine(timezone.localdate(timezone=zone), time.min, tzinfo=zone)
    rows = _submissions_of(person, benchmark, kind).filter(created_at__gte=begins)
    states = list(rows.values_list("state", flat=True))
    refused = states.count(Submission.State.REFUSED)
    limit = _evaluation_settings(benchmark).get("submissions_per_day", SUBMISSIONS_PER_DAY)
    until = datetime.combine(begins.date() + timedelta(days=1), time.min, tzinfo=zone)
    return Day(limit, len(states) - refused, refused, limit * rules.REFUSED_PER_FILE, until)


def total_of(person: Person, benchmark: Benchmark, kind: str) -> tuple[int, int]:
    """A person's submissions for a benchmark's releases of a kind, without unreadable files, and the limit."""
    limit: int = _evaluation_settings(benchmark).get("submissions_total", SUBMISSIONS_TOTAL)
    return _submissions_of(person, benchmark, kind).exclude(state=Submission.State.REFUSED).count(), limit


def _submissions_of(person: Person, benchmark: Benchmark, kind: str) -> QuerySet[Submission]:
    return Submission.objects.filter(person=person, release__benchmark=benchmark, release__kind=kind)


def _evaluation_settings(benchmark: Benchmark) -> dict[str, Any]:
    settings: dict[str, Any] = benchmark.protocol.content.get("evaluation", {}) if benchmark.protocol else {}
    return settings


def stored_bytes(person: Person) -> int:
    """The bytes of a person's submitted files in all benchmarks; files that could not be read are not stored."""
    rows = Submission.objects.filter(person=person).exclude(state=Submission.State.REFUSED)
    return int(rows.aggregate(sum=Sum("bytes"))["sum"] or 0)


# --- Results ----------------------------------------------------------------------------------------------------------


def submissions_page(person: Person, release_id: int, *, cursor: str | None = None, page_size: int) -> SubmissionPage:
    """List the person's own submissions, or for heads all, newest first, and what the release expects.

    Raises:
        NotFound, OperationNotAllowed.
    """
    release, rows = access.submissions_visible_to(person, release_id, "submission_list")
    submissions, facts = cut_page(rows.defer("report"), by="-id", cursor=cursor, page_size=page_size)
    return {
        **facts,
        "results": _submission_rows(person, release, submissions),
        "requirements": _requirements(person, release),
    }


def _release(release: Release) -> AnsweredRelease:
    return {"id": release.pk, "label": release.label, "kind": release.kind, "state": release.state}


def _requirements(person: Person, release: Release) -> SubmissionRequirements:
    n = expected(release)
    day = day_of(person, release.benchmark, release.kind)
    profiles = TASKS[release.kind].profiles if n else ()
    return {
        "release": _release(release),
        "open": release.state in OPEN and n > 0,
        "splits": list(rules.evaluated_splits(_release_settings(release))),
        "withheld": bool(_release_settings(release).get("withheld")),
        "expected": n,
        "profiles": [{"name": name, "source": PROFILES[name].source} for name in profiles],
        "day": {
            "limit": day.limit,
            "used": day.used,
            "refused": day.refused,
            "refused_limit": day.refused_limit,
            "until": day.until.astimezone(UTC),
        },
        "maximum_bytes": settings.SUBMISSION_LIMIT_BYTES,
    }


def submission_detail(person: Person, submission_id: int) -> SubmissionDetail:
    """Show one submission with its report.

    Raises:
        NotFound, OperationNotAllowed.
    """
    submission = access.submission_for(person, submission_id, "submission_show")
    [row] = _submission_rows(person, submission.release, [submission])
    return {
        **row,
        "release": _release(submission.release),
        "report": _report(submission.report, least_group_of(submission.release)) if submission.report else None,
    }


def changed_submission(person: Person, submission: Submission) -> SubmissionDetail:
    """As :func:`submission_detail`, for a submission that the person has just created or changed."""
    return submission_detail(person, submission.pk)


def least_group_of(release: Release) -> int:
    """The smallest group with figures in reports; 0 where the answers are public too."""
    if not _release_settings(release).get("withheld"):
        return 0
    least: int = (release.protocol.content.get("publication") or {}).get("least_group", LEAST_GROUP)
    return least


def _report(report: dict[str, Any], least_group: int) -> SubmissionReport:
    interval = report["interval"]
    return {
        "source": report["source"],
        "few_known_ids": report.get("few_known_ids"),  # earlier reports do not have it
        "n_expected": report["n_expected"],
        "n_scored": report["n_scored"],
        "n_missing": report["n_missing"],
        "n_unparsable": report["n_unparsable"],
        "n_refused": report["n_refused"],
        "n_failed": report["n_failed"],
        "n_unknown_ids": report["n_unknown_ids"],
        "n_duplicate": report["n_duplicate"],
        "figures": figures(report["metrics"]),
        "breakdowns": breakdowns(rules.publishable_groups(report, least_group)),
        "least_group": least_group,
        "interval": {
            "method": interval["method"],
            "resamples": interval["resamples"],
            "seed": interval["seed"],
        },
    }


def breakdowns(groupings: Mapping[str, Mapping[str, Any]]) -> list[ScoredBreakdown]:
    """The metrics of a report by group; retrieval's directions are not a grouping but part of the figures."""
    return [
        {
            "by": by,
            "groups": [
                {"group": group, "n": part["n"], "figures": figures(part["metrics"])}
                for group, part in sorted(groups.items())
            ],
        }
        for by, groups in groupings.items()
        if by != "type" and groups
    ]


def figures(metrics: Mapping[str, Mapping[str, Any]]) -> list[ScoredFigure]:
    """The metrics of a report, or of one group in it, text to image first."""
    rows: list[ScoredFigure] = []
    for name, figure in metrics.items():
        scope, _, metric = name.rpartition(" ")
        scope, metric = (scope, metric) if scope in SCOPES else ("", name)  # "t2i R@1", but "accuracy"
        rows.append(
            {
                "scope": scope,
                "metric": metric,
                "value": figure.get("value"),
                "low": figure.get("low"),
                "high": figure.get("high"),
                "n": figure.get("n"),
            }
        )
    return sorted(rows, key=lambda f: (f["scope"] != "t2i", len(f["metric"]), f["metric"]))


def _submission_rows(person: Person, release: Release, submissions: list[Submission]) -> list[SubmissionRow]:
    jobs = {job.pk: job for job in Job.objects.filter(pk__in=[row.job_id for row in submissions])}
    rows: list[SubmissionRow] = []
    for row in submissions:
        action = "submission_list_off" if row.listed else "submission_list_on"
        may = row.state == Submission.State.SCORED and _may(person, release, row, action)
        job = jobs.get(row.job_id or 0)
        rows.append(
            {
                "id": row.pk,
                "person": {"id": row.person.pk, "name": row.person.name},
                "system": row.system,
                "note": row.note,
                "profile": row.profile,
                "name": row.name,
                "bytes": row.bytes,
                "sha256": row.sha256,
                "state": row.state,
                "fault": row.fault,
                "listed": row.listed,
                "created_at": row.created_at,
                "scored_at": row.scored_at,
                "job": job_answer(job) if job else None,
                "available_actions": [action] if may else [],
            }
        )
    return rows


def _may(person: Person, release: Release, row: Submission, action: str) -> bool:
    mine = made_within(person, release.benchmark_id, person.reach(release.benchmark_id, action), "person_id")
    return mine == Q() or row.person_id == person.pk


def listed_submissions(person: Person | None, release: Release) -> list[ListedSubmissions]:
    """The listed submissions of a release: each profile with its rows, best first by its first figure.

    ``person`` is the reader; None: anybody, who may open none of them.
    """
    rows: QuerySet[Submission] = Submission.objects.filter(release=release, listed=True)
    by_profile: dict[str, list[ListedSubmission]] = {}
    for row in rows.order_by("pk"):
        report = row.report or {}
        by_profile.setdefault(row.profile, []).append(
            {
                "id": row.pk,
                "system": row.system,
                "is_open": person is not None and _may(person, release, row, "submission_show"),
                "created_at": row.created_at,
                "figures": figures(report["metrics"]),
                "n_expected": report["n_expected"],
                "n_scored": report["n_scored"],
                "n_missing": report["n_missing"],
            }
        )
    order = list(TASKS[release.kind].profiles) if release.kind in TASKS else []
    return [
        {
            "profile": profile,
            "source": PROFILES[profile].source,
            "rows": sorted(profile_rows, key=lambda row: (-_first(row), row["id"])),
        }
        for profile, profile_rows in sorted(by_profile.items(), key=lambda entry: order.index(entry[0]))
    ]


def _first(row: ListedSubmission) -> float:
    values = [figure["value"] for figure in row["figures"]]
    return values[0] if values and values[0] is not None else -1.0
