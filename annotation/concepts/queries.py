"""Queries about concepts."""

from __future__ import annotations

from annotation.concepts import access
from annotation.concepts.models import Concept
from annotation.concepts.shapes import ConceptRow, PictureConcepts
from curation.people.models import Person


def concepts(person: Person, image_id: int) -> PictureConcepts:
    """List the concepts of a picture that were not retired, oldest first.

    Raises:
        NotFound, OperationNotAllowed.
    """
    image = access.image_for(person, image_id, "concept_list")
    rows = Concept.objects.filter(image=image, retired_at=None).order_by("pk")
    return {
        "concepts": [_row(person, row, image.benchmark_id) for row in rows],
        "available_actions": ["concept_add"] if person.may(image.benchmark_id, "concept_add") else [],
    }


def changed_concepts(person: Person, concept: Concept) -> PictureConcepts:
    """The concepts of a picture after one of them was added or retired."""
    return concepts(person, concept.image_id)


def _row(person: Person, row: Concept, benchmark_id: int) -> ConceptRow:
    return {
        "id": row.pk,
        "local": row.local,
        "translated": row.translated,
        "aliases": row.aliases,
        "noun_local": row.noun_local,
        "noun_translated": row.noun_translated,
        "explanation": row.explanation,
        "mine": row.author_id == person.pk,
        "created_at": row.created_at,
        "available_actions": ["concept_retire"] if access.may_retire(person, row, benchmark_id) else [],
    }
