"""Keys for programs: one benchmark, some operations, until a day, unless revoked."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from curation.benchmarks.models import Benchmark
from curation.core import audit
from curation.core.errors import ClientKeyReused
from curation.core.operations import OPERATIONS, Entry
from curation.people import access
from curation.people.errors import TokenOperationsRefused
from curation.people.models import ApiToken, Person


@transaction.atomic
def create_token(
    *, actor: Person, name: str, benchmark_slug: str, operations: Sequence[str], days: int, client_key: UUID
) -> tuple[ApiToken, str | None]:
    """Make a key; it never does more than its person may do at that moment.

    Returns:
        The token's row and what programs send, ``prefix.secret``; None for one that this request made earlier.

    Raises:
        NotFound: No such benchmark, or the actor takes no part in it.
        TokenOperationsRefused: Operations that tokens never hold, or that are not open to the actor there.
        ClientKeyReused: The key was used for another token.
    """
    benchmark = access.benchmark_known_to(actor, benchmark_slug)
    wanted = sorted(set(operations))
    Person.objects.select_for_update(no_key=True).get(pk=actor.pk)
    if earlier := ApiToken.objects.filter(person=actor, client_key=client_key).first():
        if (earlier.benchmark_id, earlier.name, earlier.operations) != (benchmark.pk, name, wanted):
            raise ClientKeyReused
        return earlier, None
    refused = [name for name in wanted if not _open_to_tokens(actor, benchmark, name)]
    if refused:
        raise TokenOperationsRefused(operations=refused)
    prefix, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        person=actor,
        benchmark=benchmark,
        name=name,
        prefix=prefix,
        secret_sha256=hashlib.sha256(secret.encode()).hexdigest(),
        operations=wanted,
        client_key=client_key,
        expires_at=timezone.now() + timedelta(days=days),
    )
    audit.record(
        action="token_create",
        target_type="token",
        target_id=token.pk,
        label=prefix,
        actor_id=actor.pk,
        benchmark_id=benchmark.pk,
        state_to="open",
        data={"operations": wanted, "days": days},
        client_key=client_key,
    )
    return token, f"{prefix}.{secret}"


def _open_to_tokens(actor: Person, benchmark: Benchmark, name: str) -> bool:
    operation = OPERATIONS.get(name)
    if operation is None or not operation.by_token:
        return False
    return operation.entry is Entry.SIGNED_IN or actor.may(benchmark.pk, name)


@transaction.atomic
def revoke_token(*, actor: Person, token_id: int, client_key: UUID) -> ApiToken:
    """Make a key worthless from the next request on.

    Raises:
        NotFound: There is none, or it is somebody else's.
        ClientKeyReused.
    """
    token = access.lock_token_of(actor, token_id)
    done = audit.already_done(actor_id=actor.pk, client_key=client_key, action="token_revoke", target_id=token.pk)
    if done is None and token.revoked_at is None:
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])
        audit.record(
            action="token_revoke",
            target_type="token",
            target_id=token.pk,
            label=token.prefix,
            actor_id=actor.pk,
            benchmark_id=token.benchmark_id,
            state_from="open",
            state_to="revoked",
            client_key=client_key,
        )
    return token
