"""Links that work once: to join a benchmark, and to set a new password.

A link's 256 random bits are shown once, to whoever made it; the database holds their SHA-256 alone. Its maker's rights
count when it is used, not only when it was made: links of somebody whose role ended open nothing.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from curation.core import audit
from curation.core.errors import ClientKeyReused, InvalidInput, OperationNotAllowed
from curation.core.operations import Reach
from curation.people import access
from curation.people.errors import (
    BeyondYourBenchmarks,
    InvitationRevoked,
    InvitationUnknown,
    InvitationUsed,
    OwnRoles,
    TeamsNotInProtocol,
)
from curation.people.models import Invitation, Person, PersonSession, Team
from curation.people.services.accounts import check_password, make_person
from curation.people.services.roles import check_roles, grant_roles, protocol_part, room_in

JOIN_DAYS: Final = 7
PASSWORD_DAYS: Final = 1
BITS: Final = 256


def hashed(token: str) -> str:
    """What is stored of a link's secret."""
    return hashlib.sha256(token.encode()).hexdigest()


@transaction.atomic
def create_invitation(
    *,
    actor: Person,
    benchmark_slug: str,
    roles: Sequence[str],
    team_id: int | None,
    lead: bool,
    note: str,
    client_key: UUID,
) -> tuple[Invitation, str | None]:
    """Make a link by which one person joins with roles, perhaps into a team, perhaps as its lead.

    A team's lead invites into that team alone, with the roles that the protocol gives its members.

    Returns:
        The invitation and its secret; None for the secret of one that this request made earlier.

    Raises:
        NotFound, OperationNotAllowed, RoleUnknown, TeamsNotInProtocol, TeamFull, ClientKeyReused.
    """
    benchmark = access.benchmark_for(actor, benchmark_slug, "invitation_create")
    teams = protocol_part(benchmark, "teams")
    if team_id is not None and teams is None:
        raise TeamsNotInProtocol
    team = access.lock_team_of(benchmark, team_id) if team_id is not None else None
    wanted = sorted(set(roles) or set(teams["roles"] if team is not None else []))
    if earlier := Invitation.objects.filter(invited_by=actor, client_key=client_key).first():
        told = (benchmark.pk, Invitation.Purpose.JOIN, wanted, team_id, lead, note)
        if (earlier.benchmark_id, earlier.purpose, earlier.roles, earlier.team_id, earlier.lead, earlier.note) != told:
            raise ClientKeyReused
        return earlier, None
    if not wanted:
        raise InvalidInput(fields={"roles": ["At least one role."]})
    check_roles(benchmark, wanted)
    if lead and team is None:
        raise InvalidInput(fields={"lead": ["Only with a team."]})
    if actor.reach(benchmark.pk, "invitation_create") is not Reach.ALL:
        _only_into_ones_own_team(actor, team, wanted, teams, lead)
    if team is not None:
        room_in(benchmark, team, for_person=None)
    token = secrets.token_urlsafe(BITS // 8)
    invitation = Invitation.objects.create(
        benchmark=benchmark,
        token_sha256=hashed(token),
        roles=wanted,
        team=team,
        lead=lead,
        note=note,
        invited_by=actor,
        client_key=client_key,
        expires_at=timezone.now() + timedelta(days=JOIN_DAYS),
    )
    _record("invitation_create", invitation, actor, client_key, state_to="open")
    return invitation, token


def _only_into_ones_own_team(
    actor: Person, team: Team | None, roles: Sequence[str], teams: dict[str, object] | None, lead: bool
) -> None:
    given = (teams or {}).get("roles")
    if team is None or team.lead_id != actor.pk or lead or not isinstance(given, list) or not set(roles) <= set(given):
        raise OperationNotAllowed(operation="invitation_create")


@transaction.atomic
def revoke_invitation(*, actor: Person, invitation_id: int, client_key: UUID) -> Invitation:
    """Make a link worthless.

    Raises:
        NotFound, OperationNotAllowed, InvitationUsed, ClientKeyReused.
    """
    invitation = access.lock_invitation_for(actor, invitation_id, "invitation_revoke")
    done = audit.already_done(
        actor_id=actor.pk, client_key=client_key, action="invitation_revoke", target_id=invitation.pk
    )
    if done is None and invitation.revoked_at is None:
        if invitation.used_at is not None:
            raise InvitationUsed
        invitation.revoked_at = timezone.now()
        invitation.save(update_fields=["revoked_at"])
        _record("invitation_revoke", invitation, actor, client_key, state_from="open", state_to="revoked")
    return invitation


@transaction.atomic
def accept_invitation(
    *,
    token: str,
    person: Person | None,
    username: str = "",
    name: str = "",
    password: str = "",
    language: str = "zh-Hans",
) -> tuple[Invitation, Person]:
    """Join by a link, with the account one is signed in to or with a new one. Of two at once one joins.

    Raises:
        InvitationUnknown, InvitationUsed, InvitationRevoked, InvitationExpired.
        OwnRoles: The signed-in person made the link.
        InvalidInput, UsernameTaken, PasswordTooWeak: A new account cannot be made like this.
        TeamFull.
    """
    invitation = access.lock_open_invitation(hashed(token))
    if invitation.purpose != Invitation.Purpose.JOIN:
        raise InvitationUnknown
    benchmark, team = invitation.benchmark, None
    if invitation.team_id is not None:
        team = Team.objects.select_for_update(no_key=True).get(pk=invitation.team_id)
        if team.closed_at is not None:
            raise InvitationRevoked
    _still_allowed(invitation, team)
    if person is None:
        missing = [
            field for field, value in (("username", username), ("name", name), ("password", password)) if not value
        ]
        if missing:
            raise InvalidInput(fields={field: ["Needed for a new account."] for field in missing})
        person = make_person(username=username, name=name, password=password, language=language)
    elif person.pk == invitation.invited_by_id:
        raise OwnRoles
    if team is not None:
        room_in(benchmark, team, for_person=person.pk)
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
    _use(invitation, person)
    audit.record(
        action="invitation_accept",
        target_type="person",
        target_id=person.pk,
        actor_id=person.pk,
        benchmark_id=benchmark.pk,
        data={
            "invitation_id": invitation.pk,
            "invited_by": invitation.invited_by_id,
            "roles": invitation.roles,
            "team_id": invitation.team_id,
            "lead": invitation.lead,
        },
    )
    person.grants = None
    return invitation, person


def _still_allowed(invitation: Invitation, team: Team | None) -> None:
    """Refuse a link whose maker could not make it any more."""
    maker = invitation.invited_by
    reach = maker.reach(invitation.benchmark_id, "invitation_create") if maker.is_active else Reach.NONE
    leads = reach is Reach.TEAM and team is not None and team.lead_id == maker.pk
    if reach is not Reach.ALL and not leads:
        raise InvitationRevoked


@transaction.atomic
def make_password_link(
    *, actor: Person, benchmark_slug: str, person_id: int, client_key: UUID
) -> tuple[Invitation, str | None]:
    """Make a link by which a member sets a new password; earlier ones for them end.

    Raises:
        NotFound: No such benchmark for the actor, or nobody of that number holds a role in it.
        BeyondYourBenchmarks: The password would open more than the actor administers.
        OperationNotAllowed, ClientKeyReused.
    """
    benchmark = access.benchmark_for(actor, benchmark_slug, "password_link")
    person = access.lock_member_of(benchmark, person_id, in_force=True)
    if earlier := Invitation.objects.filter(invited_by=actor, client_key=client_key).first():
        if (earlier.purpose, earlier.person_id) != (Invitation.Purpose.PASSWORD, person.pk):
            raise ClientKeyReused
        return earlier, None
    if not _administers_all_of(actor, person):
        raise BeyondYourBenchmarks
    older = Invitation.objects.filter(person=person, purpose=Invitation.Purpose.PASSWORD, used_at=None, revoked_at=None)
    older.update(revoked_at=timezone.now())
    token = secrets.token_urlsafe(BITS // 8)
    invitation = Invitation.objects.create(
        benchmark=benchmark,
        purpose=Invitation.Purpose.PASSWORD,
        token_sha256=hashed(token),
        person=person,
        invited_by=actor,
        client_key=client_key,
        expires_at=timezone.now() + timedelta(days=PASSWORD_DAYS),
    )
    audit.record(
        action="password_link",
        target_type="person",
        target_id=person.pk,
        actor_id=actor.pk,
        benchmark_id=benchmark.pk,
        data={"invitation_id": invitation.pk},
        client_key=client_key,
    )
    return invitation, token


@transaction.atomic
def set_password(*, token: str, password: str) -> Person:
    """Set a new password by a link; every session of the account ends.

    Raises:
        InvitationUnknown, InvitationUsed, InvitationRevoked, InvitationExpired, PasswordTooWeak.
    """
    invitation = access.lock_open_invitation(hashed(token))
    person = invitation.person
    if invitation.purpose != Invitation.Purpose.PASSWORD or person is None:
        raise InvitationUnknown
    maker = invitation.invited_by
    if not (person.is_active and maker.is_active and _administers_all_of(maker, person)):
        raise InvitationRevoked
    check_password(password)
    person.set_password(password)
    person.save(update_fields=["password"])
    PersonSession.objects.filter(person=person).delete()
    _use(invitation, person)
    audit.record(
        action="password_set",
        target_type="person",
        target_id=person.pk,
        actor_id=person.pk,
        benchmark_id=invitation.benchmark_id,
        data={"invitation_id": invitation.pk},
    )
    return person


def _administers_all_of(actor: Person, person: Person) -> bool:
    """Whether everything that the person's password opens lies in benchmarks where the actor makes such links."""
    return all(
        grant.benchmark_id is not None and actor.may(grant.benchmark_id, "password_link") for grant in person.grants
    )


def _use(invitation: Invitation, person: Person) -> None:
    invitation.used_at, invitation.used_by = timezone.now(), person
    invitation.save(update_fields=["used_at", "used_by"])


def _record(
    action: str, invitation: Invitation, actor: Person, client_key: UUID, *, state_from: str = "", state_to: str = ""
) -> None:
    audit.record(
        action=action,
        target_type="invitation",
        target_id=invitation.pk,
        actor_id=actor.pk,
        benchmark_id=invitation.benchmark_id,
        state_from=state_from,
        state_to=state_to,
        data={"roles": invitation.roles, "team_id": invitation.team_id, "lead": invitation.lead},
        client_key=client_key,
    )
