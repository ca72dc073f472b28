"""Submitting predictions: the file is stored, and a job scores it."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction

from annotation.releases.models import Release
from curation.core import jobs
from curation.core.decisions import Decision
from curation.core.errors import ActionNotAllowed
from curation.core.stores import store
from curation.core.stores.space import disk_full_as_error, require_space
from curation.core.text import replace_unshowable
from curation.lib import files
from curation.people.access import lock_person
from curation.people.models import Person
from evaluation.submissions import access, queries
from evaluation.submissions.errors import (
    SubmissionEmpty,
    SubmissionLimit,
    SubmissionProfileUnsuited,
    SubmissionRefusedLimit,
    SubmissionStorageLimit,
    SubmissionTooLarge,
    SubmissionTotalLimit,
)
from evaluation.submissions.models import Submission
from evaluation.suites.rules import kind_of, profiles_of

SCORE = "evaluation.score_submission"
FOLDER: Final = "submissions"


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
        profile: The scoring profile; it says which kind of the release the file answers.
        client_key: Makes a repeat harmless.

    Raises:
        ActionNotAllowed: The release is not frozen.
        ReleaseWithdrawn: The release was withdrawn.
        TermsNotAccepted: An outsider has not accepted the terms of use.
        MailNotVerified: An outsider has no verified address, and the site sends mail.
        ReleaseNotScorable, SubmissionProfileUnsuited: The profile does not score the release.
        SubmissionEmpty, SubmissionTooLarge: The file is rejected.
        SubmissionLimit, SubmissionRefusedLimit: The person's crew reached today's limit.
        SubmissionTotalLimit: It reached the limit in all.
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
        request = {"sha256": digest, "release_id": release.pk, "profile": profile, "texts_sha256": texts_sha256}
        with transaction.atomic():
            # Two requests of one crew at the same moment must not both be within a limit that only one fits.
            lock_person(actor.pk)
            # A role may have ended while the file came in.
            actor.grants = None
            release = access.available_release_open_to(actor, release_id, "submission_create")
            submitter = access.submitter(actor, release.benchmark_id, lock=True)
            decision = Decision(
                actor_id=actor.pk,
                action="submission_create",
                client_key=client_key,
                benchmark_id=release.benchmark_id,
            )
            if earlier := decision.earlier(**request):
                return Submission.objects.get(pk=earlier.target_id)
            _check_release_and_limit(submitter, release, profile)
            if not size:
                raise SubmissionEmpty
            _check_stored_bytes(actor, size)
            submission = Submission.objects.create(
                release=release,
                person=actor,
                crew=submitter.crew,
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


def _check_release_and_limit(who: access.Submitter, release: Release, profile: str) -> None:
    if release.state not in queries.OPEN:
        raise ActionNotAllowed(action="submission_create", state=release.state)
    kind = kind_of(profile)
    held = {own.kind: own for own in release.kinds.all()}
    if kind not in held:
        other = queries.answered_kind(release, None)
        queries.published(other)
        allowed = list(profiles_of(other.kind))
        raise SubmissionProfileUnsuited(profile=profile, label=release.label, allowed=allowed)
    queries.published(held[kind])
    day = queries.day_of(who, release.benchmark, kind)
    if day.used >= day.limit:
        raise SubmissionLimit(limit=day.limit, until=day.until.isoformat())
    total = queries.total_of(who, release.benchmark, kind)
    if total.used >= total.limit:
        raise SubmissionTotalLimit(limit=total.limit)
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
