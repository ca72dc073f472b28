"""Reporting mistakes in published releases, and deciding about the reports."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from annotation.releases import access, queries, rules, states
from annotation.releases.errors import ErratumNoteMissing, TooManyErrata
from annotation.releases.models import Erratum, ErratumEvent
from curation.benchmarks.models import Benchmark
from curation.core.decisions import Decision
from curation.core.errors import ClientKeyReused
from curation.core.transitions import advance
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.people.services import notify


@transaction.atomic
def report_erratum(
    *, actor: Person, benchmark_slug: str, text: str, client_key: UUID, release: str = "", item: str = ""
) -> Erratum:
    """Report a mistake in a published release.

    Args:
        actor: Who reports it.
        benchmark_slug: The benchmark.
        text: What is wrong; readers never see it.
        client_key: The request's key.
        release: The release's label; empty: the newest published one that has the item.
        item: The item's label; empty: the mistake is in the release as a whole.

    Raises:
        TooManyErrata: Too many reports of the person are waiting.
        ReportedUnknown: There is no such published release, or it does not have the item; or the person is an
            outsider, and the public pages do not show it.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "erratum_report")
    # The lock keeps numbers without gaps, and makes a repeated request wait for the first one.
    Benchmark.objects.select_for_update(of=("self",), no_key=True).get(pk=benchmark.pk)
    decision = Decision(actor_id=actor.pk, action="erratum_report", client_key=client_key, benchmark_id=benchmark.pk)
    if earlier := decision.earlier(item=item):
        erratum = Erratum.objects.select_related("release").get(pk=earlier.target_id)
        if erratum.text != text or release not in ("", erratum.release.label):
            raise ClientKeyReused
        return erratum
    published, item_id = access.published_content(actor, benchmark, release=release, item=item)
    own = Erratum.objects.filter(benchmark=benchmark, reported_by=actor)
    if own.exclude(events__isnull=False).count() >= rules.MOST_WAITING:
        raise TooManyErrata(maximum=rules.MOST_WAITING)
    newest = Erratum.objects.filter(benchmark=benchmark).aggregate(no=Max("no"))["no"] or 0
    erratum = Erratum.objects.create(
        benchmark=benchmark, no=newest + 1, release=published, item_id=item_id, reported_by=actor, text=text
    )
    decision.row = erratum
    decision.record(item=item, release=published.label)
    return erratum


def confirm_erratum(*, actor: Person, erratum_id: int, note: Mapping[str, str], client_key: UUID) -> Erratum:
    """Confirm a mistake; from then on everyone reads the note beside the release.

    Raises:
        ErratumNoteMissing: The note is empty in every language.
        ActionNotAllowed: It was decided already.
        OwnWork: The person reported it.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    return _decide(actor, erratum_id, "confirm", note, client_key)


def reject_erratum(*, actor: Person, erratum_id: int, note: Mapping[str, str], client_key: UUID) -> Erratum:
    """Say that a report is no mistake; the reporter reads in the note why.

    Raises:
        ErratumNoteMissing: The note is empty in every language.
        ActionNotAllowed, OwnWork, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    return _decide(actor, erratum_id, "reject", note, client_key)


def withdraw_erratum(*, actor: Person, erratum_id: int, note: Mapping[str, str], client_key: UUID) -> Erratum:
    """Withdraw a confirmed erratum; it stays on the pages, marked, with this note.

    Raises:
        ErratumNoteMissing: The note is empty in every language.
        ActionNotAllowed: It is not confirmed.
        OwnWork, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    return _decide(actor, erratum_id, "withdraw", note, client_key)


@transaction.atomic
def _decide(actor: Person, erratum_id: int, action: str, note: Mapping[str, str], client_key: UUID) -> Erratum:
    operation = f"erratum_{action}"
    erratum = access.lock_erratum_for(actor, erratum_id, operation)
    decision = Decision(actor_id=actor.pk, action=operation, row=erratum, client_key=client_key)
    written = {language: text for language, text in note.items() if text}
    if decision.is_repeat():
        if not ErratumEvent.objects.filter(erratum=erratum, action=action, note=written).exists():
            raise ClientKeyReused
        return erratum
    current = queries.state_of_erratum(erratum)
    former = advance(current, action, table=states.ERRATA)
    if not written:
        raise ErratumNoteMissing
    number = ErratumEvent.objects.filter(erratum=erratum).count() + 1
    ErratumEvent.objects.create(erratum=erratum, no=number, action=action, by=actor, note=written)
    decision.record_transition(former, current.state, no=erratum.no, release=erratum.release.label)
    notify(
        person_ids=[erratum.reported_by_id],
        code=f"erratum_{current.state}",
        params={"no": erratum.no, "label": erratum.item.label if erratum.item else erratum.release.label},
        actor_id=None,  # The reporter does not learn who decided.
        benchmark_id=erratum.benchmark_id,
        target_type="erratum",
        target_id=erratum.pk,
    )
    return erratum
