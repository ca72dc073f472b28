"""How much a crew, or a person alone, may submit, and how much they have."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import QuerySet, Sum
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import SUBMISSIONS_PER_DAY, SUBMISSIONS_TOTAL
from curation.people.models import Person
from evaluation.submissions import rules
from evaluation.submissions.access import Submitter
from evaluation.submissions.models import Submission
from evaluation.suites.rules import profiles_of


class Day(NamedTuple):
    """The submissions of today, of a crew or a person alone, for one kind of a benchmark's releases.

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


def day_of(submitter: Submitter, benchmark: Benchmark, kind: str) -> Day:
    """The submissions of today for a kind of a benchmark's releases, in its time zone."""
    zone = ZoneInfo(benchmark.zone)
    begins = datetime.combine(timezone.localdate(timezone=zone), time.min, tzinfo=zone)
    rows = _submissions_for(submitter, benchmark, kind).filter(created_at__gte=begins)
    states = list(rows.values_list("state", flat=True))
    refused = states.count(Submission.State.REFUSED)
    limit = _evaluation_settings(benchmark).get("submissions_per_day", SUBMISSIONS_PER_DAY)
    until = datetime.combine(begins.date() + timedelta(days=1), time.min, tzinfo=zone)
    return Day(limit, len(states) - refused, refused, limit * rules.REFUSED_PER_FILE, until)


class Total(NamedTuple):
    """The submissions in all for one kind of a benchmark's releases, without unreadable files."""

    limit: int
    used: int


def total_of(submitter: Submitter, benchmark: Benchmark, kind: str) -> Total:
    """The submissions in all, of a crew or a person alone, for a kind of a benchmark's releases."""
    limit: int = _evaluation_settings(benchmark).get("submissions_total", SUBMISSIONS_TOTAL)
    rows = _submissions_for(submitter, benchmark, kind)
    return Total(limit, rows.exclude(state=Submission.State.REFUSED).count())


def submissions_of(submitter: Submitter, benchmark: Benchmark) -> QuerySet[Submission]:
    """What a crew submitted in a benchmark, or a person alone."""
    rows = Submission.objects.filter(release__benchmark=benchmark)
    if submitter.crew is None:
        return rows.filter(person=submitter.person, crew=None)
    return rows.filter(crew=submitter.crew)


def _submissions_for(submitter: Submitter, benchmark: Benchmark, kind: str) -> QuerySet[Submission]:
    return submissions_of(submitter, benchmark).filter(profile__in=profiles_of(kind))


def _evaluation_settings(benchmark: Benchmark) -> dict[str, Any]:
    settings: dict[str, Any] = benchmark.protocol.content.get("evaluation", {}) if benchmark.protocol else {}
    return settings


def stored_bytes(person: Person) -> int:
    """The bytes of a person's submitted files in all benchmarks; files that could not be read are not stored."""
    rows = Submission.objects.filter(person=person).exclude(state=Submission.State.REFUSED)
    return int(rows.aggregate(sum=Sum("bytes"))["sum"] or 0)
