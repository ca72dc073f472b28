"""HTTP of drafting."""

from __future__ import annotations

from annotation.drafting import queries, services
from annotation.drafting.api import serializers as s
from curation.core.api.operations import command, query
from curation.core.api.views import OperationView
from curation.people.rules import ASSIGNED_ANNOTATORS, STAFF, VERIFIERS

_READERS = STAFF | ASSIGNED_ANNOTATORS | VERIFIERS


class DraftingsView(OperationView):
    """The drafts of a picture."""

    get = query("drafting_list", queries.draftings, _READERS, parameters=s.DraftingsQuery, shows="drafting")
    post = command(
        "drafting_request",
        services.request_drafting,
        s.DraftingInput,
        ASSIGNED_ANNOTATORS,
        then=queries.changed_draftings,
        status=201,
        contributes=True,
        changes="drafting call",
    )


class YieldView(OperationView):
    """Outcomes of a benchmark's drafted questions."""

    get = query("drafting_yield", queries.drafting_yield, STAFF, shows="drafting call item")


class UseView(OperationView):
    """Writing an item's question from a candidate."""

    post = command(
        "candidate_use",
        services.use_candidate,
        s.UseCandidateInput,
        ASSIGNED_ANNOTATORS,
        then=queries.changed_draftings,
        contributes=True,
        changes="drafting",
    )


class DiscardView(OperationView):
    """Discarding a candidate."""

    post = command(
        "candidate_discard",
        services.discard_candidate,
        s.DiscardCandidateInput,
        ASSIGNED_ANNOTATORS,
        then=queries.changed_draftings,
        contributes=True,
        changes="drafting",
    )
