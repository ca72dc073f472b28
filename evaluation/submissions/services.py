"""Submitting predictions: the file is stored, a job scores it, and its owner may list it on the leaderboard."""

from __future__ import annotations

import hashlib
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotation.releases.errors import ReleaseWithdrawn
from annotation.releases.models import Release
from curation.core import jobs
from curation.core.decisions import Decision
from curation.core.errors import ActionNotAllowed
from curation.core.stores import UNUSED_AFTER, store
from curation.core.stores.space import disk_full_as_error, require_space
from curation.core.text import replace_unshowable
from curation.lib import files
from curation.people.access import lock_person
from curation.people.models import Person
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import read_answers, report_on_answers
from evaluation.profiles.rows import Row, WrongInput, rows
from evaluation.submissions import access, queries, rules
from evaluation.submissions.errors import (
    SubmissionEmpty,
    SubmissionFileGone,
    SubmissionFileNotKept,
    SubmissionLimit,
    SubmissionProfileUnsuited,
    SubmissionRefusedLimit,
    SubmissionStorageLimit,
    SubmissionTooLarge,
    SubmissionTotalLimit,
)
from evaluation.submissions.models import Submission

SCORE = "evaluation.score_submission"
FOLDER: Final = "submissions"
_LONGEST_ID: Final = 80  # characters of an example; ids of retrieval are whole captions
_ROWS_PER_HEARTBEAT: Final = 5_000  # read in well under a lease, so that the job keeps it


def create_submission(
    *,
    actor: Person,
    release_id: int,
    blocks: Iterable[bytes],
    name: str,
    system: str,
    note: str,
    profile: str,
    client_key: UUID,
) -> Submission:
    """Store a file of predictions and queue the job that scores it.

    Args:
        actor: The owner of the submission.
        release_id: The release.
        blocks: The file's bytes.
        name: The file's name; shown, never used as a path.
        system: The name of the system that made the predictions.
        note: How it made them: prompts, settings, training.
        profile: The scoring profile.
        client_key: Makes a repeat harmless.

    Raises:
        ActionNotAllowed: The release is not frozen.
        ReleaseWithdrawn: The release was withdrawn.
        TermsNotAccepted: An outsider has not accepted the terms of use.
        MailNotVerified: An outsider has no verified address, and the site sends mail.
        ReleaseNotScorable, SubmissionProfileUnsuited: The profile does not score the release.
        SubmissionEmpty, SubmissionTooLarge: The file is rejected.
        SubmissionLimit, SubmissionRefusedLimit: The person reached today's limit.
        SubmissionTotalLimit: The person reached the limit in all.
        SubmissionStorageLimit: The person's stored files would exceed ``SUBMISSION_BYTES_PER_PERSON``.
        ClientKeyReused, StorageFull, StorageUnavailable, NotFound, OperationNotAllowed.
    """
    release = access.available_release_open_to(actor, release_id, "submission_create")
    access.check_submitter(actor, release.benchmark_id)
    root = Path(settings.MEDIA_ROOT)
    with disk_full_as_error():
        staged, size, digest = files.stage_blocks(root, blocks, _check_size)
    try:
        # The audit log holds no text that people wrote.
        texts_sha256 = hashlib.sha256(f"{system}\0{note}".encode()).hexdigest()
        request = {"sha256": digest, "release_id": release.pk, "profile": profile, "said": texts_sha256}
        with transaction.atomic():
            # Two requests of one person at the same moment must not both be within a limit that only one fits.
            lock_person(actor.pk)
            decision = Decision(
                actor_id=actor.pk,
                action="submission_create",
                client_key=client_key,
                benchmark_id=release.benchmark_id,
            )
            if earlier := decision.earlier(**request):
                return Submission.objects.get(pk=earlier.target_id)
            _check_release_and_limit(actor, release, profile)
            if not size:
                raise SubmissionEmpty
            _check_stored_bytes(actor, size)
            submission = Submission.objects.create(
                release=release,
                person=actor,
                system=system,
                note=note,
                profile=profile,
                name=replace_unshowable(name.replace("\\", "/").rpartition("/")[2])[:200] or "file",
                sha256=digest,
                bytes=size,
                key=f"{FOLDER}/{release.pk}/{uuid.uuid4()}",
            )
            job = jobs.enqueue(
                task=SCORE,
                args={"submission_id": submission.pk},
                dedupe_key=f"submission:{submission.pk}",
                benchmark_id=release.benchmark_id,
                actor_id=actor.pk,
            )
            submission.job_id = job.pk
            submission.save(update_fields=["job_id"])
            decision.row = submission
            decision.record(**request)
            store().put(submission.key, staged, digest)  # before the commit: no row without its file
        return submission
    finally:
        staged.unlink(missing_ok=True)


def _check_release_and_limit(actor: Person, release: Release, profile: str) -> None:
    if release.state not in queries.OPEN:
        raise ActionNotAllowed(action="submission_create", state=release.state)
    task = queries.task_of(release)
    if profile not in task.profiles:
        raise SubmissionProfileUnsuited(profile=profile, label=release.label, allowed=list(task.profiles))
    day = queries.day_of(actor, release.benchmark, release.kind)
    if day.used >= day.limit:
        raise SubmissionLimit(limit=day.limit, until=day.until.isoformat())
    total, limit = queries.total_of(actor, release.benchmark, release.kind)
    if total >= limit:
        raise SubmissionTotalLimit(limit=limit)
    if day.refused >= day.refused_limit:
        raise SubmissionRefusedLimit(refused=day.refused, until=day.until.isoformat())


def _check_stored_bytes(actor: Person, needed: int) -> None:
    limit, used = int(settings.SUBMISSION_BYTES_PER_PERSON), queries.stored_bytes(actor)
    if used + needed > limit:
        raise SubmissionStorageLimit(limit=limit, used=used, bytes=needed)


def _check_size(size: int) -> None:
    require_space()
    if size > settings.SUBMISSION_LIMIT_BYTES:
        raise SubmissionTooLarge(maximum=settings.SUBMISSION_LIMIT_BYTES)


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
    fault: dict[str, Any] | None = None
    try:
        with store().local_path(submission.key) as path:
            report = _report(lease, submission, path)
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
        Submission.objects.filter(pk=submission.pk, state=Submission.State.WAITING).update(
            state=Submission.State.REFUSED if report is None else Submission.State.SCORED,
            report=report,
            fault=fault,
            scored_at=timezone.now(),
        )
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


def _report(lease: jobs.Lease, submission: Submission, path: Path) -> dict[str, Any]:
    profile, most = PROFILES[submission.profile], rules.most_rows(queries.expected(submission.release))
    lease.progress(0, 3)
    answers = read_answers(profile, _with_heartbeat(lease, rows(path), 0, most))
    lease.progress(1, 3)
    report = report_on_answers(profile, _with_heartbeat(lease, queries.gold_rows(submission.release), 1), answers)
    lease.progress(2, 3)
    if few := report.get("few_known_ids"):
        for name in ("unknown", "missing"):
            few[name] = [replace_unshowable(one[:_LONGEST_ID]) for one in few[name]]
    return report


def _with_heartbeat(lease: jobs.Lease, rows: Iterable[Row], done: int, most: int | None = None) -> Iterator[Row]:
    """Yield rows, renewing the lease now and then."""
    for number, row in enumerate(rows, 1):
        if most is not None and number > most:
            raise _TooManyRows(most)
        if number % _ROWS_PER_HEARTBEAT == 0:
            lease.progress(done, 3)
        yield row


@transaction.atomic
def list_submission(*, actor: Person, submission_id: int, client_key: UUID) -> Submission:
    """List a scored submission on its release's leaderboard.

    Raises:
        ActionNotAllowed: It is not scored.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    return _set_listed("submission_list_on", actor, submission_id, client_key, listed=True)


@transaction.atomic
def unlist_submission(*, actor: Person, submission_id: int, client_key: UUID) -> Submission:
    """Remove a submission from its release's leaderboard.

    Raises:
        ActionNotAllowed: It is not scored.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    return _set_listed("submission_list_off", actor, submission_id, client_key, listed=False)


def _set_listed(action: str, actor: Person, submission_id: int, client_key: UUID, *, listed: bool) -> Submission:
    submission = access.submission_for(actor, submission_id, action, lock=True)
    decision = Decision(
        actor_id=actor.pk,
        action=action,
        row=submission,
        client_key=client_key,
        benchmark_id=submission.release.benchmark_id,
    )
    if decision.is_repeat():
        return submission
    if submission.state != Submission.State.SCORED:
        raise ActionNotAllowed(action=action, state=submission.state)
    submission.listed = listed
    submission.save(update_fields=["listed"])
    decision.record(release_id=submission.release_id)
    return submission


def submission_to_download(*, actor: Person, submission_id: int) -> Submission:
    """A submission whose file is in the store, under ``key``.

    Raises:
        SubmissionFileNotKept: The file could not be read.
        SubmissionFileGone: The file is not in the store.
        NotFound, OperationNotAllowed, StorageUnavailable.
    """
    submission = access.submission_for(actor, submission_id, "submission_file")
    if submission.state == Submission.State.REFUSED:
        raise SubmissionFileNotKept
    if not store().exists(submission.key):
        raise SubmissionFileGone
    return submission
