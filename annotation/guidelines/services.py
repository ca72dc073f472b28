"""Publishing guidelines, and acknowledging them."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction

from annotation.guidelines import access
from annotation.guidelines.errors import GuidelineEmpty, GuidelineUnchanged
from annotation.guidelines.models import Acknowledgement, Guideline
from annotation.guidelines.rules import written
from curation.core import audit
from curation.core.errors import ClientKeyReused, NotFound, StaleRow
from curation.people.models import Person
from curation.people.queries import people_who_may
from curation.people.services import notify, settle_notices


@transaction.atomic
def add_guideline(
    *,
    actor: Person,
    benchmark_slug: str,
    kind: str,
    base_version: int,
    text: Mapping[str, str],
    note: str,
    client_key: UUID,
) -> Guideline:
    """Publish the next version of a kind's guidelines; its annotators are asked to acknowledge it.

    Args:
        actor: Who publishes it.
        benchmark_slug: Where.
        kind: Of the benchmark's protocol.
        base_version: The version it was written over; 0 for the first.
        text: Markdown by interface language, clean; languages without a text are left out.
        note: What changed, for those who knew the version before.
        client_key: Makes a repeat harmless.

    Raises:
        StaleRow: Somebody published another version meanwhile.
        GuidelineEmpty, GuidelineUnchanged, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_with(actor, benchmark_slug, "guideline_add", kind, lock=True)
    stored = written(text)
    if earlier := Guideline.objects.filter(created_by=actor, client_key=client_key).first():
        if (earlier.benchmark_id, earlier.kind, earlier.text, earlier.note) != (benchmark.pk, kind, stored, note):
            raise ClientKeyReused
        return earlier
    newest = access.guidelines_of(benchmark, kind).first()
    version = newest.version if newest else 0
    if version != base_version:
        raise StaleRow(revision=version, named=base_version)
    if not stored:
        raise GuidelineEmpty
    if newest is not None and newest.text == stored:
        raise GuidelineUnchanged(version=version)
    made = Guideline.objects.create(
        benchmark=benchmark,
        kind=kind,
        version=version + 1,
        text=stored,
        note=note,
        created_by=actor,
        client_key=client_key,
    )
    audit.record(
        action="guideline_add",
        target_type="guideline",
        target_id=made.pk,
        label=f"{kind} {made.version}",
        actor_id=actor.pk,
        benchmark_id=benchmark.pk,
        data={"kind": kind, "version": made.version, "characters": {k: len(v) for k, v in stored.items()}},
        client_key=client_key,
    )
    notify(
        person_ids=people_who_may(benchmark, "item_submit", kind),
        code="guideline_new",
        params={"kind": kind, "version": made.version},
        actor_id=actor.pk,
        benchmark_id=benchmark.pk,
        target_type="guideline",
        target_id=made.pk,
    )
    return made


@transaction.atomic
def acknowledge_guideline(*, actor: Person, benchmark_slug: str, kind: str, version: int) -> Guideline:
    """Record that somebody has read the guidelines in force and follows them; a second time changes nothing.

    Raises:
        StaleRow: The version is not the newest.
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_with(actor, benchmark_slug, "guideline_acknowledge", kind)
    newest = access.guidelines_of(benchmark, kind).first()
    if newest is None:
        raise NotFound
    if newest.version != version:
        raise StaleRow(revision=newest.version, named=version)
    _, made = Acknowledgement.objects.get_or_create(person=actor, guideline=newest)
    if made:
        audit.record(
            action="guideline_acknowledge",
            target_type="guideline",
            target_id=newest.pk,
            label=f"{kind} {version}",
            actor_id=actor.pk,
            benchmark_id=benchmark.pk,
            data={"kind": kind, "version": version},
        )
        settle_notices(person_id=actor.pk, code="guideline_new", target_id=newest.pk)
    return newest
