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
    """Write the entry of a decision. Call it in the decision's transaction.

    Args:
        action: The operation's name in the permission table.
        target_type: Lower-case name of the target's model: ``image``, ``item``, ``package`` …
        target_id: Its id.
        label: Its name as pages show it, ``img-0042``; empty for people.
        actor_id: The person who decided; None for the application itself.
        benchmark_id: The benchmark; None for the whole site.
        state_from: State before, if the target has states.
        state_to: State after.
        data: Ids, numbers and codes that explain it. No names, no text that people wrote.
        client_key: The request's key; the database refuses another entry of the same actor with it.

    Raises:
        ClientKeyReused: Another command of the actor with the same key was recorded at the same moment.
    """
    entry = event(
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
        cursor.execute(_RECORD, [_value(entry, name) for name in _COLUMNS])
        ((entry.pk, entry.at),) = cursor.fetchall()
    return entry


# SQL, because it runs with every decision.
_COLUMNS = (
    *("benchmark_id", "actor_id", "action", "target_type", "target_id", "label"),
    *("state_from", "state_to", "data", "client_key"),
)
_RECORD = f"""
    insert into {AuditEvent._meta.db_table} ({", ".join(_COLUMNS)})
    values ({", ".join(["%s"] * len(_COLUMNS))}) returning id, at
"""  # noqa: S608  (names of this module)


def _value(entry: AuditEvent, column: str) -> Any:
    return Jsonb(entry.data) if column == "data" else getattr(entry, column)


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
    """Make one of many entries for :func:`record_all`, with the arguments of :func:`record`."""
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
    """Write many entries in one statement.

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
        # Another command recorded the key since the caller checked it; this transaction is rolled back.
        raise ClientKeyReused from error


def done_before(*, actor_id: int, client_keys: Iterable[UUID]) -> dict[UUID | None, AuditEvent]:
    """The entries of earlier requests with some keys, by key."""
    return {e.client_key: e for e in AuditEvent.objects.filter(actor_id=actor_id, client_key__in=list(client_keys))}


def already_done(*, actor_id: int, client_key: UUID, action: str, target_id: int | None = None) -> AuditEvent | None:
    """The entry of an earlier request with the same key, or None.

    Call it after locking the row: two requests at the same moment then run one after the other.

    Raises:
        ClientKeyReused: The key belongs to another action or another target.
    """
    event = AuditEvent.objects.filter(actor_id=actor_id, client_key=client_key).first()
    if event is None:
        return None
    if event.action != action or (target_id is not None and event.target_id != target_id):
        raise ClientKeyReused
    return event
