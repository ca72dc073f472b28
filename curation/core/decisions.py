"""A person's decision about a locked row: replay of its client key, check of the revision, entry in the audit log.

A service locks the row (``access.lock_…``), makes a :class:`Decision`, returns the row as it is when the decision
is a repeat, and otherwise changes it and records the decision. Two requests with one key at the same moment run one
after the other because of the lock.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any
from uuid import UUID

from django.db.models import Model

from curation.core import audit
from curation.core.errors import ClientKeyReused, StaleRow
from curation.core.models import AuditEvent


def digest_of(*values: Any) -> str:
    """A digest of a request's values, by which a repeat is compared; the audit log holds it instead of their text."""
    text = json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Decision:
    """A decision about a row, with the client key by which a repeat is recognised.

    Args:
        actor_id: The person who decides; None for the application itself.
        action: The operation's name.
        row: The locked row. The audit entry gets its model's name as ``target_type``, and its ``label`` and
            ``benchmark_id`` if it has them. None if the decision creates the row or finds it later: set ``row`` before
            :meth:`record`. Such a service locks something else that repeats of the command lock as well.
        target_id: The id that the command names, where the row may not be found: a repeat then has to name the same.
        client_key: The request's key; None if the decision cannot be repeated.
        label: Instead of the row's.
        benchmark_id: Instead of the row's.
        target_type: Instead of the model's name.
    """

    def __init__(
        self,
        *,
        actor_id: int | None,
        action: str,
        row: Model | None = None,
        target_id: int | None = None,
        client_key: UUID | None,
        label: str | None = None,
        benchmark_id: int | None = None,
        target_type: str | None = None,
    ) -> None:
        self.actor_id = actor_id
        self.action = action
        self.row = row
        self.target_id = target_id
        self.client_key = client_key
        self.label = label
        self.benchmark_id = benchmark_id
        self.target_type = target_type
        self._state_before = getattr(row, "state", "")

    def earlier(self, **same: Any) -> AuditEvent | None:
        """The entry of an earlier request with this key, or None.

        Args:
            same: Data that the first request must have recorded, otherwise this is another command.

        Raises:
            ClientKeyReused: The key belongs to another decision, or ``same`` or the benchmark differs.
        """
        if self.actor_id is None or self.client_key is None:
            return None
        target_id = self.target_id if self.row is None else self.row.pk
        event = audit.already_done(
            actor_id=self.actor_id, client_key=self.client_key, action=self.action, target_id=target_id
        )
        if event is None:
            return None
        elsewhere = self.benchmark_id is not None and event.benchmark_id != self.benchmark_id
        if elsewhere or any(event.data.get(name) != value for name, value in same.items()):
            raise ClientKeyReused
        return event

    def is_repeat(self, *, revision: int | None = None, **same: Any) -> bool:
        """Whether an earlier request with this key made the decision already.

        Args:
            revision: The row's revision that the client read; not checked for a repeat, because the first request
                changed it.
            same: Data that the first request must have recorded, otherwise this is another command.

        Raises:
            ClientKeyReused: The key belongs to another decision, or ``same`` differs.
            StaleRow: The row changed since the client read it.
        """
        if self.earlier(**same) is not None:
            return True
        current = getattr(self.row, "revision", None)
        if revision is not None and current != revision:
            raise StaleRow(revision=current, named=revision)
        return False

    def record(self, **data: Any) -> AuditEvent:
        """Write the audit entry, with the states before and after if the decision changed the row's state.

        Args:
            data: Ids, numbers and codes that explain it. No names, no text that people wrote.

        Raises:
            ClientKeyReused: Another command of the actor with the same key was recorded at the same moment.
        """
        state = getattr(self.row, "state", "")
        if state == self._state_before:
            return self.record_transition("", "", **data)
        return self.record_transition(self._state_before, state, **data)

    def record_transition(self, state_from: str, state_to: str, **data: Any) -> AuditEvent:
        """As :meth:`record`, for a row without a field ``state`` or one that was set later; empty: no such state."""
        row = self.row
        if row is None:
            raise ValueError("a decision is recorded about a row")
        return audit.record(
            action=self.action,
            target_type=self.target_type or row._meta.model_name or "",
            target_id=row.pk,
            label=getattr(row, "label", "") if self.label is None else self.label,
            actor_id=self.actor_id,
            benchmark_id=getattr(row, "benchmark_id", None) if self.benchmark_id is None else self.benchmark_id,
            state_from=state_from,
            state_to=state_to,
            data=data,
            client_key=self.client_key,
        )
