"""Granting and ending roles, and closing and opening accounts. All of it takes effect at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.core.decisions import Decision
from curation.core.errors import OperationNotAllowed
from curation.people import access
from curation.people.errors import OwnAccount, OwnRoles, RoleUnknown, TeamFull
from curation.people.models import Person, PersonSession, RoleGrant, Team
from curation.people.rules import Member
from curation.people.services.links import protocol_part, revoke_links, revoke_unusable_links


def check_roles(benchmark: Benchmark, roles: Sequence[str], *, also: Sequence[str] = ()) -> None:
    """Refuse codes that are neither in the benchmark's protocol nor among ``also``.

    Raises:
        RoleUnknown.
    """
    known = [*(role["code"] for role in protocol_part(benchmark, "roles") or []), *also]
    for role in roles:
        if role not in known:
            raise RoleUnknown(role=role, known=known)


def grant_roles(
    *, person: Person, benchmark_id: int, roles: Sequence[str], granted_by: Person | None, team: Team | None = None
) -> None:
    """Grant the roles that the person does not hold yet; the caller has checked permissions, and records it."""
    RoleGrant.objects.bulk_create(
        [RoleGrant(person=person, benchmark_id=benchmark_id, team=team, role=r, granted_by=granted_by) for r in roles],
        ignore_conflicts=True,
    )


def check_team_size(benchmark: Benchmark, team: Team, *, joining: int | None) -> None:
    """Refuse another member in a full team; the caller holds the team's lock.

    Args:
        benchmark: Its protocol limits the size.
        team: The team.
        joining: The person who joins, unless they are not known yet; a member may always take another role.

    Raises:
        TeamFull.
    """
    maximum = (protocol_part(benchmark, "teams") or {}).get("size_maximum")
    members = set(RoleGrant.objects.filter(team=team, ended_at=None).values_list("person_id", flat=True))
    if maximum is not None and joining not in members and len(members) >= maximum:
        raise TeamFull(maximum=maximum)


@transaction.atomic
def grant_role(
    *, actor: Person, benchmark_slug: str, person_id: int, role: str, client_key: UUID, team_id: int | None = None
) -> Member:
    """Grant a member another role, in a team or without one; a role that they hold already stays as it is.

    Raises:
        NotFound: No such benchmark, member or open team for the actor.
        OperationNotAllowed, OwnRoles, RoleUnknown, TeamFull, ClientKeyReused.
    """
    benchmark = access.benchmark_for(actor, benchmark_slug, "role_grant")
    person = access.lock_member_of(benchmark, person_id)
    if person.pk == actor.pk:
        raise OwnRoles
    decision = Decision(
        actor_id=actor.pk, action="role_grant", row=person, client_key=client_key, benchmark_id=benchmark.pk
    )
    member = Member(person.pk, benchmark.pk)
    if decision.is_repeat(role=role, team_id=team_id):
        return member
    check_roles(benchmark, [role])
    team = access.lock_team_of(benchmark, team_id) if team_id is not None else None
    if team is not None:
        check_team_size(benchmark, team, joining=person.pk)
    if not RoleGrant.objects.filter(person=person, benchmark=benchmark, team=team, role=role, ended_at=None).exists():
        grant_roles(person=person, benchmark_id=benchmark.pk, roles=[role], granted_by=actor, team=team)
        decision.record(role=role, team_id=team_id)
    return member


@transaction.atomic
def end_role(*, actor: Person, grant_id: int, client_key: UUID) -> Member:
    """End a role; the row stays as history. A lead whose last role in the team ends no longer leads it.

    Raises:
        NotFound: There is no such role, or the actor takes no part in its benchmark.
        OperationNotAllowed, OwnRoles, ClientKeyReused.
    """
    grant, benchmark_id = access.lock_grant_for(actor, grant_id, "role_end")
    if grant.person_id == actor.pk:
        raise OwnRoles
    decision = Decision(
        actor_id=actor.pk, action="role_end", row=grant.person, client_key=client_key, benchmark_id=benchmark_id
    )
    if not decision.is_repeat(role=grant.role, team_id=grant.team_id) and grant.ended_at is None:
        end_grants([grant], actor=actor, cause="role_end")
        decision.record(role=grant.role, team_id=grant.team_id)
    return Member(grant.person_id, benchmark_id)


def end_grants(grants: Iterable[RoleGrant], *, actor: Person, cause: str) -> None:
    """End locked grants, and revoke the links of and for their holders that their creators may no longer create.

    Args:
        grants: The grants.
        actor: The person who ends them.
        cause: The operation that ends them.
    """
    grants = list(grants)
    for grant in grants:
        grant.ended_at, grant.ended_by = timezone.now(), actor
        grant.save(update_fields=["ended_at", "ended_by"])
        if grant.team_id is None:
            continue
        remaining = RoleGrant.objects.filter(team_id=grant.team_id, person_id=grant.person_id, ended_at=None)
        if not remaining.exists():
            Team.objects.filter(pk=grant.team_id, lead_id=grant.person_id).update(lead=None)
    # In every benchmark: creating a password link takes a role in each benchmark of the person whom it is for.
    people = {grant.person_id for grant in grants}
    revoke_unusable_links(Q(invited_by__in=people) | Q(person__in=people), actor=actor, cause=cause)


def close_account(*, actor: Person, person_id: int, client_key: UUID) -> Person:
    """Close an account: its sessions, tokens and links end at once, its work and roles stay where they are.

    Raises:
        OperationNotAllowed: The actor is not the site's owner.
        OwnAccount: It is the actor's own account.
        NotFound, ClientKeyReused.
    """
    return _set_active(actor, person_id, client_key, active=False)


def open_account(*, actor: Person, person_id: int, client_key: UUID) -> Person:
    """Open a closed account again, with the roles it had; its sessions, tokens and links stay ended.

    Raises:
        OperationNotAllowed, OwnAccount, NotFound, ClientKeyReused.
    """
    return _set_active(actor, person_id, client_key, active=True)


@transaction.atomic
def _set_active(actor: Person, person_id: int, client_key: UUID, *, active: bool) -> Person:
    operation = "account_open" if active else "account_close"
    if not actor.may(None, operation):
        raise OperationNotAllowed(operation=operation)
    person = access.lock_person(person_id)
    if person.pk == actor.pk:
        raise OwnAccount
    decision = Decision(actor_id=actor.pk, action=operation, row=person, client_key=client_key)
    if not decision.is_repeat() and person.is_active is not active:
        person.is_active = active
        person.save(update_fields=["is_active"])
        if not active:
            PersonSession.objects.filter(person=person).delete()
            person.tokens.filter(revoked_at=None).update(revoked_at=timezone.now())
            revoke_links(Q(invited_by=person) | Q(person=person), actor=actor, cause=operation)
        decision.record_transition("closed" if active else "open", "open" if active else "closed")
    return person
