"""Crews: naming one, its link, joining and leaving.

A person joins before their first file in the benchmark, and who submitted one stays: otherwise the limits of a crew
would be those of as many crews as it has members. Every service locks the person first, as submitting does.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.core.decisions import Decision
from curation.people.access import benchmark_for, lock_person
from curation.people.models import Person
from curation.people.rules import BITS, secret_sha256
from evaluation.submissions import access, queries, rules
from evaluation.submissions.errors import (
    CrewFull,
    CrewLinkInvalid,
    CrewMissing,
    CrewNameTaken,
    InCrewAlready,
    SubmittedBefore,
)
from evaluation.submissions.models import Crew, CrewMember, Submission


@transaction.atomic
def name_crew(*, actor: Person, benchmark_slug: str, name: str, client_key: UUID) -> Benchmark:
    """Name the actor's crew, on the leaderboard too; who is alone becomes the first member of a new one.

    Files that they submitted alone become the crew's.

    Raises:
        CrewNameTaken, TermsNotAccepted, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    benchmark, decision = _decide(actor, benchmark_slug, "crew_name", client_key)
    name_sha256 = hashlib.sha256(name.encode()).hexdigest()  # The log contains no text that people wrote.
    if decision.is_repeat(name_sha256=name_sha256):
        return benchmark
    key = rules.crew_key(name)
    crew = access.submitter(actor, benchmark.pk, lock=True).crew
    try:
        with transaction.atomic():
            if crew is None:
                crew = Crew.objects.create(benchmark=benchmark, name=name, key=key)
                CrewMember.objects.create(benchmark=benchmark, person=actor, crew=crew)
            else:
                crew.name, crew.key = name, key
                crew.save(update_fields=["name", "key"])
    except IntegrityError:
        raise CrewNameTaken from None
    queries.submissions_of(access.Submitter(actor, None), benchmark).update(crew=crew)
    decision.record(crew_id=crew.pk, name_sha256=name_sha256)
    return benchmark


@transaction.atomic
def create_crew_link(*, actor: Person, benchmark_slug: str, client_key: UUID) -> tuple[Crew, str | None]:
    """Make the link by which others join the actor's crew; the earlier one stops working.

    Returns:
        The crew and the link's secret; None if the request is a repeat.

    Raises:
        CrewMissing, TermsNotAccepted, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    benchmark, decision = _decide(actor, benchmark_slug, "crew_link", client_key)
    crew = access.submitter(actor, benchmark.pk, lock=True).crew
    if crew is None:
        raise CrewMissing
    if decision.is_repeat():
        return crew, None
    secret = secrets.token_urlsafe(BITS // 8)
    crew.link_sha256 = secret_sha256(secret)
    crew.link_until = timezone.now() + timedelta(days=rules.CREW_LINK_DAYS)
    crew.save(update_fields=["link_sha256", "link_until"])
    decision.record(crew_id=crew.pk)
    return crew, secret


@transaction.atomic
def join_crew(*, actor: Person, benchmark_slug: str, token: str, client_key: UUID) -> Benchmark:
    """Join a crew by its link.

    Raises:
        CrewLinkInvalid: It expired, was replaced, or is another benchmark's.
        InCrewAlready, CrewFull.
        SubmittedBefore: The person has submitted a file in the benchmark.
        TermsNotAccepted, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    benchmark, decision = _decide(actor, benchmark_slug, "crew_join", client_key)
    link_sha256 = secret_sha256(token)
    if decision.is_repeat(link_sha256=link_sha256):
        return benchmark
    crew = access.crew_by_link(benchmark.pk, token, lock=True)
    if crew is None:
        raise CrewLinkInvalid
    alone = access.submitter(actor, benchmark.pk)
    if alone.crew is not None:
        raise InCrewAlready
    if queries.submissions_of(alone, benchmark).exists():
        raise SubmittedBefore
    if crew.members.count() >= rules.CREW_MEMBERS:
        raise CrewFull(maximum=rules.CREW_MEMBERS)
    CrewMember.objects.create(benchmark=benchmark, person=actor, crew=crew)
    decision.record(crew_id=crew.pk, link_sha256=link_sha256)
    return benchmark


@transaction.atomic
def leave_crew(*, actor: Person, benchmark_slug: str, client_key: UUID) -> Benchmark:
    """Leave one's crew, before one's first file. The last member takes the crew with them.

    Raises:
        CrewMissing.
        SubmittedBefore: The person has submitted a file in the benchmark.
        TermsNotAccepted, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    benchmark, decision = _decide(actor, benchmark_slug, "crew_leave", client_key)
    if decision.is_repeat():
        return benchmark
    crew = access.submitter(actor, benchmark.pk, lock=True).crew
    if crew is None:
        raise CrewMissing
    if Submission.objects.filter(crew=crew, person=actor).exists():
        raise SubmittedBefore
    crew_id = crew.pk
    CrewMember.objects.filter(benchmark=benchmark, person=actor).delete()
    if not crew.members.exists():
        crew.delete()  # No one submitted in it, because who did stays; the name is free again.
    decision.record(crew_id=crew_id)
    return benchmark


def _decide(actor: Person, benchmark_slug: str, action: str, client_key: UUID) -> tuple[Benchmark, Decision]:
    benchmark = benchmark_for(actor, benchmark_slug, action)
    access.check_terms(actor, benchmark.pk)
    person = lock_person(actor.pk)
    decision = Decision(actor_id=actor.pk, action=action, row=person, client_key=client_key, benchmark_id=benchmark.pk)
    return benchmark, decision
