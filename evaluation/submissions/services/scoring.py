"""The job that scores a submission, and the removal of files that are not kept."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from annotation.releases.errors import ReleaseWithdrawn
from annotation.releases.models import Release
from curation.core import jobs
from curation.core.stores import UNUSED_AFTER, store
from curation.core.text import replace_unshowable
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import read_answers, report_on_answers
from evaluation.profiles.results import Rights, add_rights
from evaluation.profiles.rows import Row, WrongInput, rows
from evaluation.submissions import queries, rules
from evaluation.submissions.errors import SubmissionFileGone
from evaluation.submissions.models import Submission, SubmissionUnits
from evaluation.submissions.services.creating import FOLDER
from evaluation.suites.rules import kind_of

_LONGEST_ID: Final = 80  # characters of an example; ids of retrieval are whole captions
_ROWS_PER_HEARTBEAT: Final = 5_000  # read in well under a lease, so that the job keeps it


def score_submission(lease: jobs.Lease) -> None:
    """Score a submission; safe to run twice. An unreadable file is rejected and removed.

    Raises:
        ReleaseWithdrawn: Submissions for it are no longer scored; the file is kept.
        SubmissionFileGone: The file is not in the store.
        StorageUnavailable: The job is retried later, also if only the removal failed.
        LeaseLost: Another worker has the job.
    """
    submission = Submission.objects.select_related("release__protocol").get(pk=lease.args["submission_id"])
    if submission.state == Submission.State.REFUSED:
        store().remove(submission.key)  # an earlier run of this job ended before it did
    if submission.state != Submission.State.WAITING:
        return
    if submission.release.state == Release.State.WITHDRAWN:
        raise ReleaseWithdrawn(label=submission.release.label)
    report: dict[str, Any] | None = None
    rights: Rights = {}
    fault: dict[str, Any] | None = None
    try:
        with store().local_path(submission.key) as path:
            report, rights = _report(lease, submission, path)
    except FileNotFoundError:
        raise SubmissionFileGone from None
    except WrongInput as wrong:
        fault = {
            "code": "wrong_row" if wrong.line else "wrong_file",
            "line": wrong.line,
            "field": replace_unshowable(wrong.field),
            "expected": replace_unshowable(wrong.expected),
        }
    except _TooManyRows as many:
        fault = {"code": "too_many_rows", "line": many.most + 1, "field": "", "expected": str(many.most)}
    if report is not None and report["n_missing"] == report["n_expected"]:
        fault, report = {"code": "no_known_id", "line": 0, "field": "id", "expected": ""}, None
    with transaction.atomic():
        lease.progress(3, 3)
        scored = Submission.objects.filter(pk=submission.pk, state=Submission.State.WAITING).update(
            state=Submission.State.REFUSED if report is None else Submission.State.SCORED,
            report=report,
            fault=fault,
            scored_at=timezone.now(),
        )
        if scored and report is not None:
            SubmissionUnits.objects.create(submission=submission, rights=rights)
    if report is None:
        store().remove(submission.key)


def sweep_files(*, now: float | None = None) -> int:
    """Remove files of rejected submissions, and those that no row refers to, once they are a day old; return how many.

    Rejected files are removed at once, but earlier versions kept them.
    """
    moment = (time.time() if now is None else now) - UNUSED_AFTER
    return store().remove_unused(FOLDER, _used_keys, moment)


def _used_keys(keys: Sequence[str]) -> set[str]:
    rows = Submission.objects.filter(key__in=keys).exclude(state=Submission.State.REFUSED)
    return set(rows.values_list("key", flat=True))


class _TooManyRows(Exception):
    """The file has more rows than one for this release may have."""

    def __init__(self, most: int) -> None:
        super().__init__(str(most))
        self.most = most


def _report(lease: jobs.Lease, submission: Submission, path: Path) -> tuple[dict[str, Any], Rights]:
    own = submission.release.kinds.select_related("release__protocol").get(kind=kind_of(submission.profile))
    profile, most = PROFILES[submission.profile], rules.most_rows(queries.expected(own))
    lease.progress(0, 3)
    answers = read_answers(profile, _with_heartbeat(lease, rows(path), 0, most))
    lease.progress(1, 3)
    rights: Rights = {}
    report = report_on_answers(
        profile,
        _with_heartbeat(lease, queries.gold_rows(own), 1),
        answers,
        each=lambda units: add_rights(rights, profile, units),
    )
    lease.progress(2, 3)
    if few := report.get("few_known_ids"):
        for name in ("unknown", "missing"):
            few[name] = [replace_unshowable(one[:_LONGEST_ID]) for one in few[name]]
    return report, rights


def _with_heartbeat(lease: jobs.Lease, rows: Iterable[Row], done: int, most: int | None = None) -> Iterator[Row]:
    """Yield rows, renewing the lease now and then."""
    for number, row in enumerate(rows, 1):
        if most is not None and number > most:
            raise _TooManyRows(most)
        if number % _ROWS_PER_HEARTBEAT == 0:
            lease.progress(done, 3)
        yield row
