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
from django.utils import timezone

from curation.core.decisions import Decision
from curation.core.errors import ClientKeyReused, InvalidInput, OperationNotAllowed
from curation.core.operations import Reach
from curation.people import access
from curation.people.errors import InvitationRevoked, InvitationUnknown, InvitationUsed, OwnRoles, TeamsNotInProtocol
from curation.people.models import Invitation, Person, Team
from curation.people.rules import BITS, JOIN_DAYS, secret_sha256
from curation.people.services.accounts import create_account
from curation.people.services.roles import check_roles, check_team_size, grant_roles, protocol_part


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
    check_roles(benchmark, codes)
    if lead and team is None:
        raise InvalidInput(fields={"lead": ["Only with a team."]})
    if actor.reach(benchmark.pk, "invitation_create") is not Reach.ALL and not _may_invite_as_lead(
        actor, team, codes, teams, lead
    ):
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
    decision.record_transition("", "open", roles=codes, team_id=team_id, lead=lead)
    return invitation, secret


def _may_invite_as_lead(
    person: Person, team: Team | None, roles: Sequence[str], teams: dict[str, object] | None, lead: bool
) -> bool:
    """Whether a lead may invite into a team: their own, with the roles of its members, and not as another lead."""
    allowed = (teams or {}).get("roles")
    is_own = team is not None and team.lead_id == person.pk
    return is_own and not lead and isinstance(allowed, list) and set(roles) <= set(allowed)


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
        decision.record_transition(
            "open", "revoked", roles=invitation.roles, team_id=invitation.team_id, lead=invitation.lead
        )
    return invitation


@transaction.atomic
def accept_invitation(
    *,
    actor: Person | AnonymousUser,
    token: str,
    username: str = "",
    name: str = "",
    password: str = "",
    language: str = "zh-Hans",
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
    benchmark, team = invitation.benchmark, None
    if invitation.team_id is not None:
        team = Team.objects.select_for_update(no_key=True).get(pk=invitation.team_id)
        if team.closed_at is not None:
            raise InvitationRevoked
    _check_creator(invitation, team)
    if isinstance(actor, Person):
        person = actor
        if person.pk == invitation.invited_by_id:
            raise OwnRoles
    else:
        fields = {"username": username, "name": name, "password": password}
        if missing := [field for field, value in fields.items() if not value]:
            raise InvalidInput(fields={field: ["Needed for a new account."] for field in missing})
        person = create_account(username=username, name=name, password=password, language=language)
    if team is not None:
        check_team_size(benchmark, team, joining=person.pk)
    grant_roles(
        person=person,
        benchmark_id=benchmark.pk,
        roles=invitation.roles,
        granted_by=invitation.invited_by,
        team=team,
    )
    if team is not None and invitation.lead:
        team.lead = person
        team.save(update_fields=["lead"])
    mark_used(invitation, person)
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


def _check_creator(invitation: Invitation, team: Team | None) -> None:
    """Refuse a link whose creator may no longer create it, with these roles and for this team."""
    creator = invitation.invited_by
    reach = creator.reach(invitation.benchmark_id, "invitation_create") if creator.is_active else Reach.NONE
    if reach is Reach.ALL:
        return
    teams = protocol_part(invitation.benchmark, "teams")
    if reach is Reach.NONE or not _may_invite_as_lead(creator, team, invitation.roles, teams, invitation.lead):
        raise InvitationRevoked


def mark_used(invitation: Invitation, person: Person) -> None:
    """Write down that ``person`` used a locked link."""
    invitation.used_at, invitation.used_by = timezone.now(), person
    invitation.save(update_fields=["used_at", "used_by"])
