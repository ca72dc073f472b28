"""Teams: made, renamed, given a lead, closed."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.core import audit
from curation.people import access
from curation.people.errors import NotAMember, OwnRoles, TeamNameTaken, TeamsNotInProtocol
from curation.people.models import Person, RoleGrant, Team
from curation.people.services.roles import end_grants, protocol_part


def create_team(*, actor: Person, benchmark_slug: str, name: str, client_key: UUID) -> Team:
    """Make an empty team.

    Raises:
        NotFound, OperationNotAllowed: The actor may not do this here.
        TeamsNotInProtocol: The benchmark's protocol knows no teams.
        TeamNameTaken, ClientKeyReused.
    """
    benchmark = access.benchmark_for(actor, benchmark_slug, "team_create")
    if protocol_part(benchmark, "teams") is None:
        raise TeamsNotInProtocol
    try:
        with transaction.atomic():
            if done := audit.already_done(actor_id=actor.pk, client_key=client_key, action="team_create"):
                return Team.objects.get(pk=done.target_id)
            team = Team.objects.create(benchmark=benchmark, name=name)
            _record("team_create", team, actor, client_key, state_to="open")
            return team
    except IntegrityError as error:
        if done := audit.already_done(actor_id=actor.pk, client_key=client_key, action="team_create"):
            return Team.objects.get(pk=done.target_id)
        raise TeamNameTaken(name=name) from error


@transaction.atomic
def update_team(
    *, actor: Person, team_id: int, client_key: UUID, name: str | None = None, lead: int | None = None, set_lead: bool
) -> Team:
    """Rename a team, or say which of its members leads it.

    Args:
        actor: Who does it.
        team_id: The team.
        client_key: Of the request.
        name: The new name; None leaves it.
        lead: The lead's account; None: nobody leads.
        set_lead: Whether ``lead`` is meant at all.

    Raises:
        NotFound, OperationNotAllowed, TeamNameTaken, NotAMember, ClientKeyReused.
    """
    team = access.lock_team_for(actor, team_id, "team_update")
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action="team_update", target_id=team.pk):
        return team
    if set_lead and lead is not None:
        if not RoleGrant.objects.filter(team=team, person_id=lead, ended_at=None).exists():
            raise NotAMember
        if lead == actor.pk and not actor.owns_site:
            raise OwnRoles
    before = team.lead_id
    team.name = name if name is not None else team.name
    team.lead_id = lead if set_lead else team.lead_id
    try:
        with transaction.atomic():
            team.save(update_fields=["name", "lead"])
    except IntegrityError as error:
        raise TeamNameTaken(name=name) from error
    data = {"renamed": name is not None, "lead_from": before, "lead_to": team.lead_id}
    _record("team_update", team, actor, client_key, data=data)
    return team


@transaction.atomic
def close_team(*, actor: Person, team_id: int, client_key: UUID) -> Team:
    """Close a team: the roles its members hold in it end; its name is free again.

    Raises:
        NotFound, OperationNotAllowed, ClientKeyReused.
        OwnRoles: The actor is a member of it.
    """
    team = access.lock_team_for(actor, team_id, "team_close", closed=True)
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action="team_close", target_id=team.pk):
        return team
    grants = list(RoleGrant.objects.select_for_update(no_key=True).filter(team=team, ended_at=None).order_by("pk"))
    if any(grant.person_id == actor.pk for grant in grants):
        raise OwnRoles
    if team.closed_at is None:
        end_grants(grants, actor=actor)
        team.closed_at, team.lead = timezone.now(), None
        team.save(update_fields=["closed_at", "lead"])
        data = {"ended": [{"person_id": g.person_id, "role": g.role} for g in grants]}
        _record("team_close", team, actor, client_key, state_from="open", state_to="closed", data=data)
    return team


def _record(
    action: str,
    team: Team,
    actor: Person,
    client_key: UUID,
    *,
    state_from: str = "",
    state_to: str = "",
    data: dict[str, Any] | None = None,
) -> None:
    audit.record(
        action=action,
        target_type="team",
        target_id=team.pk,
        actor_id=actor.pk,
        benchmark_id=team.benchmark_id,
        state_from=state_from,
        state_to=state_to,
        data=data,
        client_key=client_key,
    )
