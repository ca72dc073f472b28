"""Who may adopt a protocol that adds capabilities to roles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from curation.benchmarks.models import Benchmark, ProtocolProposal
from curation.benchmarks.rules import gaining, role_changes
from curation.people.models import Person
from curation.people.queries import appointed_by_owner


def open_proposals(benchmark: Benchmark) -> QuerySet[ProtocolProposal]:
    """The proposals to follow a benchmark's current protocol, newest first; one a person."""
    version = benchmark.protocol.version if benchmark.protocol else 0
    rows = ProtocolProposal.objects.filter(benchmark=benchmark, base_version=version)
    return rows.filter(withdrawn_at=None, adopted_as=None).order_by("-pk")


def other_proposers(person: Person, benchmark: Benchmark, source_sha256: str) -> list[Person]:
    """Others who propose this text as the next version, and with whom the person may add capabilities to roles.

    Only people whom the site's owner appointed count, the person included: administrators can appoint further accounts
    of their own.
    """
    proposals = open_proposals(benchmark).filter(source_sha256=source_sha256).exclude(proposed_by=person)
    proposers = [proposal.proposed_by for proposal in proposals.select_related("proposed_by")]
    counting = [one for one in proposers if one.is_active and _counts(one, benchmark)]
    return counting if counting and _counts(person, benchmark) else []


def needs_second(person: Person, benchmark: Benchmark, content: Mapping[str, Any], source_sha256: str) -> bool:
    """Whether a text adds capabilities to roles of the current version and the person may not adopt it yet."""
    current = benchmark.protocol.content if benchmark.protocol else {}
    if person.owns_site or not gaining(role_changes(current, content)):
        return False
    return not other_proposers(person, benchmark, source_sha256)


def _counts(person: Person, benchmark: Benchmark) -> bool:
    return appointed_by_owner(person, benchmark, "protocol_adopt")
