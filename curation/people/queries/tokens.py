"""Reads of API tokens."""

from __future__ import annotations

from curation.people.models import ApiToken, Person
from curation.people.shapes import CreatedToken, TokenRow


def token_rows(person: Person) -> list[TokenRow]:
    """List the signed-in person's API tokens, newest first."""
    rows = ApiToken.objects.filter(person=person).select_related("benchmark").order_by("-pk")
    return [token_row(person, token) for token in rows[:200]]


def token_row(person: Person, token: ApiToken) -> TokenRow:
    """A token of ``person``, without its secret, which is not stored."""
    return {
        "id": token.pk,
        "name": token.name,
        "prefix": token.prefix,
        "benchmark": token.benchmark.slug,
        "operations": token.operations,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "revoked_at": token.revoked_at,
        "last_used_at": token.last_used_at,
    }


def created_token(person: Person, created: tuple[ApiToken, str | None]) -> CreatedToken:
    """A new token with the text that programs send."""
    token, text = created
    return {**token_row(person, token), "token": text}
