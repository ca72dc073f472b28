"""Which submissions a person may see: with an operation that reaches their own, those of their crew."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from annotation.releases.access import public_pages, release_for, release_ids_open_to
from annotation.releases.errors import ReleaseWithdrawn
from annotation.releases.models import Release
from curation.core.errors import NotFound
from curation.core.operations import Reach
from curation.mail.queries import has_verified_address, mail_configured
from curation.people.access import require
from curation.people.models import Person
from curation.people.rules import secret_sha256
from evaluation.submissions.errors import MailNotVerified
from evaluation.submissions.models import Crew, CrewMember, Submission


class Submitter(NamedTuple):
    """Who submits: a person, with their crew in the benchmark or alone."""

    person: Person
    crew: Crew | None


def submitter(person: Person, benchmark_id: int, *, lock: bool = False) -> Submitter:
    """A person with their crew in a benchmark; ``lock`` locks the crew until the transaction ends."""
    member = CrewMember.objects.filter(benchmark_id=benchmark_id, person=person).values_list("crew_id", flat=True)
    crews = Crew.objects.select_for_update(no_key=True) if lock else Crew.objects.all()
    return Submitter(person, crews.filter(pk__in=member).first())


def crew_by_link(benchmark_id: int, token: str, *, lock: bool = False) -> Crew | None:
    """The crew of a benchmark with this link, if it works still."""
    crews = Crew.objects.select_for_update(no_key=True) if lock else Crew.objects.all()
    link = {"link_sha256": secret_sha256(token), "link_until__gt": timezone.now()}
    return crews.filter(benchmark_id=benchmark_id, **link).first()


def own_submissions(person: Person) -> Q:
    """The condition on submissions of a person and of their crews."""
    return Q(person=person) | Q(crew_id__in=CrewMember.objects.filter(person=person).values("crew_id"))


def check_terms(person: Person, benchmark_id: int) -> None:
    """Refuse an outsider without accepted terms of use.

    Raises:
        TermsNotAccepted.
    """
    if not person.knows(benchmark_id):
        for pages in public_pages():
            pages.check_terms(person, benchmark_id)


def check_submitter(person: Person, benchmark_id: int) -> None:
    """Refuse an outsider without accepted terms of use, or without a verified address where the site sends mail.

    Members agreed to the consent text instead, and their administrators know them.

    Raises:
        TermsNotAccepted, MailNotVerified.
    """
    check_terms(person, benchmark_id)
    if not person.knows(benchmark_id) and mail_configured() and not has_verified_address(person):
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
    rows = Submission.objects.filter(release=release)
    if require(person, release.benchmark_id, operation) is not Reach.ALL:
        rows = rows.filter(own_submissions(person))
    return release, rows.select_related("person", "crew")


def submission_for(person: Person, submission_id: int, operation: str, *, lock: bool = False) -> Submission:
    """One submission.

    Raises:
        NotFound: There is none, or the person's operation does not reach it.
        OperationNotAllowed: No role of theirs opens the operation.
    """
    rows = Submission.objects.select_related("release__benchmark", "release__protocol", "person", "crew")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    submission = rows.filter(pk=submission_id).first()
    if submission is None:
        raise NotFound
    reach = require(person, submission.release.benchmark_id, operation)
    if reach is not Reach.ALL and not own_test(person)(submission):
        raise NotFound
    return submission


def own_test(person: Person) -> Callable[[Submission], bool]:
    """A test for rows already read, the same as :func:`own_submissions`; one statement for any number of rows."""
    crews = set(CrewMember.objects.filter(person=person).values_list("crew_id", flat=True))
    return lambda submission: submission.person_id == person.pk or submission.crew_id in crews
