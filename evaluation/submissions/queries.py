"""Reads about what is handed in: what a release asks, what it may still take today, what came of each file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from functools import lru_cache
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from annotation.releases.access import releases_visible_to, standing_release_for
from annotation.releases.models import Release, ReleaseEntry
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import SUBMISSIONS_PER_DAY
from curation.core.models import Job
from curation.core.pages import page
from curation.people.access import benchmark_for, made_within
from curation.people.models import Person
from curation.taxonomy.models import Category
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.rows import Row
from evaluation.submissions import access, rules
from evaluation.submissions.errors import SubmissionNothingAsked
from evaluation.submissions.models import Submission
from evaluation.submissions.rules import TASKS, Task

# States of a release that can be answered.
OPEN = frozenset({Release.State.FROZEN, Release.State.PUBLISHED})
# Releases that the way in shows; older ones are reached from their own pages.
OPEN_SHOWN = 50


# --- What a release asks ----------------------------------------------------------------------------------------------


def _records(release: Release) -> Iterator[dict[str, Any]]:
    rows = ReleaseEntry.objects.filter(release=release, split__in=rules.asked_splits(_of_release(release)))
    yield from rows.order_by("ordinal").values_list("record", flat=True).iterator(chunk_size=500)


def _of_release(release: Release) -> dict[str, Any]:
    said: dict[str, Any] = release.protocol.content.get("release", {})
    return said


def task_of(release: Release) -> Task:
    """The task that a release is.

    Raises:
        SubmissionNothingAsked: No profile scores its kind, or the splits that are asked about hold nothing.
    """
    if release.kind not in TASKS or not expected(release):
        raise SubmissionNothingAsked(label=release.label)
    return TASKS[release.kind]


def gold_rows(release: Release) -> Iterator[Row]:
    """The right answers as a profile reads them, with the category and its cultural distance to break down by."""
    named = Category.objects.filter(benchmark_id=release.benchmark_id).values_list("slug", "distance")
    distances = {slug: distance for slug, distance in named if distance}
    rows = (fields for record in _records(release) for fields in TASKS[release.kind].gold(record))
    for number, fields in enumerate(rows, 1):
        yield Row("gold", number, fields | {"distance": distances.get(fields["category"], "")})


def expected(release: Release) -> int:
    """How many ids a frozen release asks about."""
    return _expected(release.pk, release.digest) if release.frozen_at is not None and release.kind in TASKS else 0


@lru_cache(maxsize=256)  # what is frozen never changes
def _expected(release_id: int, digest: str) -> int:
    release = Release.objects.select_related("protocol").get(pk=release_id)
    return len({row["id"] for record in _records(release) for row in TASKS[release.kind].gold(record)})


class File(NamedTuple):
    """A file to send."""

    name: str
    content: bytes


def template(person: Person, release_id: int) -> File:
    """Every row that a file of predictions is to have, with its response left empty, as JSON lines.

    Raises:
        SubmissionNothingAsked, ReleaseWithdrawn, NotFound, OperationNotAllowed.
    """
    release = standing_release_for(person, release_id, "submission_template")
    rows = task_of(release).template(_records(release))
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return File(f"{release.label}-predictions.jsonl", text.encode())


def open_releases(person: Person, slug: str) -> list[dict[str, Any]]:
    """The releases of a benchmark that somebody may hand predictions in against, newest first.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, slug, "submission_releases")
    rows = releases_visible_to(person, benchmark, "submission_releases").filter(
        state__in=OPEN, frozen_at__isnull=False, kind__in=TASKS
    )
    mine = Count("submissions", filter=Q(submissions__person=person))
    return [
        {"release": row, "frozen_at": row.frozen_at, "mine": row.mine}
        for row in rows.annotate(mine=mine).order_by("-pk")[:OPEN_SHOWN]
    ]


# --- How much may be handed in ----------------------------------------------------------------------------------------


class Day(NamedTuple):
    """What somebody handed in today.

    Attributes:
        limit: Files a day that count.
        used: Files of today that are scored or wait to be.
        refused: Files of today that could not be read; they do not count.
        refused_limit: How many of those are taken.
        until: When the benchmark's next day begins.
    """

    limit: int
    used: int
    refused: int
    refused_limit: int
    until: datetime


def day_of(person: Person, benchmark: Benchmark) -> Day:
    """What somebody handed in against a benchmark's releases on the present day of its zone."""
    zone = ZoneInfo(benchmark.zone)
    begins = datetime.combine(timezone.localdate(timezone=zone), time.min, tzinfo=zone)
    rows = Submission.objects.filter(person=person, release__benchmark=benchmark, created_at__gte=begins)
    states = list(rows.values_list("state", flat=True))
    refused = states.count(Submission.State.REFUSED)
    said = benchmark.protocol.content.get("evaluation", {}) if benchmark.protocol else {}
    limit = said.get("submissions_per_day", SUBMISSIONS_PER_DAY)
    until = datetime.combine(begins.date() + timedelta(days=1), time.min, tzinfo=zone)
    return Day(limit, len(states) - refused, refused, limit * rules.REFUSED_PER_FILE, until)


# --- What came of it --------------------------------------------------------------------------------------------------


def submissions_page(person: Person, release_id: int, *, cursor: str | None, page_size: int) -> dict[str, Any]:
    """A page of what was handed in against a release, newest first: one's own, or for its heads everybody's.

    Raises:
        NotFound, OperationNotAllowed.
    """
    release, rows = access.submissions_visible_to(person, release_id, "submission_list")
    found = page(rows.defer("report"), by="-id", cursor=cursor, page_size=page_size)
    return found | {
        "results": _told(person, release, found["results"]),
        "asked": _asked(person, release),
    }


def _asked(person: Person, release: Release) -> dict[str, Any]:
    n = expected(release)
    profiles = TASKS[release.kind].profiles if n else ()
    return {
        "release": {"id": release.pk, "label": release.label, "kind": release.kind, "state": release.state},
        "open": release.state in OPEN and n > 0,
        "splits": list(rules.asked_splits(_of_release(release))),
        "withheld": bool(_of_release(release).get("withheld")),
        "expected": n,
        "profiles": [{"name": name, "source": PROFILES[name].source} for name in profiles],
        "day": day_of(person, release.benchmark)._asdict(),
        "maximum_bytes": settings.SUBMISSION_LIMIT_BYTES,
    }


def submission_detail(person: Person, submission_id: int, operation: str = "submission_show") -> dict[str, Any]:
    """One file with its report.

    Raises:
        NotFound, OperationNotAllowed.
    """
    found = access.submission_for(person, submission_id, operation)
    [told] = _told(person, found.release, [found])
    report = found.report and found.report | {
        "figures": rules.figures(found.report),
        "breakdowns": rules.breakdowns(found.report),
    }
    return told | {"report": report, "release": found.release}


def _told(person: Person, release: Release, rows: list[Submission]) -> list[dict[str, Any]]:
    jobs = {job.pk: job for job in Job.objects.filter(pk__in=[row.job_id for row in rows])}
    told = []
    for row in rows:
        action = "submission_list_off" if row.listed else "submission_list_on"
        may = row.state == Submission.State.SCORED and _may(person, release, row, action)
        told.append(
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
                "job": jobs.get(row.job_id or 0),
                "available_actions": [action] if may else [],
            }
        )
    return told


def _may(person: Person, release: Release, row: Submission, action: str) -> bool:
    mine = made_within(person, release.benchmark_id, person.reach(release.benchmark_id, action), "person_id")
    return mine == Q() or row.person_id == person.pk


def listed(person: Person, release: Release) -> list[dict[str, Any]]:
    """What people put on a release's leaderboard: each profile with its files, best first by its first figure.

    ``is_open``: whether the person may open the file's page.
    """
    rows: QuerySet[Submission] = Submission.objects.filter(release=release, listed=True)
    by_profile: dict[str, list[dict[str, Any]]] = {}
    for row in rows.order_by("pk"):
        report = row.report or {}
        by_profile.setdefault(row.profile, []).append(
            {
                "id": row.pk,
                "system": row.system,
                "is_open": _may(person, release, row, "submission_show"),
                "created_at": row.created_at,
                "figures": rules.figures(report),
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
            "rows": sorted(found, key=lambda row: (-_first(row), row["id"])),
        }
        for profile, found in sorted(by_profile.items(), key=lambda entry: order.index(entry[0]))
    ]


def _first(row: dict[str, Any]) -> float:
    values = [figure["value"] for figure in row["figures"]]
    return values[0] if values and values[0] is not None else -1.0
