"""Handing predictions in: a file is kept, a job scores it, and whoever handed it in lists it or not."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotation.releases import access as releases
from annotation.releases.errors import ReleaseWithdrawn
from annotation.releases.models import Release
from curation.core import audit, jobs
from curation.core.errors import ActionNotAllowed, ClientKeyReused
from curation.core.stores import store
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
    SubmissionLimit,
    SubmissionProfileUnsuited,
    SubmissionRefusedLimit,
    SubmissionTooLarge,
)
from evaluation.submissions.models import Submission

SCORE = "evaluation.score_submission"
FOLDER: Final = "submissions"
_ROWS_BETWEEN_SIGNS: Final = 5_000


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
    """Keep a file of predictions and have it scored.

    Args:
        actor: Who hands it in.
        release_id: Against which release.
        blocks: The file's bytes.
        name: What the file is called; shown, never used as a path.
        system: What answered.
        note: How: prompts, settings, training.
        profile: How it is to be read and counted.
        client_key: Makes a repeat harmless.

    Raises:
        ActionNotAllowed: The release is not frozen.
        ReleaseWithdrawn: It was taken back.
        SubmissionNothingAsked, SubmissionProfileUnsuited: The release and the profile do not fit.
        SubmissionEmpty, SubmissionTooLarge: The file is not taken.
        SubmissionLimit, SubmissionRefusedLimit: Enough for today.
        ClientKeyReused, StorageUnavailable, NotFound, OperationNotAllowed.
    """
    release = releases.available_release_for(actor, release_id, "submission_create")
    root = Path(settings.MEDIA_ROOT)
    staged, size, digest = files.stage_blocks(root, blocks, _not_too_large)
    try:
        asked = {"sha256": digest, "release_id": release.pk, "profile": profile, "said": _sum(f"{system}\0{note}")}
        with transaction.atomic():
            # One after another for each person, so that two at once cannot both be the last of the day.
            lock_person(actor.pk)
            done = audit.already_done(actor_id=actor.pk, client_key=client_key, action="submission_create")
            if done is not None:
                if done.data != asked:
                    raise ClientKeyReused
                return Submission.objects.get(pk=done.target_id)
            _may_be_taken(actor, release, profile)
            if not size:
                raise SubmissionEmpty
            made = Submission.objects.create(
                release=release,
                person=actor,
                system=system,
                note=note,
                profile=profile,
                name=_storable(name.replace("\\", "/").rpartition("/")[2])[:200] or "file",
                sha256=digest,
                bytes=size,
                key=f"{FOLDER}/{release.pk}/{uuid.uuid4()}",
            )
            job = jobs.enqueue(
                task=SCORE,
                args={"submission_id": made.pk},
                dedupe_key=f"submission:{made.pk}",
                benchmark_id=release.benchmark_id,
                actor_id=actor.pk,
            )
            made.job_id = job.pk
            made.save(update_fields=["job_id"])
            _record("submission_create", actor, made, client_key, data=asked, state_to=made.state)
            store().put(made.key, staged, digest)  # before the commit: no row without its file
        return made
    finally:
        staged.unlink(missing_ok=True)


def _may_be_taken(actor: Person, release: Release, profile: str) -> None:
    if release.state not in queries.OPEN:
        raise ActionNotAllowed(action="submission_create", state=release.state)
    task = queries.task_of(release)
    if profile not in task.profiles:
        raise SubmissionProfileUnsuited(profile=profile, label=release.label, allowed=list(task.profiles))
    day = queries.day_of(actor, release.benchmark)
    if day.used >= day.limit:
        raise SubmissionLimit(limit=day.limit, until=day.until.isoformat())
    if day.refused >= day.refused_limit:
        raise SubmissionRefusedLimit(refused=day.refused, until=day.until.isoformat())


def _not_too_large(size: int) -> None:
    if size > settings.SUBMISSION_LIMIT_BYTES:
        raise SubmissionTooLarge(maximum=settings.SUBMISSION_LIMIT_BYTES)


def score_submission(lease: jobs.Lease) -> None:
    """Score a file that was handed in; safe to run twice. A file that cannot be read is refused and stays.

    Raises:
        ReleaseWithdrawn: Nothing more is computed over it; the file stays.
        SubmissionFileGone: Somebody removed it from the store.
        StorageUnavailable, LeaseLost: It is gone on with later; somebody else works on it.
    """
    found = Submission.objects.select_related("release__protocol").get(pk=lease.args["submission_id"])
    if found.state != Submission.State.WAITING:
        return
    if found.release.state == Release.State.WITHDRAWN:
        raise ReleaseWithdrawn(label=found.release.label)
    report: dict[str, Any] | None = None
    fault: dict[str, Any] | None = None
    try:
        with store().local_path(found.key) as path:
            report = _report(lease, found, path)
    except FileNotFoundError:
        raise SubmissionFileGone from None
    except WrongInput as wrong:
        fault = {
            "code": "wrong_row" if wrong.line else "wrong_file",
            "line": wrong.line,
            "field": _storable(wrong.field),
            "expected": _storable(wrong.expected),
        }
    except _TooManyRows as many:
        fault = {"code": "too_many_rows", "line": many.most + 1, "field": "", "expected": str(many.most)}
    if report is not None and report["n_missing"] == report["n_expected"]:
        fault, report = {"code": "no_known_id", "line": 0, "field": "id", "expected": ""}, None
    with transaction.atomic():
        lease.progress(3, 3)
        Submission.objects.filter(pk=found.pk, state=Submission.State.WAITING).update(
            state=Submission.State.REFUSED if report is None else Submission.State.SCORED,
            report=report,
            fault=fault,
            scored_at=timezone.now(),
        )


class _TooManyRows(Exception):
    """More rows than a file for this release has any use for."""

    def __init__(self, most: int) -> None:
        super().__init__(str(most))
        self.most = most


def _report(lease: jobs.Lease, found: Submission, path: Path) -> dict[str, Any]:
    profile, most = PROFILES[found.profile], rules.most_rows(queries.expected(found.release))
    lease.progress(0, 3)
    answers = read_answers(profile, _watched(lease, rows(path), 0, most))
    lease.progress(1, 3)
    report = report_on_answers(profile, _watched(lease, queries.gold_rows(found.release), 1), answers)
    lease.progress(2, 3)
    return report


def _watched(lease: jobs.Lease, given: Iterable[Row], done: int, most: int | None = None) -> Iterator[Row]:
    """Rows as they come, with a sign of life now and then."""
    for number, row in enumerate(given, 1):
        if most is not None and number > most:
            raise _TooManyRows(most)
        if number % _ROWS_BETWEEN_SIGNS == 0:
            lease.progress(done, 3)
        yield row


@transaction.atomic
def list_submission(*, actor: Person, submission_id: int, client_key: UUID) -> Submission:
    """Put a scored submission on its release's leaderboard.

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
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action=action, target_id=submission.pk):
        return submission
    if submission.state != Submission.State.SCORED:
        raise ActionNotAllowed(action=action, state=submission.state)
    submission.listed = listed
    submission.save(update_fields=["listed"])
    _record(action, actor, submission, client_key, data={"release_id": submission.release_id})
    return submission


def file_to_send(*, actor: Person, submission_id: int) -> Submission:
    """What was handed in, for download: its file lies in the store under ``key``.

    Raises:
        SubmissionFileGone: Somebody removed it from the store.
        NotFound, OperationNotAllowed, StorageUnavailable.
    """
    found = access.submission_for(actor, submission_id, "submission_file")
    if not store().exists(found.key):
        raise SubmissionFileGone
    return found


def _record(
    action: str, actor: Person, found: Submission, client_key: UUID, *, data: dict[str, Any], state_to: str = ""
) -> None:
    audit.record(
        action=action,
        target_type="submission",
        target_id=found.pk,
        label=f"submission-{found.pk}",
        actor_id=actor.pk,
        benchmark_id=found.release.benchmark_id,
        state_to=state_to,
        data=data,
        client_key=client_key,
    )


def _sum(text: str) -> str:
    """What the log holds of text that people wrote."""
    return hashlib.sha256(text.encode()).hexdigest()


def _storable(text: str) -> str:
    """A text out of a file or its name as a column takes it."""
    return "".join("\ufffd" if c < " " or "\ud800" <= c <= "\udfff" else c for c in text)
