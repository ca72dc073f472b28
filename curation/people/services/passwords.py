"""Single-use links that set a new password; see ``invitations`` for how links are stored and checked."""

from __future__ import annotations

import secrets
from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from curation.core.decisions import Decision
from curation.core.errors import ClientKeyReused
from curation.people import access
from curation.people.errors import InvitationRevoked, InvitationUnknown
from curation.people.models import Invitation, Person, PersonSession
from curation.people.queries import check_may_set_password
from curation.people.rules import BITS, PASSWORD_DAYS, secret_sha256
from curation.people.services.accounts import check_password
from curation.people.services.invitations import mark_used
from curation.people.services.links import creator_may_create, revoke_links


@transaction.atomic
def create_password_link(
    *, actor: Person, benchmark_slug: str, person_id: int, client_key: UUID
) -> tuple[Invitation, str | None]:
    """Create a link by which a member sets a new password; it replaces earlier ones for them.

    Returns:
        The link and its secret; None if the request is a repeat.

    Raises:
        NotFound: No such benchmark for the actor, or the person holds no role in it.
        BeyondYourBenchmarks: The password would open more than the actor administers.
        AdministratorsPassword: The person administers a benchmark, and the actor does not own the site.
        OperationNotAllowed, ClientKeyReused.
    """
    benchmark = access.benchmark_for(actor, benchmark_slug, "password_link")
    person = access.lock_member_of(benchmark, person_id, in_force=True)
    if earlier := Invitation.objects.filter(invited_by=actor, client_key=client_key).first():
        if (earlier.purpose, earlier.person_id) != (Invitation.Purpose.PASSWORD, person.pk):
            raise ClientKeyReused
        return earlier, None
    check_may_set_password(actor, person)
    secret = secrets.token_urlsafe(BITS // 8)
    link = Invitation.objects.create(
        benchmark=benchmark,
        purpose=Invitation.Purpose.PASSWORD,
        token_sha256=secret_sha256(secret),
        person=person,
        invited_by=actor,
        client_key=client_key,
        expires_at=timezone.now() + timedelta(days=PASSWORD_DAYS),
    )
    revoke_links(Q(person=person) & ~Q(pk=link.pk), actor=actor, cause="password_link")
    decision = Decision(
        actor_id=actor.pk, action="password_link", row=person, client_key=client_key, benchmark_id=benchmark.pk
    )
    decision.record(invitation_id=link.pk)
    return link, secret


@transaction.atomic
def set_password(*, actor: Person | AnonymousUser, token: str, password: str) -> Person:
    """Set a new password by a link; every session of the account ends and its API tokens are revoked.

    Args:
        actor: The sender of the request; only the link decides whose password is set.
        token: The link's secret.
        password: The new password.

    Raises:
        InvitationUnknown, InvitationUsed, InvitationRevoked, InvitationExpired, PasswordTooWeak.
    """
    link = access.lock_open_invitation(secret_sha256(token))
    person = link.person
    if link.purpose != Invitation.Purpose.PASSWORD or person is None:
        raise InvitationUnknown
    if not creator_may_create(link):
        raise InvitationRevoked
    check_password(password)
    person.set_password(password)
    person.save(update_fields=["password"])
    PersonSession.objects.filter(person=person).delete()
    # The link is for people who lost their password, or whose password another person knows.
    revoked = person.tokens.filter(revoked_at=None).update(revoked_at=timezone.now())
    mark_used(link, person)
    decision = Decision(
        actor_id=person.pk, action="password_set", row=person, client_key=None, benchmark_id=link.benchmark_id
    )
    decision.record(invitation_id=link.pk, tokens_revoked=revoked)
    return person
