"""Listing a submission on its release's leaderboard, hiding it from there, and its file."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from curation.core.decisions import Decision
from curation.core.errors import ActionNotAllowed, ClientKeyReused
from curation.core.stores import store
from curation.people.models import Person
from curation.people.services import notify
from evaluation.submissions import access, queries
from evaluation.submissions.errors import SubmissionFileGone, SubmissionFileNotKept, SubmissionHidden
from evaluation.submissions.models import Submission


@transaction.atomic
def list_submission(*, actor: Person, submission_id: int, client_key: UUID) -> Submission:
    """List a scored submission on its release's leaderboard.

    Raises:
        ActionNotAllowed: It is not scored.
        SubmissionHidden: An administrator took it off the leaderboard.
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
    decision = _decision(actor, action, submission, client_key)
    if decision.is_repeat():
        return submission
    _check_scored(submission, action)
    if submission.hidden_reason:
        raise SubmissionHidden
    submission.listed = listed
    submission.save(update_fields=["listed"])
    decision.record(release_id=submission.release_id)
    return submission


@transaction.atomic
def hide_submission(*, actor: Person, submission_id: int, reason: str, client_key: UUID) -> Submission:
    """Take a submission off its release's leaderboard; until this is undone, nobody can list it again.

    Args:
        actor: The administrator.
        submission_id: The submission, listed or not.
        reason: Its owners read it.
        client_key: The request's key.

    Raises:
        ActionNotAllowed: It is not scored, or hidden already.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    submission = access.submission_for(actor, submission_id, "submission_hide", lock=True)
    decision = _decision(actor, "submission_hide", submission, client_key)
    if decision.is_repeat():
        if submission.hidden_reason not in ("", reason):
            raise ClientKeyReused
        return submission
    _check_scored(submission, "submission_hide")
    if submission.hidden_reason:
        raise ActionNotAllowed(action="submission_hide", state="hidden")
    was_listed, submission.listed, submission.hidden_reason = submission.listed, False, reason
    submission.save(update_fields=["listed", "hidden_reason"])
    decision.record_transition(
        "listed" if was_listed else "", "hidden", release_id=submission.release_id, person_id=submission.person_id
    )
    notify(
        person_ids=queries.owner_ids(submission),
        code="submission_hidden",
        params={"label": submission.release.label, "comment": reason},
        actor_id=None,  # They do not learn which administrator it was.
        benchmark_id=submission.release.benchmark_id,
        target_type="submission",
        target_id=submission.pk,
    )
    return submission


@transaction.atomic
def unhide_submission(*, actor: Person, submission_id: int, client_key: UUID) -> Submission:
    """Let the owners of a hidden submission list it again; they decide whether it is listed.

    Raises:
        ActionNotAllowed: It is not hidden.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    submission = access.submission_for(actor, submission_id, "submission_unhide", lock=True)
    decision = _decision(actor, "submission_unhide", submission, client_key)
    if decision.is_repeat():
        return submission
    if not submission.hidden_reason:
        raise ActionNotAllowed(action="submission_unhide", state=submission.state)
    submission.hidden_reason = ""
    submission.save(update_fields=["hidden_reason"])
    decision.record_transition("hidden", "", release_id=submission.release_id, person_id=submission.person_id)
    return submission


def _decision(actor: Person, action: str, submission: Submission, client_key: UUID) -> Decision:
    return Decision(
        actor_id=actor.pk,
        action=action,
        row=submission,
        client_key=client_key,
        benchmark_id=submission.release.benchmark_id,
    )


def _check_scored(submission: Submission, action: str) -> None:
    if submission.state != Submission.State.SCORED:
        raise ActionNotAllowed(action=action, state=submission.state)


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
