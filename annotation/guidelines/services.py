"""Publishing and acknowledging guidelines."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction

from annotation.guidelines import access
from annotation.guidelines.errors import (
    GuidelineEmpty,
    GuidelinePicturesRefused,
    GuidelinePicturesTooMany,
    GuidelineUnchanged,
)
from annotation.guidelines.models import Acknowledgement, Guideline
from annotation.guidelines.rules import MOST_PICTURES, number_of, pictures_in, without_blank
from curation.benchmarks.models import Benchmark
from curation.core.decisions import Decision
from curation.core.errors import ClientKeyReused, NotFound, StaleRow
from curation.images.models import image_label
from curation.people.models import Person
from curation.people.queries import people_who_may
from curation.people.services import dismiss_notices, notify


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
        actor: The person who publishes it.
        benchmark_slug: The benchmark.
        kind: A kind of work of the benchmark's protocol.
        base_version: The version that was edited; 0 for the first.
        text: Markdown by interface language, clean; languages without a text are left out.
        note: What changed since the version before.
        client_key: A repeat with the same key has the same result.

    Raises:
        StaleRow: ``base_version`` is not the newest version any more.
        GuidelinePicturesTooMany, GuidelinePicturesRefused, GuidelineEmpty, GuidelineUnchanged, ClientKeyReused,
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_with(actor, benchmark_slug, "guideline_add", kind, lock=True)
    stored = without_blank(text)
    decision = Decision(actor_id=actor.pk, action="guideline_add", client_key=client_key, benchmark_id=benchmark.pk)
    if earlier := decision.earlier(kind=kind):
        published = Guideline.objects.get(pk=earlier.target_id)
        if (published.text, published.note) != (stored, note):
            raise ClientKeyReused
        return published
    newest = access.guidelines_of(benchmark, kind).first()
    version = newest.version if newest else 0
    if version != base_version:
        raise StaleRow(revision=version, named=base_version)
    if not stored:
        raise GuidelineEmpty
    if newest is not None and newest.text == stored:
        raise GuidelineUnchanged(version=version)
    _check_pictures(benchmark, pictures_in(stored))
    new = Guideline.objects.create(
        benchmark=benchmark,
        kind=kind,
        version=version + 1,
        text=stored,
        note=note,
        created_by=actor,
        client_key=client_key,
    )
    decision.row, decision.label = new, f"{kind} {new.version}"
    decision.record(kind=kind, version=new.version, characters={k: len(v) for k, v in stored.items()})
    notify(
        person_ids=people_who_may(benchmark, "work_next", kind),
        code="guideline_new",
        params={"kind": kind, "version": new.version},
        actor_id=actor.pk,
        benchmark_id=benchmark.pk,
        target_type="guideline",
        target_id=new.pk,
    )
    return new


def _check_pictures(benchmark: Benchmark, labels: set[str]) -> None:
    if len(labels) > MOST_PICTURES:
        raise GuidelinePicturesTooMany(count=len(labels), maximum=MOST_PICTURES)
    pictures = access.pictures_to_show(benchmark).filter(number__in=[number_of(label) for label in labels])
    ready = {image_label(number) for number in pictures.values_list("number", flat=True)}
    if labels - ready:
        raise GuidelinePicturesRefused(pictures=sorted(labels - ready))


@transaction.atomic
def acknowledge_guideline(*, actor: Person, benchmark_slug: str, kind: str, version: int) -> Guideline:
    """Record that the actor has read the newest guidelines and follows them; a second time changes nothing.

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
    _, created = Acknowledgement.objects.get_or_create(person=actor, guideline=newest)
    if created:
        Decision(
            actor_id=actor.pk,
            action="guideline_acknowledge",
            row=newest,
            client_key=None,
            label=f"{kind} {version}",
            benchmark_id=benchmark.pk,
        ).record(kind=kind, version=version)
        dismiss_notices(person_id=actor.pk, code="guideline_new", target_id=newest.pk)
    return newest
