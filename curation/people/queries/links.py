"""Reads of invitations and password links."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import OUTSIDER
from curation.core.pages import cut_page
from curation.people import access
from curation.people.errors import AdministratorsPassword, BeyondYourBenchmarks
from curation.people.models import Invitation, Person
from curation.people.rules import OUTSIDER_NAME, secret_sha256
from curation.people.shapes import (
    CreatedInvitation,
    InvitationPage,
    InvitationRow,
    JoinAnswer,
    LinkAnswer,
    PasswordAnswer,
    PasswordLinkAnswer,
    person_brief,
    team_brief,
)


def check_may_set_password(actor: Person, person: Person) -> None:
    """Refuse a link for an account that does more than the actor administers, or that administers like the actor.

    Who has the link can sign in as the person: an administrator could agree with themselves to what takes two.

    Raises:
        BeyondYourBenchmarks, AdministratorsPassword.
    """
    benchmarks = {grant.benchmark_id for grant in person.grants}
    if not all(benchmark is not None and actor.may(benchmark, "password_link") for benchmark in benchmarks):
        raise BeyondYourBenchmarks
    if not actor.owns_site and any(person.may(benchmark, "protocol_adopt") for benchmark in benchmarks):
        raise AdministratorsPassword


def may_set_password(actor: Person, person: Person, benchmark: Benchmark) -> bool:
    """Whether the actor may create a link in the benchmark by which the person sets a new password."""
    try:
        check_may_set_password(actor, person)
    except (BeyondYourBenchmarks, AdministratorsPassword):
        return False
    return person.is_active and person.knows(benchmark.pk) and actor.may(benchmark.pk, "password_link")


def invitation_page(
    person: Person, benchmark_slug: str, *, page_size: int, cursor: str | None = None
) -> InvitationPage:
    """List a benchmark's links to join, newest first.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, benchmark_slug, "invitation_list")
    rows = access.invitations_visible_to(person, benchmark, "invitation_list")
    rows = rows.select_related("team", "invited_by", "used_by")
    invitations, facts = cut_page(rows, by="-id", cursor=cursor, page_size=page_size)
    return {**facts, "results": [invitation_row(person, invitation) for invitation in invitations]}


def invitation_row(person: Person, invitation: Invitation) -> InvitationRow:
    """A link to join as ``person`` sees it in the list, without its secret, which is not stored."""
    return {
        "id": invitation.pk,
        "note": invitation.note,
        "roles": invitation.roles,
        "team": team_brief(invitation.team) if invitation.team else None,
        "lead": invitation.lead,
        "invited_by": person_brief(invitation.invited_by),
        "created_at": invitation.created_at,
        "expires_at": invitation.expires_at,
        "state": invitation.state,
        "used_by": person_brief(invitation.used_by) if invitation.used_by else None,
    }


def created_invitation(person: Person, created: tuple[Invitation, str | None]) -> CreatedInvitation:
    """A new link with its secret."""
    invitation, secret = created
    return {**invitation_row(person, invitation), "token": secret, "replayed": secret is None}


def link_answer(*, actor: Person | AnonymousUser, token: str) -> LinkAnswer:
    """Show what a link is for; its secret comes in the body, so that no log keeps it.

    Args:
        actor: The reader, signed in or not; the answer is the same.
        token: The secret.

    Raises:
        InvitationUnknown, InvitationUsed, InvitationRevoked, InvitationExpired.
    """
    link = access.open_invitation(secret_sha256(token))
    content = link.benchmark.protocol.content if link.benchmark.protocol else {}
    names = {OUTSIDER: OUTSIDER_NAME} | {role["code"]: role["name"] for role in content.get("roles", [])}
    return {
        "purpose": link.purpose,
        "benchmark": {"slug": link.benchmark.slug, "title": link.benchmark.title},
        "roles": [{"code": code, "name": names[code]} for code in link.roles if code in names],
        "team": team_brief(link.team) if link.team else None,
        "invited_by": person_brief(link.invited_by),
        "expires_at": link.expires_at,
        "username": link.person.username if link.person else None,
    }


def join_answer(actor: Person | AnonymousUser, joined: tuple[Invitation, Person]) -> JoinAnswer:
    """The benchmark that a person joined, and their account."""
    invitation, person = joined
    outside = not person.knows(invitation.benchmark_id)
    return {"slug": invitation.benchmark.slug, "username": person.username, "is_outsider": outside}


def password_link_answer(person: Person, created: tuple[Invitation, str | None]) -> PasswordLinkAnswer:
    """A new password link with its secret."""
    link, secret = created
    return {"token": secret, "expires_at": link.expires_at}


def password_answer(actor: Person | AnonymousUser, person: Person) -> PasswordAnswer:
    """The account whose password was set."""
    return {"username": person.username}
