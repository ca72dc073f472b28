"""Creating, changing and closing teams."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import pairs_of
from curation.benchmarks.rules import Pair
from curation.core.decisions import Decision
from curation.people import access
from curation.people.errors import (
    NotAMember,
    OwnRoles,
    PairMissing,
    PairTaken,
    PairUnknown,
    TeamNameTaken,
    TeamsNotInProtocol,
)
from curation.people.models import Person, RoleGrant, Team
from curation.people.services.links import protocol_part, revoke_unusable_links
from curation.people.services.roles import end_grants


def create_team(*, actor: Person, benchmark_slug: str, name: str, client_key: UUID, pair: str = "") -> Team:
    """Create an empty team.

    Args:
        actor: The person who creates it.
        benchmark_slug: The benchmark.
        name: Its name.
        client_key: The request's key.
        pair: The slug of the pair of country and language that it is for, where the protocol lists pairs. The team
            keeps a copy of the pair's values.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this here.
        TeamsNotInProtocol: The benchmark's protocol has no teams.
        PairMissing, PairUnknown: The protocol lists pairs and none is named, or it does not list this one.
        PairTaken: Another open team is for that pair.
        TeamNameTaken, ClientKeyReused.
    """
    benchmark = access.benchmark_for(actor, benchmark_slug, "team_create")
    if protocol_part(benchmark, "teams") is None:
        raise TeamsNotInProtocol
    decision = Decision(actor_id=actor.pk, action="team_create", client_key=client_key, benchmark_id=benchmark.pk)
    data = {"pair": pair} if pair else {}
    try:
        with transaction.atomic():
            if earlier := decision.earlier(**data):
                return Team.objects.get(pk=earlier.target_id)
            values = _values_of(_pair_of(benchmark, pair))
            decision.row = team = Team.objects.create(benchmark=benchmark, name=name, **values)
            decision.record_transition("", "open", **data)
            return team
    except IntegrityError as error:
        # The same request on another connection, or another team of that name or pair.
        decision.row = None
        if earlier := decision.earlier(**data):
            return Team.objects.get(pk=earlier.target_id)
        if pair and Team.objects.filter(benchmark=benchmark, pair=pair, closed_at=None).exists():
            raise PairTaken(pair=pair) from error
        raise TeamNameTaken(name=name) from error


def _pair_of(benchmark: Benchmark, slug: str) -> Pair | None:
    """The pair with this slug in the protocol's list; None if the protocol lists no pairs.

    Raises:
        PairMissing, PairUnknown.
    """
    pairs = pairs_of(benchmark.protocol.content if benchmark.protocol else {})
    if pairs and not slug:
        raise PairMissing
    pair = next((pair for pair in pairs if pair.slug == slug), None)
    if slug and pair is None:
        raise PairUnknown(pair=slug)
    return pair


def _values_of(pair: Pair | None) -> dict[str, Any]:
    """The columns of a team that are copies of its pair's values."""
    if pair is None:
        return {}
    return {
        "pair": pair.slug,
        "country": pair.country.model_dump(by_alias=True),
        "language": pair.tag,
        "language_name": pair.language.model_dump(by_alias=True),
        "script": pair.script,
        "continent": pair.continent,
    }


@transaction.atomic
def update_team(
    *,
    actor: Person,
    team_id: int,
    client_key: UUID,
    name: str | None = None,
    lead_id: int | None = None,
    changes_lead: bool = False,
) -> Team:
    """Rename a team, or make one of its members its lead; links that only the former lead could create are revoked.

    Args:
        actor: The person who changes it.
        team_id: The team.
        client_key: The request's key.
        name: The new name; None leaves it as it is.
        lead_id: The new lead; None: the team has no lead.
        changes_lead: Whether ``lead_id`` applies.

    Raises:
        NotFound, OperationNotAllowed, TeamNameTaken, NotAMember, ClientKeyReused.
        OwnRoles: The actor would make themselves the lead.
    """
    team = access.lock_team_for(actor, team_id, "team_update")
    decision = Decision(actor_id=actor.pk, action="team_update", row=team, client_key=client_key)
    if decision.is_repeat():
        return team
    if changes_lead and lead_id is not None:
        if not RoleGrant.objects.filter(team=team, person_id=lead_id, ended_at=None).exists():
            raise NotAMember
        if lead_id == actor.pk and not actor.owns_site:
            raise OwnRoles
    former_lead = team.lead_id
    team.name = name if name is not None else team.name
    team.lead_id = lead_id if changes_lead else team.lead_id
    try:
        with transaction.atomic():
            team.save(update_fields=["name", "lead"])
    except IntegrityError as error:
        raise TeamNameTaken(name=name) from error
    decision.record(renamed=name is not None, lead_from=former_lead, lead_to=team.lead_id)
    if former_lead not in (None, team.lead_id):
        revoke_unusable_links(Q(team=team, invited_by_id=former_lead), actor=actor, cause="team_update")
    return team


@transaction.atomic
def close_team(*, actor: Person, team_id: int, client_key: UUID) -> Team:
    """Close a team: the roles its members hold in it end, and another team may take its name.

    Raises:
        NotFound, OperationNotAllowed, ClientKeyReused.
        OwnRoles: The actor is a member of it.
    """
    team = access.lock_team_for(actor, team_id, "team_close", closed=True)
    decision = Decision(actor_id=actor.pk, action="team_close", row=team, client_key=client_key)
    if decision.is_repeat():
        return team
    grants = list(RoleGrant.objects.select_for_update(no_key=True).filter(team=team, ended_at=None).order_by("pk"))
    if any(grant.person_id == actor.pk for grant in grants):
        raise OwnRoles
    if team.closed_at is None:
        end_grants(grants, actor=actor, cause="team_close")
        team.closed_at, team.lead = timezone.now(), None
        team.save(update_fields=["closed_at", "lead"])
        ended = [{"person_id": g.person_id, "role": g.role} for g in grants]
        decision.record_transition("open", "closed", ended=ended)
    return team
