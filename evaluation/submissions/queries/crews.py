"""Reads about crews."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.people.shapes import person_brief
from evaluation.submissions import access
from evaluation.submissions.errors import CrewLinkInvalid
from evaluation.submissions.models import Crew, Submission
from evaluation.submissions.queries.limits import submissions_of
from evaluation.submissions.shapes import CrewInvitation, CrewLink, CrewPage


def crew_page(person: Person, benchmark_slug: str) -> CrewPage:
    """Show the person's crew in a benchmark.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return own_crew(person, benchmark_for(person, benchmark_slug, "crew_show"))


def own_crew(person: Person, benchmark: Benchmark) -> CrewPage:
    """As :func:`crew_page`, after the person changed it."""
    submitter = access.submitter(person, benchmark.pk)
    crew = submitter.crew
    if crew is None:
        return {"crew": None, "may_join": not submissions_of(submitter, benchmark).exists()}
    people = Person.objects.filter(crews__crew=crew).order_by("crews__joined_at", "pk")
    works = crew.link_until is not None and crew.link_until > timezone.now()
    return {
        "crew": {
            "name": crew.name,
            "members": [person_brief(each) for each in people],
            "link_until": crew.link_until if works else None,
            "may_leave": not Submission.objects.filter(crew=crew, person=person).exists(),
        },
        "may_join": False,
    }


def crew_link(person: Person, created: tuple[Crew, str | None]) -> CrewLink:
    """A new link with its secret."""
    crew, secret = created
    return {"token": secret, "expires_at": cast(datetime, crew.link_until)}


def crew_invitation(*, actor: Person, benchmark_slug: str, token: str) -> CrewInvitation:
    """Show what a link is for; its secret comes in the body, so that no log keeps it.

    Raises:
        CrewLinkInvalid, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "crew_invitation")
    crew = access.crew_by_link(benchmark.pk, token)
    if crew is None:
        raise CrewLinkInvalid
    return {"name": crew.name, "members": crew.members.count()}
