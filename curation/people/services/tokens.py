"""Creating and revoking API tokens."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.core.decisions import Decision
from curation.core.errors import ClientKeyReused
from curation.core.operations import OPERATIONS, Entry
from curation.people import access
from curation.people.errors import TokenOperationsRefused
from curation.people.models import ApiToken, Person
from curation.people.rules import secret_sha256


@transaction.atomic
def create_token(
    *, actor: Person, name: str, benchmark_slug: str, operations: Sequence[str], days: int, client_key: UUID
) -> tuple[ApiToken, str | None]:
    """Create a token; it never allows more than its person may do at that moment.

    Returns:
        The token's row and the text that programs send, ``prefix.secret``; None if the request is a repeat.

    Raises:
        NotFound: No such benchmark, or the actor takes no part in it.
        TokenOperationsRefused: Operations that no token allows, or that are not open to the actor there.
        ClientKeyReused: The key was used for another token.
    """
    benchmark = access.benchmark_known_to(actor, benchmark_slug)
    allowed = sorted(set(operations))
    access.lock_person(actor.pk)
    if earlier := ApiToken.objects.filter(person=actor, client_key=client_key).first():
        if (earlier.benchmark_id, earlier.name, earlier.operations) != (benchmark.pk, name, allowed):
            raise ClientKeyReused
        return earlier, None
    refused = [operation for operation in allowed if not _open_to_tokens(actor, benchmark, operation)]
    if refused:
        raise TokenOperationsRefused(operations=refused)
    prefix, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        person=actor,
        benchmark=benchmark,
        name=name,
        prefix=prefix,
        secret_sha256=secret_sha256(secret),
        operations=allowed,
        client_key=client_key,
        expires_at=timezone.now() + timedelta(days=days),
    )
    _decision(actor, "token_create", token, client_key).record_transition("", "open", operations=allowed, days=days)
    return token, f"{prefix}.{secret}"


def _open_to_tokens(actor: Person, benchmark: Benchmark, name: str) -> bool:
    operation = OPERATIONS.get(name)
    if operation is None or not operation.by_token:
        return False
    return operation.entry is Entry.SIGNED_IN or actor.may(benchmark.pk, name)


def _decision(actor: Person, action: str, token: ApiToken, client_key: UUID) -> Decision:
    return Decision(
        actor_id=actor.pk, action=action, row=token, client_key=client_key, label=token.prefix, target_type="token"
    )


@transaction.atomic
def revoke_token(*, actor: Person, token_id: int, client_key: UUID) -> ApiToken:
    """Revoke a token; it is refused from the next request on.

    Raises:
        NotFound: There is none, or it is another person's.
        ClientKeyReused.
    """
    token = access.lock_token_of(actor, token_id)
    decision = _decision(actor, "token_revoke", token, client_key)
    if not decision.is_repeat() and token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        decision.record_transition("open", "revoked")
    return token
