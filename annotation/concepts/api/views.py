"""HTTP of concepts."""

from __future__ import annotations

from annotation.concepts import queries, services
from annotation.concepts.api import serializers as s
from curation.core.api.operations import command, query
from curation.core.api.serializers import ClientKeyInput
from curation.core.api.views import OperationView
from curation.people.rules import ASSIGNED_ANNOTATORS, HEADS, STAFF, VERIFIERS, WRITERS

_READERS = STAFF | ASSIGNED_ANNOTATORS | VERIFIERS


class ConceptsView(OperationView):
    """The concepts of a picture."""

    get = query("concept_list", queries.concepts, _READERS, shows="concept")
    post = command(
        "concept_add",
        services.add_concept,
        s.ConceptInput,
        WRITERS,
        then=queries.changed_concepts,
        status=201,
        contributes=True,
        changes="concept",
    )


class RetireView(OperationView):
    """Retiring a concept."""

    post = command(
        "concept_retire",
        services.retire_concept,
        ClientKeyInput,
        HEADS | WRITERS,
        then=queries.changed_concepts,
        changes="concept",
    )
