"""Which submissions a person may see."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.releases.access import public_pages, release_for, release_ids_open_to
from annotation.releases.errors import ReleaseWithdrawn
from annotation.releases.models import Release
from curation.core.errors import NotFound
from curation.mail.queries import has_verified_address, mail_configured
from curation.people.access import made_within, reaches, require
from curation.people.models import Person
from evaluation.submissions.errors import MailNotVerified
from evaluation.submissions.models import Submission


def check_submitter(person: Person, benchmark_id: int) -> None:
    """Refuse an outsider without accepted terms of use, or without a verified address where the site sends mail.

    Members agreed to the consent text instead, and their administrators know them.

    Raises:
        TermsNotAccepted, MailNotVerified.
    """
    if person.knows(benchmark_id):
        return
    for pages in public_pages():
        pages.check_terms(person, benchmark_id)
    if mail_configured() and not has_verified_address(person):
        raise MailNotVerified


def release_open_to(person: Person, release_id: int, operation: str) -> Release:
    """A release that the person may submit for.

    Raises:
        NotFound: There is none, or it is not public and the person is an outsider.
        OperationNotAllowed: No role of theirs opens the operation.
    """
    release = release_for(person, release_id, operation)
    open_ids = release_ids_open_to(person, release.benchmark_id)
    if open_ids is not None and release.pk not in open_ids:
        raise NotFound
    return release


def available_release_open_to(person: Person, release_id: int, operation: str) -> Release:
    """As :func:`release_open_to`, for a release that is not withdrawn.

    Raises:
        ReleaseWithdrawn, NotFound, OperationNotAllowed.
    """
    release = release_open_to(person, release_id, operation)
    if release.state == Release.State.WITHDRAWN:
        raise ReleaseWithdrawn(label=release.label)
    return release


def submissions_visible_to(person: Person, release_id: int, operation: str) -> tuple[Release, QuerySet[Submission]]:
    """A release and its submissions, as far as the person's operation reaches.

    Raises:
        NotFound, OperationNotAllowed.
    """
    release = release_open_to(person, release_id, operation)
    reach = require(person, release.benchmark_id, operation)
    rows = Submission.objects.filter(release=release).filter(
        made_within(person, release.benchmark_id, reach, "person_id")
    )
    return release, rows.select_related("person")


def submission_for(person: Person, submission_id: int, operation: str, *, lock: bool = False) -> Submission:
    """One submission.

    Raises:
        NotFound: There is none, or the person's operation does not reach it.
        OperationNotAllowed: No role of theirs opens the operation.
    """
    rows = Submission.objects.select_related("release__benchmark", "release__protocol", "person")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    submission = rows.filter(pk=submission_id).first()
    if submission is None:
        raise NotFound
    benchmark_id = submission.release.benchmark_id
    if not reaches(person, benchmark_id, require(person, benchmark_id, operation), submission.person_id):
        raise NotFound
    return submission
