"""Agreeing to a benchmark's consent text before contributing, and taking that back."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from curation.benchmarks.models import Benchmark
from curation.core import audit
from curation.core.errors import ClientKeyReused
from curation.people import access
from curation.people.errors import ConsentTextChanged, EligibilityMissing
from curation.people.models import Consent, Person


@transaction.atomic
def give_consent(
    *, actor: Person, benchmark_slug: str, text_sha256: str, eligibility: Sequence[str], client_key: UUID
) -> None:
    """Agree to the benchmark's current text, and declare what the protocol asks about oneself.

    Agreeing twice to one text is agreeing once.

    Raises:
        NotFound: The actor takes no part in the benchmark.
        ConsentTextChanged: It is not the current text that was read.
        EligibilityMissing: A declaration is missing, or one was never asked for.
        ClientKeyReused: The key was used for something else.
    """
    benchmark = access.benchmark_for(actor, benchmark_slug, "consent_give")
    newest = _newest(actor, benchmark)
    if _replayed(actor, benchmark, client_key, given=True, text_sha256=text_sha256):
        return
    version = benchmark.protocol
    if version is None or not version.consent_sha256 or version.consent_sha256 != text_sha256:
        raise ConsentTextChanged
    asked = {entry["code"] for entry in version.content["consent"].get("eligibility", [])}
    if asked != set(eligibility):
        raise EligibilityMissing(missing=sorted(asked ^ set(eligibility)))
    if newest is None or not newest.given or newest.text_sha256 != text_sha256:
        _write(actor, benchmark, newest, True, version.content["consent"]["version"], text_sha256, asked, client_key)


@transaction.atomic
def withdraw_consent(*, actor: Person, benchmark_slug: str, client_key: UUID) -> None:
    """Take consent back: nothing can be contributed until it is given again; releases leave the person's pictures out.

    Raises:
        NotFound: The actor takes no part in the benchmark.
        ClientKeyReused: The key was used for something else.
    """
    benchmark = access.benchmark_for(actor, benchmark_slug, "consent_withdraw")
    newest = _newest(actor, benchmark)
    if _replayed(actor, benchmark, client_key, given=False):
        return
    if newest is not None and newest.given:
        _write(actor, benchmark, newest, False, newest.text_version, newest.text_sha256, set(), client_key)


def _newest(person: Person, benchmark: Benchmark) -> Consent | None:
    """The row that holds, with the person locked, so that rows are numbered in the order they come."""
    Person.objects.select_for_update(no_key=True).get(pk=person.pk)
    return Consent.objects.filter(person=person, benchmark=benchmark).order_by("-no").first()


def _replayed(
    person: Person, benchmark: Benchmark, client_key: UUID, *, given: bool, text_sha256: str | None = None
) -> bool:
    earlier = Consent.objects.filter(person=person, client_key=client_key).first()
    if earlier is None:
        return False
    if (earlier.benchmark_id, earlier.given) != (benchmark.pk, given):
        raise ClientKeyReused
    if text_sha256 is not None and earlier.text_sha256 != text_sha256:
        raise ClientKeyReused
    return True


def _write(
    person: Person,
    benchmark: Benchmark,
    newest: Consent | None,
    given: bool,
    text_version: int,
    text_sha256: str,
    eligibility: set[str],
    client_key: UUID,
) -> None:
    Consent.objects.create(
        person=person,
        benchmark=benchmark,
        no=newest.no + 1 if newest else 1,
        given=given,
        text_version=text_version,
        text_sha256=text_sha256,
        eligibility=sorted(eligibility),
        client_key=client_key,
    )
    audit.record(
        action="consent_give" if given else "consent_withdraw",
        target_type="person",
        target_id=person.pk,
        actor_id=person.pk,
        benchmark_id=benchmark.pk,
        state_from="agreed" if newest and newest.given else "",
        state_to="agreed" if given else "withdrawn",
        data={"text_version": text_version, "text_sha256": text_sha256, "eligibility": sorted(eligibility)},
        client_key=client_key,
    )
    person.grants = None  # read anew: they say whether contributing is open
