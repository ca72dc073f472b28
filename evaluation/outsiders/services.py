"""Joining a benchmark from outside, and accepting its terms of use."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import OUTSIDER
from curation.core.decisions import Decision
from curation.people.access import lock_person
from curation.people.models import Person
from curation.people.queries import is_barred
from curation.people.services import account_of, grant_roles
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
        TermsChanged: The text is not the current one.
        ClientKeyReused.
    """
    benchmark, publication = access.open_benchmark(benchmark_slug)
    lock_person(actor.pk)
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
