"""Single-use links to join a benchmark.

The secret of a link is in one answer, to the person who created it; the database stores its SHA-256. When a link is
used, its creator must still have the right to create it: links of people whose role ended do not work.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from curation.benchmarks.rules import OUTSIDER
from curation.core.decisions import Decision
from curation.core.errors import ClientKeyReused, InvalidInput, OperationNotAllowed
from curation.people import access
from curation.people.errors import InvitationRevoked, InvitationUnknown, InvitationUsed, OwnRoles, TeamsNotInProtocol
from curation.people.models import Invitation, Person
from curation.people.rules import BITS, JOIN_DAYS, secret_sha256
from curation.people.services.accounts import account_of
from curation.people.services.links import (
    creator_may_create,
    described,
    may_invite,
    protocol_part,
    revoke_unusable_links,
    sign_up_of,
)
from curation.people.services.roles import check_roles, check_team_size, grant_roles


@transaction.atomic
def create_invitation(
    *,
    actor: Person,
    benchmark_slug: str,
    client_key: UUID,
    roles: Sequence[str] = (),
    team_id: int | None = None,
    lead: bool = False,
    note: str = "",
) -> tuple[Invitation, str | None]:
    """Create a link by which one person joins with roles, in a team or without one.

    A team's lead invites only into that team, with the roles that the protocol gives its members.

    Args:
        actor: The person who invites.
        benchmark_slug: The benchmark.
        client_key: The request's key.
        roles: Codes of roles; empty: those that the protocol gives the members of a team.
        team_id: The team.
        lead: Whether the person will lead the team.
        note: What the link is for, shown in the list.

    Returns:
        The invitation and its secret; None if the request is a repeat.

    Raises:
        NotFound, OperationNotAllowed, RoleUnknown, TeamsNotInProtocol, TeamFull, ClientKeyReused.
        InvalidInput: No roles, or a lead without a team.
    """
    benchmark = access.benchmark_for(actor, benchmark_slug, "invitation_create")
    teams = protocol_part(benchmark, "teams")
    if team_id is not None and teams is None:
        raise TeamsNotInProtocol
    team = access.lock_team_of(benchmark, team_id) if team_id is not None else None
    codes = sorted(set(roles) or set(teams["roles"] if team is not None else []))
    if earlier := Invitation.objects.filter(invited_by=actor, client_key=client_key).first():
        requested = (benchmark.pk, Invitation.Purpose.JOIN, codes, team_id, lead, note)
        stored = (earlier.benchmark_id, earlier.purpose, earlier.roles, earlier.team_id, earlier.lead, earlier.note)
        if stored != requested:
            raise ClientKeyReused
        return earlier, None
    if not codes:
        raise InvalidInput(fields={"roles": ["At least one role."]})
    outsiders = team is None and sign_up_of(benchmark) != "off"
    check_roles(benchmark, codes, also=[OUTSIDER] if outsiders else [])
    if OUTSIDER in codes and len(codes) > 1:
        raise InvalidInput(fields={"roles": ["Outsiders have no other role."]})
    if lead and team is None:
        raise InvalidInput(fields={"lead": ["Only with a team."]})
    if not may_invite(actor, benchmark, team, codes, lead=lead):
        raise OperationNotAllowed(operation="invitation_create")
    if team is not None:
        check_team_size(benchmark, team, joining=None)
    secret = secrets.token_urlsafe(BITS // 8)
    invitation = Invitation.objects.create(
        benchmark=benchmark,
        token_sha256=secret_sha256(secret),
        roles=codes,
        team=team,
        lead=lead,
        note=note,
        invited_by=actor,
        client_key=client_key,
        expires_at=timezone.now() + timedelta(days=JOIN_DAYS),
    )
    decision = Decision(actor_id=actor.pk, action="invitation_create", row=invitation, client_key=client_key)
    decision.record_transition("", "open", **described(invitation))
    return invitation, secret


@transaction.atomic
def revoke_invitation(*, actor: Person, invitation_id: int, client_key: UUID) -> Invitation:
    """Revoke a link to join.

    Raises:
        NotFound, OperationNotAllowed, InvitationUsed, ClientKeyReused.
    """
    invitation = access.lock_invitation_for(actor, invitation_id, "invitation_revoke")
    decision = Decision(actor_id=actor.pk, action="invitation_revoke", row=invitation, client_key=client_key)
    if not decision.is_repeat() and invitation.revoked_at is None:
        if invitation.used_at is not None:
            raise InvitationUsed
        invitation.revoked_at = timezone.now()
        invitation.save(update_fields=["revoked_at"])
        decision.record_transition("open", "revoked", **described(invitation))
    return invitation


@transaction.atomic
def accept_invitation(
    *,
    actor: Person | AnonymousUser,
    token: str,
    username: str = "",
    name: str = "",
    password: str = "",
    language: str | None = None,
) -> tuple[Invitation, Person]:
    """Join by a link, with the signed-in account or a new one; of two people at once, one joins.

    Returns:
        The used invitation, and the account that joined.

    Raises:
        InvitationUnknown, InvitationUsed, InvitationRevoked, InvitationExpired.
        OwnRoles: The signed-in person created the link.
        InvalidInput, UsernameTaken, PasswordTooWeak: The new account cannot be created.
        TeamFull.
    """
    invitation = access.lock_open_invitation(secret_sha256(token))
    if invitation.purpose != Invitation.Purpose.JOIN:
        raise InvitationUnknown
    benchmark, team = invitation.benchmark, invitation.team
    if (team is not None and team.closed_at is not None) or not creator_may_create(invitation):
        raise InvitationRevoked
    if actor.pk == invitation.invited_by_id:
        raise OwnRoles
    person = account_of(actor, username=username, name=name, password=password, language=language)
    if team is not None:
        check_team_size(benchmark, team, joining=person.pk)
    grant_roles(
        person=person,
        benchmark_id=benchmark.pk,
        roles=invitation.roles,
        granted_by=invitation.invited_by,
        team=team,
    )
    mark_used(invitation, person)
    if team is not None and invitation.lead:
        team.lead = person
        team.save(update_fields=["lead"])
        revoke_unusable_links(Q(team=team), actor=person, cause="invitation_accept")
    decision = Decision(
        actor_id=person.pk, action="invitation_accept", row=person, client_key=None, benchmark_id=benchmark.pk
    )
    decision.record(
        invitation_id=invitation.pk,
        invited_by=invitation.invited_by_id,
        roles=invitation.roles,
        team_id=invitation.team_id,
        lead=invitation.lead,
    )
    person.grants = None  # They are loaded again with the new roles.
    return invitation, person


def mark_used(invitation: Invitation, person: Person) -> None:
    """Write down that ``person`` used a locked link."""
    invitation.used_at, invitation.used_by = timezone.now(), person
    invitation.save(update_fields=["used_at", "used_by"])
