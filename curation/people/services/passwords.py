"""New passwords: by the person, or by a single-use link (``invitations`` says how links are stored and checked)."""

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
from curation.people.errors import InvitationRevoked, InvitationUnknown, PasswordWrong
from curation.people.models import Invitation, Person, PersonSession
from curation.people.queries import check_may_set_password
from curation.people.rules import BITS, PASSWORD_DAYS, secret_sha256
from curation.people.services.accounts import check_password
from curation.people.services.invitations import mark_used
from curation.people.services.links import creator_may_create, revoke_links


@transaction.atomic
def change_password(
    *, actor: Person, current_password: str, new_password: str, revoke_tokens: bool, session_key: str | None
) -> tuple[Person, int]:
    """Change the actor's own password; their other sessions end.

    Args:
        actor: The person.
        current_password: It shows that the person is at the keyboard, and not only their browser.
        new_password: The password from now on.
        revoke_tokens: Whether to revoke the person's API tokens, too.
        session_key: The session that stays; the caller renews it.

    Returns:
        The account, and how many tokens were revoked.

    Raises:
        PasswordWrong, PasswordTooWeak.
    """
    person = access.lock_person(actor.pk)
    if not person.check_password(current_password):
        raise PasswordWrong
    revoked = _replace_password(person, new_password, revoke_tokens=revoke_tokens, session_key=session_key)
    Decision(actor_id=person.pk, action="password_change", row=person, client_key=None).record(tokens_revoked=revoked)
    return person, revoked


def _replace_password(person: Person, password: str, *, revoke_tokens: bool, session_key: str | None = None) -> int:
    """Store a new password and end the sessions other than ``session_key``; return how many tokens were revoked."""
    check_password(password)
    person.set_password(password)
    person.save(update_fields=["password"])
    PersonSession.objects.filter(person=person).exclude(session_key=session_key).delete()
    return person.tokens.filter(revoked_at=None).update(revoked_at=timezone.now()) if revoke_tokens else 0


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
    # The link is for people who lost their password, or whose password another person knows.
    revoked = _replace_password(person, password, revoke_tokens=True)
    mark_used(link, person)
    decision = Decision(
        actor_id=person.pk, action="password_set", row=person, client_key=None, benchmark_id=link.benchmark_id
    )
    decision.record(invitation_id=link.pk, tokens_revoked=revoked)
    return person
