"""Giving and withdrawing consent to a benchmark's text."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from curation.benchmarks.models import Benchmark
from curation.core.decisions import Decision
from curation.people import access
from curation.people.errors import ConsentTextChanged, EligibilityMissing
from curation.people.models import Consent, Person


@transaction.atomic
def give_consent(
    *, actor: Person, benchmark_slug: str, text_sha256: str, eligibility: Sequence[str], client_key: UUID
) -> Benchmark:
    """Agree to the benchmark's current text, and declare what the protocol requires people to state about themselves.

    Agreeing to a text again changes nothing.

    Raises:
        NotFound: The actor takes no part in the benchmark.
        ConsentTextChanged: The text that the actor read is not the current one.
        EligibilityMissing: A declaration is missing, or the protocol does not require it.
        ClientKeyReused: The key was used for something else.
    """
    benchmark = access.benchmark_for(actor, benchmark_slug, "consent_give")
    newest = _lock_newest(actor, benchmark)
    decision = _decision(actor, benchmark, "consent_give", client_key)
    if decision.is_repeat(text_sha256=text_sha256):
        return benchmark
    version = benchmark.protocol
    if version is None or not version.consent_sha256 or version.consent_sha256 != text_sha256:
        raise ConsentTextChanged
    required = {entry["code"] for entry in version.content["consent"].get("eligibility", [])}
    if required != set(eligibility):
        raise EligibilityMissing(missing=sorted(required ^ set(eligibility)))
    if newest is None or not newest.given or newest.text_sha256 != text_sha256:
        consent = Consent(
            given=True,
            text_version=version.content["consent"]["version"],
            text_sha256=text_sha256,
            eligibility=sorted(required),
            client_key=client_key,
        )
        _add(consent, actor, benchmark, newest, decision)
    return benchmark


@transaction.atomic
def withdraw_consent(*, actor: Person, benchmark_slug: str, client_key: UUID) -> Benchmark:
    """Withdraw consent: the person cannot contribute until they give it again, and releases leave out their pictures.

    Raises:
        NotFound: The actor takes no part in the benchmark.
        ClientKeyReused: The key was used for something else.
    """
    benchmark = access.benchmark_for(actor, benchmark_slug, "consent_withdraw")
    newest = _lock_newest(actor, benchmark)
    decision = _decision(actor, benchmark, "consent_withdraw", client_key)
    if decision.is_repeat():
        return benchmark
    if newest is not None and newest.given:
        consent = Consent(
            given=False,
            text_version=newest.text_version,
            text_sha256=newest.text_sha256,
            eligibility=[],
            client_key=client_key,
        )
        _add(consent, actor, benchmark, newest, decision)
    return benchmark


def _decision(actor: Person, benchmark: Benchmark, action: str, client_key: UUID) -> Decision:
    return Decision(actor_id=actor.pk, action=action, row=actor, client_key=client_key, benchmark_id=benchmark.pk)


def _lock_newest(person: Person, benchmark: Benchmark) -> Consent | None:
    """The row in force; the person is locked, so that rows are numbered in order."""
    access.lock_person(person.pk)
    return Consent.objects.filter(person=person, benchmark=benchmark).order_by("-no").first()


def _add(consent: Consent, person: Person, benchmark: Benchmark, newest: Consent | None, decision: Decision) -> None:
    consent.person, consent.benchmark, consent.no = person, benchmark, newest.no + 1 if newest else 1
    consent.save()
    decision.record_transition(
        "agreed" if newest and newest.given else "",
        "agreed" if consent.given else "withdrawn",
        text_version=consent.text_version,
        text_sha256=consent.text_sha256,
        eligibility=consent.eligibility,
    )
    person.grants = None  # They include the consent, so they are loaded again.
