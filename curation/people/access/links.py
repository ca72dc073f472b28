"""The links to join that a person may use, and the link that a secret opens."""

from __future__ import annotations

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.core.operations import Reach
from curation.people.access.members import lock_person
from curation.people.access.permissions import require
from curation.people.errors import (
    InvitationExpired,
    InvitationRevoked,
    InvitationUnknown,
    InvitationUsed,
)
from curation.people.models import Invitation, Person, Team


def invitations_visible_to(person: Person, benchmark: Benchmark, operation: str) -> QuerySet[Invitation]:
    """A benchmark's links to join: all, or those into teams the person leads.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = Invitation.objects.filter(benchmark=benchmark, purpose=Invitation.Purpose.JOIN)
    if require(person, benchmark.pk, operation) is Reach.ALL:
        return rows
    return rows.filter(team__lead=person)


def lock_invitation_for(person: Person, invitation_id: int, operation: str) -> Invitation:
    """A link to join, locked, if the operation reaches it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = Invitation.objects.select_related("team").select_for_update(of=("self",), no_key=True)
    invitation = rows.filter(pk=invitation_id, purpose=Invitation.Purpose.JOIN).first()
    if invitation is None:
        raise NotFound
    reach = require(person, invitation.benchmark_id, operation)
    if reach is not Reach.ALL and (invitation.team is None or invitation.team.lead_id != person.pk):
        raise NotFound
    return invitation


def open_invitation(token_sha256: str, *, lock: bool = False) -> Invitation:
    """The link with this hash, if it is neither used, revoked nor expired.

    Raises:
        InvitationUnknown, InvitationUsed, InvitationRevoked, InvitationExpired.
    """
    rows = Invitation.objects.select_related("benchmark__protocol", "team", "person", "invited_by")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    invitation = rows.filter(token_sha256=token_sha256).first()
    if invitation is None:
        raise InvitationUnknown
    if invitation.used_at is not None:
        raise InvitationUsed
    if invitation.revoked_at is not None:
        raise InvitationRevoked
    if invitation.expires_at <= timezone.now():
        raise InvitationExpired
    return invitation


def lock_open_invitation(token_sha256: str) -> Invitation:
    """As :func:`open_invitation`, locked: of two people who use a link at once, the second gets ``InvitationUsed``.

    Everything that the use of a link locks is locked before the link, because revoking locks links last: two that
    lock in different orders would wait for each other.
    """
    link = open_invitation(token_sha256)
    with connection.cursor() as cursor:
        # The lock that a new role takes on its benchmark; adopting a protocol waits for it.
        cursor.execute("select 1 from curation_benchmark where id = %s for key share", [link.benchmark_id])
    if link.team_id is not None:
        Team.objects.select_for_update(no_key=True).get(pk=link.team_id)
    if link.person_id is not None:
        lock_person(link.person_id)
    if link.lead:  # The former lead's links are revoked.
        list(Invitation.objects.select_for_update(no_key=True).filter(team=link.team_id).order_by("pk"))
    return open_invitation(token_sha256, lock=True)
