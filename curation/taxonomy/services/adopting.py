"""Proposing and adopting new versions of a benchmark's protocol.

A protocol says what each role may do. A version that adds capabilities to a role therefore takes two administrators
whom the site's owner appointed: one proposes it, another adopts it. The owner adopts it alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from curation.benchmarks.errors import (
    CategoriesInUse,
    CategoriesOnlyGrow,
    ProposalClosed,
    ProtocolLocked,
    ProtocolUnchanged,
    RolesGain,
    StaleProtocol,
)
from curation.benchmarks.models import Benchmark, ProtocolProposal, ProtocolVersion
from curation.benchmarks.queries import check_protocol
from curation.benchmarks.rules import Change, Protocol, changes, gaining, role_changes
from curation.core.decisions import Decision
from curation.core.errors import NotFound
from curation.people import access
from curation.people.models import Person
from curation.people.queries import heads_of
from curation.people.services import notify, revoke_unusable_links
from curation.taxonomy.models import CategoryListVersion
from curation.taxonomy.queries import (
    check_lists,
    content_of,
    kinds_in_use,
    lists_in_force,
    open_proposals,
    other_proposers,
    proposal_state,
    references_of,
)
from curation.taxonomy.rules import AXIS_VALUES_IN_USE
from curation.taxonomy.services.categories import replace_categories
from curation.taxonomy.services.creating import store_version
from curation.taxonomy.services.lists import note_lists, referenced_list


@transaction.atomic
def adopt_protocol(
    *, actor: Person, benchmark_slug: str, text: str, base_version: int, client_key: UUID
) -> ProtocolVersion:
    """Adopt a text as the next version of the protocol, after ``base_version``.

    Packages and the work in them keep the version they were made under. Where the consent's text, version or
    declarations changed, everyone is asked for consent again before their next contribution. Where a role's
    capabilities changed, the other administrators are notified; links that their creators may no longer create are
    revoked.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this here.
        FileInvalid: The text has faults.
        StaleProtocol: ``base_version`` is no longer the current one.
        ProtocolUnchanged: It is the current text.
        ProtocolLocked: Items exist, and the text changes parts that they depend on.
        RolesGain: A role gains capabilities, the actor does not own the site, and no other administrator with whom they
            may decide it proposed this text (:func:`curation.taxonomy.queries.other_proposers`).
        CategoriesInUse: Pictures belong to categories, or have values of dimensions, that the new lists lack.
        CategoriesOnlyGrow: Items exist, and a newer version of the list lacks categories.
        ClientKeyReused: The key was used for something else.
    """
    protocol, benchmark, decision = _locked(actor, benchmark_slug, text, client_key, "protocol_adopt")
    if decision.is_repeat(version=base_version + 1, protocol_sha256=protocol.source_sha256):
        return ProtocolVersion.objects.select_related("benchmark").get(benchmark=benchmark, version=base_version + 1)
    current = _current(benchmark)
    differences = _check_adoptable(benchmark, current, protocol, base_version)
    role_differences = role_changes(current.content, protocol.content)
    gain = gaining(role_differences)
    if gain and not actor.owns_site and not other_proposers(actor, benchmark, protocol.source_sha256):
        raise RolesGain(roles=gain)
    lists = _lists(benchmark, current, protocol)
    categories_list = lists[""]
    if categories_list != (before := lists_in_force(current.pk).get("")):
        categories = content_of(categories_list) if categories_list else None
        if before and kinds_in_use(benchmark):
            _check_only_grows(before, categories_list)
        replace_categories(benchmark, categories)
    _check_values_in_use(benchmark, current, lists)
    proposals = open_proposals(benchmark).filter(source_sha256=protocol.source_sha256)
    proposers = list(proposals.exclude(proposed_by=actor).values_list("proposed_by_id", flat=True))
    version = store_version(benchmark, protocol, version=current.version + 1, actor=actor)
    note_lists(version, lists)
    proposals.update(adopted_as=version)
    benchmark.protocol = version
    benchmark.save(update_fields=["protocol"])
    decision.record(
        version=version.version,
        protocol_sha256=protocol.source_sha256,
        changed=[change.path for change in differences],
        consent_changed=version.consent_sha256 != current.consent_sha256,
        roles_changed=[change.role for change in role_differences],
        proposed_by=sorted(proposers),
    )
    if any(change.lost for change in role_differences):
        # Creating a password link takes a role in each benchmark of the person whom it is for.
        members = access.people_of(benchmark).values("pk")
        links = Q(benchmark=benchmark) | Q(person__in=members)
        revoke_unusable_links(links, actor=actor, cause="protocol_adopt")
    if role_differences:
        notify(
            person_ids=heads_of(benchmark),
            code="roles_changed",
            params={"version": version.version, "before": current.version},
            actor_id=actor.pk,
            benchmark_id=benchmark.pk,
            target_type="protocol",
            target_id=version.pk,
        )
    return version


@transaction.atomic
def propose_protocol(
    *, actor: Person, benchmark_slug: str, text: str, base_version: int, client_key: UUID
) -> ProtocolProposal:
    """Propose a text as the next version of the protocol, after ``base_version``, to the other administrators.

    It replaces an open proposal of the actor's.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this here.
        FileInvalid, StaleProtocol, ProtocolUnchanged, ProtocolLocked: As for :func:`adopt_protocol`.
        ClientKeyReused: The key was used for something else.
    """
    protocol, benchmark, decision = _locked(actor, benchmark_slug, text, client_key, "protocol_propose")
    if decision.is_repeat(version=base_version + 1, protocol_sha256=protocol.source_sha256):
        return ProtocolProposal.objects.get(proposed_by=actor, client_key=client_key)
    current = _current(benchmark)
    _check_adoptable(benchmark, current, protocol, base_version)
    _withdraw(open_proposals(benchmark).filter(proposed_by=actor), actor)
    proposal = ProtocolProposal.objects.create(
        benchmark=benchmark,
        base_version=current.version,
        name=protocol.name,
        source=protocol.source,
        source_sha256=protocol.source_sha256,
        content=protocol.content,
        proposed_by=actor,
        client_key=client_key,
    )
    decision.record(
        version=current.version + 1,
        protocol_sha256=protocol.source_sha256,
        proposal=proposal.pk,
        roles_changed=[change.role for change in role_changes(current.content, protocol.content)],
    )
    _notify(heads_of(benchmark), "protocol_proposed", proposal, actor)
    return proposal


@transaction.atomic
def withdraw_proposal(*, actor: Person, proposal_id: int, client_key: UUID) -> ProtocolProposal:
    """Withdraw one's own proposal, or reject another's; its proposer is notified of that.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this here.
        ProposalClosed: It was withdrawn, rejected or adopted, or another version was adopted.
        ClientKeyReused: The key was used for something else.
    """
    benchmark_id = ProtocolProposal.objects.filter(pk=proposal_id).values_list("benchmark_id", flat=True).first()
    if benchmark_id is None:
        raise NotFound
    access.require(actor, benchmark_id, "protocol_proposal_withdraw")
    # Locked as for adopting, and the proposal is read afterwards: it may be adopted at this moment.
    benchmark = Benchmark.objects.select_for_update().get(pk=benchmark_id)
    proposal = ProtocolProposal.objects.select_related("benchmark__protocol", "adopted_as").get(pk=proposal_id)
    decision = Decision(
        actor_id=actor.pk,
        action="protocol_proposal_withdraw",
        row=benchmark,
        client_key=client_key,
        label=benchmark.slug,
        benchmark_id=benchmark.pk,
    )
    if decision.is_repeat(proposal=proposal.pk):
        return proposal
    if (state := proposal_state(proposal)) != "open":
        raise ProposalClosed(state=state)
    _withdraw(ProtocolProposal.objects.filter(pk=proposal.pk), actor)
    decision.record(
        proposal=proposal.pk, version=proposal.base_version + 1, rejected=proposal.proposed_by_id != actor.pk
    )
    _notify([proposal.proposed_by_id], "proposal_rejected", proposal, actor)
    proposal.refresh_from_db()
    return proposal


def _notify(person_ids: Iterable[int], code: str, proposal: ProtocolProposal, actor: Person) -> None:
    notify(
        person_ids=person_ids,
        code=code,
        params={"version": proposal.base_version + 1},
        actor_id=actor.pk,
        benchmark_id=proposal.benchmark_id,
        target_type="protocol_proposal",
        target_id=proposal.pk,
    )


def _withdraw(proposals: QuerySet[ProtocolProposal], actor: Person) -> None:
    proposals.update(withdrawn_at=timezone.now(), withdrawn_by=actor)


def _locked(
    actor: Person, benchmark_slug: str, text: str, client_key: UUID, operation: str
) -> tuple[Protocol, Benchmark, Decision]:
    """The checked text, its benchmark, locked, and the decision about it."""
    reached = access.benchmark_for(actor, benchmark_slug, operation)
    protocol = check_protocol(text)
    check_lists(reached, protocol)
    # FOR UPDATE conflicts with the key locks of inserts that refer to the benchmark: no first item can be added
    # between the check for items and the new version.
    # The version is read by a statement of its own: the one that waited for the lock would return the old version.
    benchmark = Benchmark.objects.select_for_update().get(pk=reached.pk)
    decision = Decision(
        actor_id=actor.pk,
        action=operation,
        row=benchmark,
        client_key=client_key,
        label=benchmark.slug,
        benchmark_id=benchmark.pk,
    )
    return protocol, benchmark, decision


def _lists(benchmark: Benchmark, current: ProtocolVersion, protocol: Protocol) -> dict[str, CategoryListVersion | None]:
    """The lists that the next version names, by axis; a reference that stays keeps the version that is in force."""
    in_force = lists_in_force(current.pk)
    before = {axis: reference for axis, _, reference in references_of(current.content)}
    return {
        axis: in_force[axis]
        if axis in in_force and before.get(axis) == reference
        else referenced_list(benchmark, reference)
        for axis, _, reference in references_of(protocol.content)
    }


def _check_only_grows(before: CategoryListVersion, after: CategoryListVersion | None) -> None:
    kept = {(field.slug, entry.slug) for field, entry in content_of(after).entries()} if after else set()
    missing = [entry.slug for field, entry in content_of(before).entries() if (field.slug, entry.slug) not in kept]
    if missing:
        raise CategoriesOnlyGrow(slugs=missing)


def _check_values_in_use(
    benchmark: Benchmark, current: ProtocolVersion, lists: dict[str, CategoryListVersion | None]
) -> None:
    if not current.content.get("taxonomy", {}).get("axes"):
        return
    known = {axis: content_of(version).slugs() for axis, version in lists.items() if version}
    missing = [
        f"{axis}:{value}"
        for values_in_use in AXIS_VALUES_IN_USE
        for axis, values in values_in_use(benchmark).items()
        for value in set(values) - known.get(axis, set())
    ]
    if missing:
        raise CategoriesInUse(slugs=sorted(missing))


def _current(benchmark: Benchmark) -> ProtocolVersion:
    if benchmark.protocol is None:  # a benchmark gets its protocol in the transaction that creates it
        raise AssertionError
    return benchmark.protocol


def _check_adoptable(
    benchmark: Benchmark, current: ProtocolVersion, protocol: Protocol, base_version: int
) -> list[Change]:
    """The differences of a text that may follow the current version as far as it alone decides.

    Raises:
        StaleProtocol, ProtocolUnchanged, ProtocolLocked.
    """
    if current.version != base_version:
        raise StaleProtocol(current=current.version)
    if current.source_sha256 == protocol.source_sha256:
        raise ProtocolUnchanged(current=current.version)
    differences = changes(current.content, protocol.content)
    in_use = kinds_in_use(benchmark)
    if locked := [change.path for change in differences if change.is_locked(in_use)]:
        raise ProtocolLocked(paths=locked)
    return differences
