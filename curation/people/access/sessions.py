"""The session or token of a request, with its person and their roles."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.db.models import CharField, DateTimeField
from django.utils import timezone

from curation.lib.statements import Param, Prepared
from curation.people.models import ApiToken, Person, PersonSession, grants_in_force
from curation.people.rules import Grant, narrowed

_SESSION = Prepared(
    lambda: (
        PersonSession.objects.filter(
            session_key=Param("key", CharField()), expire_date__gt=Param("now", DateTimeField())
        )
        .select_related("person")
        .annotate(held=grants_in_force("curation_personsession.person_id"))
    )
)


def load_session(key: str | None) -> PersonSession | None:
    """Load a session that has not expired, with its person and their grants, in one statement."""
    if not key:
        return None
    row = _SESSION.row(key=key, now=timezone.now())
    if row is not None and row.person is not None:
        row.person.grants = tuple(Grant.from_row(held) for held in row.held)
    return row


def sessions_in_force(keys: Collection[str]) -> dict[str, str]:
    """Of these sessions those that have not ended and whose account is open, with the hash of the password; one query.

    A session whose hash differs from the one it began with has ended, too: the password has changed.
    """
    rows = (
        PersonSession.objects.filter(session_key__in=keys, expire_date__gt=timezone.now(), person__is_active=True)
        .select_related("person")
        .only("session_key", "person__password")
    )
    return {row.session_key: row.person.get_session_auth_hash() for row in rows if row.person is not None}


def load_token(prefix: str) -> ApiToken | None:
    """Load a token in force with its person and their grants in one statement."""
    row = (
        ApiToken.objects.filter(prefix=prefix, revoked_at=None, expires_at__gt=timezone.now())
        .select_related("person", "benchmark")
        .annotate(held=grants_in_force("curation_apitoken.person_id"))
        .first()
    )
    if row is not None:
        held = (Grant.from_row(grant) for grant in row.held)
        row.person.grants = narrowed(
            held, benchmark_id=row.benchmark_id, slug=row.benchmark.slug, operations=row.operations
        )
    return row


def record_use(token: ApiToken) -> None:
    """Update the time of a token's last use, at most once a minute."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > timedelta(minutes=1):
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def person_signed_in(person_id: int) -> Person | None:
    """The account of a session that was created in this request."""
    return Person.objects.filter(pk=person_id).first()
