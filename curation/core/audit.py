"""The audit log: one row for each decision, in the transaction that made it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from psycopg.types.json import Jsonb

from curation.core.errors import ClientKeyReused
from curation.core.models import AuditEvent
from curation.lib.statements import prepared_cursor


def record(
    *,
    action: str,
    target_type: str,
    target_id: int,
    actor_id: int | None,
    benchmark_id: int | None,
    label: str = "",
    state_from: str = "",
    state_to: str = "",
    data: dict[str, Any] | None = None,
    client_key: UUID | None = None,
) -> AuditEvent:
    """Write down a decision. Call it inside the transaction that carries the decision out.

    Args:
        action: The operation's name in the permission table.
        target_type: Lower-case name of the object's kind: ``image``, ``item``, ``package`` …
        target_id: Its row.
        label: The object's name as pages show it, ``img-0042``; empty for people.
        actor_id: Who; None for the application itself.
        benchmark_id: Where; None for the whole site.
        state_from: State before, where the object has states.
        state_to: State after.
        data: Ids, numbers and codes that explain it. No names, no text that people wrote.
        client_key: The request's key; a second event of the same actor with it is refused by the database.

    Raises:
        ClientKeyReused: Another command of the actor came with the key at this very moment.
    """
    made = event(
        action=action,
        target_type=target_type,
        target_id=target_id,
        label=label,
        actor_id=actor_id,
        benchmark_id=benchmark_id,
        state_from=state_from,
        state_to=state_to,
        data=data,
        client_key=client_key,
    )
    with _keys_once(), prepared_cursor() as cursor:
        cursor.execute(_RECORD, [_sent(made, name) for name in _COLUMNS])
        ((made.pk, made.at),) = cursor.fetchall()
    return made


# Written out, because it comes with every decision that anybody makes.
_COLUMNS = (
    *("benchmark_id", "actor_id", "action", "target_type", "target_id", "label"),
    *("state_from", "state_to", "data", "client_key"),
)
_RECORD = f"""
    insert into {AuditEvent._meta.db_table} ({", ".join(_COLUMNS)})
    values ({", ".join(["%s"] * len(_COLUMNS))}) returning id, at
"""  # noqa: S608  (names of this module)


def _sent(made: AuditEvent, name: str) -> Any:
    return Jsonb(made.data) if name == "data" else getattr(made, name)


def event(
    *,
    action: str,
    target_type: str,
    target_id: int,
    actor_id: int | None,
    benchmark_id: int | None,
    label: str = "",
    state_from: str = "",
    state_to: str = "",
    data: dict[str, Any] | None = None,
    client_key: UUID | None = None,
) -> AuditEvent:
    """Make one of many decisions for :func:`record_all`; the arguments are those of :func:`record`."""
    return AuditEvent(
        action=action,
        target_type=target_type,
        target_id=target_id,
        label=label,
        actor_id=actor_id,
        benchmark_id=benchmark_id,
        state_from=state_from,
        state_to=state_to,
        data=data or {},
        client_key=client_key,
    )


def record_all(events: Sequence[AuditEvent]) -> None:
    """Write many decisions down in one statement.

    Raises:
        ClientKeyReused: As for :func:`record`.
    """
    with _keys_once():
        AuditEvent.objects.bulk_create(events)


@contextmanager
def _keys_once() -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        if "audit_event_once" not in str(error):
            raise
        # Another command took the key since the caller asked; this one's transaction is over and leaves nothing.
        raise ClientKeyReused from error


def done_before(*, actor_id: int, client_keys: Iterable[UUID]) -> dict[UUID | None, AuditEvent]:
    """Find what earlier tries with some keys did, by key."""
    return {e.client_key: e for e in AuditEvent.objects.filter(actor_id=actor_id, client_key__in=list(client_keys))}


def already_done(*, actor_id: int, client_key: UUID, action: str, target_id: int | None = None) -> AuditEvent | None:
    """Find what an earlier try with the same key did, or None.

    Call it after taking the row's lock: two tries at the same moment then come one after the other.

    Raises:
        ClientKeyReused: The key belongs to another action or another object.
    """
    event = AuditEvent.objects.filter(actor_id=actor_id, client_key=client_key).first()
    if event is None:
        return None
    if event.action != action or (target_id is not None and event.target_id != target_id):
        raise ClientKeyReused
    return event
