"""Reads about submissions: each with its result, and those that the leaderboard lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any

from django.conf import settings

from annotation.releases.models import Release, ReleaseKind
from curation.benchmarks.rules import LEAST_GROUP
from curation.core.models import Job
from curation.core.operations import Reach
from curation.core.pages import cut_page
from curation.core.shapes import job_answer
from curation.people.models import Person
from evaluation.profiles.registry import PROFILES
from evaluation.scoring.queries import HEADLINE
from evaluation.scoring.rules import SCOPES
from evaluation.submissions import access, rules
from evaluation.submissions.models import CrewMember, Submission
from evaluation.submissions.queries.expected import (
    OPEN,
    answered_kind,
    expected,
    release_answer,
    release_settings,
)
from evaluation.submissions.queries.limits import day_of, total_of
from evaluation.submissions.shapes import (
    ScoredBreakdown,
    ScoredFigure,
    SubmissionDetail,
    SubmissionPage,
    SubmissionReport,
    SubmissionRequirements,
    SubmissionRow,
)
from evaluation.suites.rules import evaluated_splits, kind_of, profiles_of


def submissions_page(
    person: Person, release_id: int, *, kind: str | None = None, cursor: str | None = None, page_size: int
) -> SubmissionPage:
    """List the person's own submissions for a kind, or for heads all, newest first, and what the release expects.

    Raises:
        NotFound, OperationNotAllowed.
    """
    release, rows = access.submissions_visible_to(person, release_id, "submission_list")
    own = answered_kind(release, kind)
    if not release.kind:
        rows = rows.filter(profile__in=profiles_of(own.kind))
    submissions, facts = cut_page(rows.defer("report"), by="-id", cursor=cursor, page_size=page_size)
    return {
        **facts,
        "results": _submission_rows(person, release, submissions),
        "requirements": _requirements(person, own),
    }


def _requirements(person: Person, own: ReleaseKind) -> SubmissionRequirements:
    release, n = own.release, expected(own)
    submitter = access.submitter(person, release.benchmark_id)
    day = day_of(submitter, release.benchmark, own.kind)
    total = total_of(submitter, release.benchmark, own.kind)
    profiles = profiles_of(own.kind) if n else ()
    return {
        "release": release_answer(release),
        "kind": own.kind,
        "open": release.state in OPEN and n > 0,
        "splits": list(evaluated_splits(release_settings(release))),
        "withheld": bool(release_settings(release).get("withheld")),
        "expected": n,
        "profiles": [{"name": name, "source": PROFILES[name].source} for name in profiles],
        "day": {
            "limit": day.limit,
            "used": day.used,
            "refused": day.refused,
            "refused_limit": day.refused_limit,
            "until": day.until.astimezone(UTC),
        },
        "total": {"limit": total.limit, "used": total.used},
        "crew": submitter.crew.name if submitter.crew else "",
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
        "release": release_answer(submission.release),
        "kind": kind_of(submission.profile),
        "report": _report(submission.report, least_group_of(submission.release)) if submission.report else None,
    }


def changed_submission(person: Person, submission: Submission) -> SubmissionDetail:
    """As :func:`submission_detail`, for a submission that the person has just created or changed."""
    return submission_detail(person, submission.pk)


def least_group_of(release: Release) -> int:
    """The smallest group with figures in reports; 0 where the answers are public too."""
    if not release_settings(release).get("withheld"):
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
        if groups and not groups.keys() <= set(SCOPES)
    ]


def figures(metrics: Mapping[str, Mapping[str, Any]]) -> list[ScoredFigure]:
    """The metrics of a report, or of one group in it: text to image first, what a profile is about before the rest."""
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
                "chance": figure.get("chance"),
            }
        )
    return sorted(rows, key=lambda f: (f["scope"] != "t2i", f["metric"] != HEADLINE, len(f["metric"]), f["metric"]))


def _submission_rows(person: Person, release: Release, submissions: list[Submission]) -> list[SubmissionRow]:
    jobs = {job.pk: job for job in Job.objects.filter(pk__in=[row.job_id for row in submissions])}
    is_own = access.own_test(person)
    rows: list[SubmissionRow] = []
    for row in submissions:
        job = jobs.get(row.job_id or 0)
        rows.append(
            {
                "id": row.pk,
                "person": {"id": row.person.pk, "name": row.person.name},
                "crew": row.crew.name if row.crew else "",
                "system": row.system,
                "note": row.note,
                "profile": row.profile,
                "name": row.name,
                "bytes": row.bytes,
                "sha256": row.sha256,
                "state": row.state,
                "fault": row.fault,
                "listed": row.listed,
                "hidden_reason": row.hidden_reason,
                "created_at": row.created_at,
                "scored_at": row.scored_at,
                "job": job_answer(job) if job else None,
                "available_actions": _actions(person, release, row, is_own=is_own(row)),
            }
        )
    return rows


def _actions(person: Person, release: Release, row: Submission, *, is_own: bool) -> list[str]:
    if row.state != Submission.State.SCORED:
        return []
    move = "submission_list_off" if row.listed else "submission_list_on"
    possible = ["submission_unhide"] if row.hidden_reason else [move, "submission_hide"]
    return [operation for operation in possible if _may(person, release, operation, is_own=is_own)]


def _may(person: Person, release: Release, operation: str, *, is_own: bool) -> bool:
    reach = person.reach(release.benchmark_id, operation)
    return reach is Reach.ALL or (is_own and reach is not Reach.NONE)


def open_test(person: Person | None, release: Release) -> Callable[[Submission], bool]:
    """Return the test of which submissions for a release a person may open; None: anybody, who may open none."""
    if person is None:
        return lambda _: False
    is_own = access.own_test(person)
    return lambda row: _may(person, release, "submission_show", is_own=is_own(row))


def owner_ids(submission: Submission) -> list[int]:
    """Ids of the person who submitted it and of the members of their crew."""
    if submission.crew_id is None:
        return [submission.person_id]
    members = CrewMember.objects.filter(crew_id=submission.crew_id).values_list("person_id", flat=True)
    return [submission.person_id, *members]
