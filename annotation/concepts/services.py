"""Adding and retiring concepts."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from annotation.concepts import access
from annotation.concepts.errors import ConceptOfOthers, ConceptsFull, ConceptTwice
from annotation.concepts.models import Concept
from annotation.concepts.rules import MOST_CONCEPTS, keys_of
from curation.core.decisions import Decision, digest_of
from curation.core.errors import NotFound
from curation.images.models import image_label
from curation.people.models import Person


@transaction.atomic
def add_concept(
    *,
    actor: Person,
    image_id: int,
    local: str,
    translated: str,
    aliases: Sequence[str],
    noun_local: str,
    noun_translated: str,
    explanation: str,
    client_key: UUID,
) -> Concept:
    """Add a concept to a picture that the actor sees in their work; the texts are described at :class:`Concept`.

    Raises:
        ConceptTwice: One of its names is a name of another concept of the picture.
        ConceptsFull, ClientKeyReused, NotFound, OperationNotAllowed, ConsentMissing.
    """
    image = access.image_for(actor, image_id, "concept_add", lock=True)
    decision = Decision(
        actor_id=actor.pk,
        action="concept_add",
        client_key=client_key,
        benchmark_id=image.benchmark_id,
        label=image_label(image.number),
    )
    texts = digest_of(local, translated, list(aliases), noun_local, noun_translated, explanation)
    if earlier := decision.earlier(image_id=image_id, texts=texts):
        return Concept.objects.get(pk=earlier.target_id)
    others = list(Concept.objects.filter(image=image, retired_at=None))
    if len(others) >= MOST_CONCEPTS:
        raise ConceptsFull(maximum=MOST_CONCEPTS)
    known = keys_of(name for other in others for name in (other.local, other.translated, *other.aliases))
    for name in (local, translated, *aliases):
        if keys_of([name]) & known:
            raise ConceptTwice(name=name)
    concept = Concept.objects.create(
        image=image,
        author=actor,
        local=local,
        translated=translated,
        aliases=list(dict.fromkeys(aliases)),
        noun_local=noun_local,
        noun_translated=noun_translated,
        explanation=explanation,
        client_key=client_key,
    )
    decision.row = concept
    decision.record(image_id=image_id, texts=texts)
    return concept


@transaction.atomic
def retire_concept(*, actor: Person, concept_id: int, client_key: UUID) -> Concept:
    """Retire a concept: texts about the picture may name it again. A repeat changes nothing.

    Raises:
        ConceptOfOthers: Another person wrote it, and the actor neither inspects nor administers.
        NotFound: There is none, it is retired, or the actor does not see its picture.
        ClientKeyReused, OperationNotAllowed.
    """
    row = Concept.objects.filter(pk=concept_id).first()
    if row is None:
        raise NotFound
    image = access.image_for(actor, row.image_id, "concept_retire", lock=True)
    concept = Concept.objects.get(pk=concept_id)
    decision = Decision(
        actor_id=actor.pk,
        action="concept_retire",
        row=concept,
        client_key=client_key,
        benchmark_id=image.benchmark_id,
        label=image_label(image.number),
    )
    if decision.is_repeat():
        return concept
    if concept.retired_at is not None:
        raise NotFound
    if not access.may_retire(actor, concept, image.benchmark_id):
        raise ConceptOfOthers
    concept.retired_by = actor
    concept.retired_at = Now()
    concept.save(update_fields=["retired_by", "retired_at"])
    decision.record(image_id=image.pk)
    return concept
