"""Roles given and ended, and the accounts behind them closed and opened. What ends is over at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.core import audit
from curation.core.errors import OperationNotAllowed
from curation.people import access
from curation.people.errors import OwnAccount, OwnRoles, RoleUnknown, TeamFull
from curation.people.models import Person, PersonSession, RoleGrant, Team


def protocol_part(benchmark: Benchmark, name: str) -> Any:
    """A top-level part of a benchmark's protocol; None where it is absent."""
    return benchmark.protocol.content.get(name) if benchmark.protocol else None


def check_roles(benchmark: Benchmark, roles: Sequence[str]) -> None:
    """Refuse codes that the benchmark's protocol does not name.

    Raises:
        RoleUnknown.
    """
    known = [role["code"] for role in protocol_part(benchmark, "roles") or []]
    for role in roles:
        if role not in known:
            raise RoleUnknown(role=role, known=known)


def grant_roles(
    *, person: Person, benchmark_id: int, roles: Sequence[str], granted_by: Person | None, team: Team | None = None
) -> None:
    """Give roles that are not held yet; the caller has checked that it may be, and records why."""
    RoleGrant.objects.bulk_create(
        [RoleGrant(person=person, benchmark_id=benchmark_id, team=team, role=r, granted_by=granted_by) for r in roles],
        ignore_conflicts=True,
    )


def room_in(benchmark: Benchmark, team: Team, *, for_person: int | None) -> None:
    """Refuse somebody more in a team that is full; the caller holds the team's lock.

    Raises:
        TeamFull.
    """
    maximum = (protocol_part(benchmark, "teams") or {}).get("size_maximum")
    members = set(RoleGrant.objects.filter(team=team, ended_at=None).values_list("person_id", flat=True))
    if maximum is not None and for_person not in members and len(members) >= maximum:
        raise TeamFull(maximum=maximum)


@transaction.atomic
def grant_role(
    *, actor: Person, benchmark_slug: str, person_id: int, role: str, team_id: int | None, client_key: UUID
) -> Person:
    """Give a member another role, perhaps in a team; one they hold already stays as it is.

    Raises:
        NotFound: No such benchmark, member or open team for the actor.
        OperationNotAllowed, OwnRoles, RoleUnknown, TeamFull, ClientKeyReused.
    """
    benchmark = access.benchmark_for(actor, benchmark_slug, "role_grant")
    person = access.lock_member_of(benchmark, person_id)
    if person.pk == actor.pk:
        raise OwnRoles
    if audit.already_done(actor_id=actor.pk, client_key=client_key, action="role_grant", target_id=person.pk):
        return person
    check_roles(benchmark, [role])
    team = access.lock_team_of(benchmark, team_id) if team_id is not None else None
    if team is not None:
        room_in(benchmark, team, for_person=person.pk)
    if not RoleGrant.objects.filter(person=person, benchmark=benchmark, team=team, role=role, ended_at=None).exists():
        grant_roles(person=person, benchmark_id=benchmark.pk, roles=[role], granted_by=actor, team=team)
        audit.record(
            action="role_grant",
            target_type="person",
            target_id=person.pk,
            actor_id=actor.pk,
            benchmark_id=benchmark.pk,
            data={"role": role, "team_id": team_id},
            client_key=client_key,
        )
    return person


@transaction.atomic
def end_role(*, actor: Person, grant_id: int, client_key: UUID) -> RoleGrant:
    """End a role; the row stays as history. Whoever leaves a team by it does not lead it any more.

    Raises:
        NotFound: There is no such role, or the actor takes no part in its benchmark.
        OperationNotAllowed, OwnRoles, ClientKeyReused.
    """
    grant = access.lock_grant_for(actor, grant_id, "role_end")
    if grant.person_id == actor.pk:
        raise OwnRoles
    done = audit.already_done(actor_id=actor.pk, client_key=client_key, action="role_end", target_id=grant.person_id)
    if done is None and grant.ended_at is None:
        end_grants([grant], actor=actor)
        audit.record(
            action="role_end",
            target_type="person",
            target_id=grant.person_id,
            actor_id=actor.pk,
            benchmark_id=grant.benchmark_id,
            data={"role": grant.role, "team_id": grant.team_id},
            client_key=client_key,
        )
    return grant


def end_grants(grants: Iterable[RoleGrant], *, actor: Person) -> None:
    """End locked grants; the caller records why."""
    for grant in grants:
        grant.ended_at, grant.ended_by = timezone.now(), actor
        grant.save(update_fields=["ended_at", "ended_by"])
        if grant.team_id is None:
            continue
        still = RoleGrant.objects.filter(team_id=grant.team_id, person_id=grant.person_id, ended_at=None)
        if not still.exists():
            Team.objects.filter(pk=grant.team_id, lead_id=grant.person_id).update(lead=None)


def close_account(*, actor: Person, person_id: int, client_key: UUID) -> Person:
    """Close an account: its sessions and tokens end at once, its work and roles stay where they are.

    Raises:
        OperationNotAllowed: Only the site's owner does this.
        OwnAccount: Not to oneself.
        NotFound, ClientKeyReused.
    """
    return _set_active(actor, person_id, client_key, active=False)


def open_account(*, actor: Person, person_id: int, client_key: UUID) -> Person:
    """Open a closed account again; its roles are those it had, its sessions and tokens stay ended.

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
    done = audit.already_done(actor_id=actor.pk, client_key=client_key, action=operation, target_id=person.pk)
    if done is None and person.is_active is not active:
        person.is_active = active
        person.save(update_fields=["is_active"])
        if not active:
            PersonSession.objects.filter(person=person).delete()
            person.tokens.filter(revoked_at=None).update(revoked_at=timezone.now())
        audit.record(
            action=operation,
            target_type="person",
            target_id=person.pk,
            actor_id=actor.pk,
            benchmark_id=None,
            state_from="closed" if active else "open",
            state_to="open" if active else "closed",
            client_key=client_key,
        )
    return person
