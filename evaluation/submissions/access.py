"""Which submissions a person may see."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.releases.access import release_for
from annotation.releases.models import Release
from curation.core.errors import NotFound
from curation.people.access import made_within, reaches, require
from curation.people.models import Person
from evaluation.submissions.models import Submission


def submissions_visible_to(person: Person, release_id: int, operation: str) -> tuple[Release, QuerySet[Submission]]:
    """A release and its submissions, as far as the person's operation reaches.

    Raises:
        NotFound, OperationNotAllowed.
    """
    release = release_for(person, release_id, operation)
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
