"""Reads of proposed protocol texts."""

from __future__ import annotations

from curation.benchmarks.models import ProtocolProposal
from curation.benchmarks.rules import (
    consent_sha256,
    warnings_of,
)
from curation.core.errors import NotFound
from curation.people import access
from curation.people.models import Person
from curation.people.shapes import person_brief
from curation.taxonomy.queries.approval import needs_second, open_proposals
from curation.taxonomy.queries.protocols import change_rows, role_change_rows, version_of, warning_rows
from curation.taxonomy.shapes import (
    ProposalAnswer,
    ProposalRow,
)


def proposal_state(proposal: ProtocolProposal) -> str:
    """One of ``PROPOSAL_STATES``."""
    if proposal.adopted_as is not None:
        return "adopted"
    if proposal.withdrawn_at is not None:
        return "withdrawn" if proposal.withdrawn_by_id == proposal.proposed_by_id else "rejected"
    current = proposal.benchmark.protocol
    return "open" if current and current.version == proposal.base_version else "outdated"


def proposal_rows(person: Person, benchmark_slug: str) -> list[ProposalRow]:
    """List the open proposals for a benchmark's next protocol version, newest first.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, benchmark_slug, "protocol_proposal_list")
    proposals = open_proposals(benchmark).select_related("proposed_by").defer("content", "source")
    return [_proposal_row(person, proposal) for proposal in proposals]


def proposal_page(person: Person, proposal_id: int) -> ProposalAnswer:
    """Show a proposal with what it would change.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = ProtocolProposal.objects.select_related("benchmark__protocol", "proposed_by", "adopted_as")
    proposal = rows.filter(pk=proposal_id).first()
    if proposal is None:
        raise NotFound
    access.require(person, proposal.benchmark_id, "protocol_proposal_show")
    return proposal_answer(person, proposal)


def proposal_answer(person: Person, proposal: ProtocolProposal) -> ProposalAnswer:
    """Answer with a proposal as its reader sees it."""
    base = version_of(proposal.benchmark, proposal.base_version)
    state = proposal_state(proposal)
    benchmark = proposal.benchmark
    return {
        **_proposal_row(person, proposal),
        "state": state,
        "source": proposal.source,
        "source_sha256": proposal.source_sha256,
        "changes": change_rows(benchmark, base.content, proposal.content),
        "role_changes": role_change_rows(base.content, proposal.content),
        "asks_consent_again": consent_sha256(proposal.content) not in {"", base.consent_sha256},
        "warnings": warning_rows(warnings_of(proposal.content, proposal.source)),
        "may_adopt": state == "open" and not needs_second(person, benchmark, proposal.content, proposal.source_sha256),
        "benchmark": benchmark.slug,
    }


def _proposal_row(person: Person, proposal: ProtocolProposal) -> ProposalRow:
    return {
        "id": proposal.pk,
        "version": proposal.base_version + 1,
        "proposed_by": person_brief(proposal.proposed_by),
        "created_at": proposal.created_at,
        "is_own": proposal.proposed_by_id == person.pk,
    }
