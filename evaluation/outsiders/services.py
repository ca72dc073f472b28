"""Joining a benchmark from outside, accepting its terms of use, and barring people from it."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import OUTSIDER
from curation.core.decisions import Decision
from curation.core.errors import ActionNotAllowed, NotFound
from curation.people.access import benchmark_for, lock_person
from curation.people.models import Person, RoleGrant
from curation.people.queries import is_barred
from curation.people.services import account_of, end_grants, grant_roles
from evaluation.outsiders import access, queries
from evaluation.outsiders.errors import OutsiderBarred, SignUpClosed, TermsChanged
from evaluation.publication.models import TermsAcceptance


@transaction.atomic
def join(
    *,
    actor: Person | AnonymousUser,
    benchmark_slug: str,
    username: str = "",
    name: str = "",
    password: str = "",
    language: str | None = None,
) -> Person:
    """Join a benchmark to submit predictions, with the signed-in account or a new one; members stay what they are.

    Raises:
        NotFound: The public pages of the benchmark are closed.
        SignUpClosed: It is open to people with an invitation only, or the site is.
        OutsiderBarred: An administrator ended the person's role.
        InvalidInput, UsernameTaken, PasswordTooWeak: The new account cannot be created.
    """
    benchmark, _ = access.open_benchmark(benchmark_slug)
    if not queries.may_join(benchmark):
        raise SignUpClosed
    person = account_of(actor, username=username, name=name, password=password, language=language)
    lock_person(person.pk)
    if any(grant.benchmark_id in (benchmark.pk, None) for grant in person.grants):
        return person
    if is_barred(person, benchmark):
        raise OutsiderBarred
    grant_roles(person=person, benchmark_id=benchmark.pk, roles=[OUTSIDER], granted_by=None)
    decision = Decision(
        actor_id=person.pk, action="submit_join", row=person, client_key=None, benchmark_id=benchmark.pk
    )
    decision.record()
    person.grants = None  # They are loaded again with the new role.
    return person


@transaction.atomic
def accept_terms(*, actor: Person, benchmark_slug: str, terms_sha256: str, client_key: UUID) -> Benchmark:
    """Accept a benchmark's terms of use, once for each text.

    Raises:
        NotFound: The public pages of the benchmark are closed.
        OutsiderBarred: An administrator ended the person's role.
        TermsChanged: The text is not the current one.
        ClientKeyReused.
    """
    benchmark, publication = access.open_benchmark(benchmark_slug)
    lock_person(actor.pk)
    if is_barred(actor, benchmark):
        raise OutsiderBarred
    decision = Decision(
        actor_id=actor.pk, action="terms_accept", row=actor, client_key=client_key, benchmark_id=benchmark.pk
    )
    if decision.is_repeat(terms_sha256=terms_sha256):
        return benchmark
    if not terms_sha256 or terms_sha256 != publication.terms_sha256:
        raise TermsChanged
    text = {"person": actor, "benchmark": benchmark, "terms_sha256": terms_sha256}
    if not TermsAcceptance.objects.filter(**text).exists():
        TermsAcceptance.objects.create(**text)
        decision.record(terms_sha256=terms_sha256)
    return benchmark


@transaction.atomic
def bar_outsider(*, actor: Person, benchmark_slug: str, person_id: int, client_key: UUID) -> RoleGrant:
    """End the role of a person outside the team: they reach nothing of the benchmark, and cannot join it by themselves.

    What they submitted stays, and so does what they listed.

    Raises:
        ActionNotAllowed: They are barred already.
        NotFound: The person is no outsider of the benchmark.
        OperationNotAllowed, ClientKeyReused.
    """
    _, grant, decision = _decide(actor, benchmark_slug, person_id, "outsider_bar", client_key)
    if decision.is_repeat():
        return grant
    if grant.ended_at is not None:
        raise ActionNotAllowed(action="outsider_bar", state="barred")
    end_grants([grant], actor=actor, cause="outsider_bar")
    decision.record_transition("outsider", "barred")
    return grant


@transaction.atomic
def readmit_outsider(*, actor: Person, benchmark_slug: str, person_id: int, client_key: UUID) -> RoleGrant:
    """Give a barred person their role back.

    Raises:
        ActionNotAllowed: They are not barred.
        NotFound: The person was no outsider of the benchmark.
        OperationNotAllowed, ClientKeyReused.
    """
    benchmark, grant, decision = _decide(actor, benchmark_slug, person_id, "outsider_readmit", client_key)
    if decision.is_repeat():
        return grant
    if grant.ended_at is None:
        raise ActionNotAllowed(action="outsider_readmit", state="outsider")
    grant_roles(person=grant.person, benchmark_id=benchmark.pk, roles=[OUTSIDER], granted_by=actor)
    decision.record_transition("barred", "outsider")
    return queries.outsiders_of(benchmark).get(person=grant.person)


def _decide(
    actor: Person, benchmark_slug: str, person_id: int, action: str, client_key: UUID
) -> tuple[Benchmark, RoleGrant, Decision]:
    benchmark = benchmark_for(actor, benchmark_slug, action)
    person = lock_person(person_id)
    grant = queries.outsiders_of(benchmark).select_related("person").filter(person=person).first()
    if grant is None:
        raise NotFound
    decision = Decision(
        actor_id=actor.pk,
        action=action,
        row=person,
        client_key=client_key,
        benchmark_id=benchmark.pk,
        target_type="outsider",
    )
    return benchmark, grant, decision
