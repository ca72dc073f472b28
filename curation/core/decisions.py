"""One decision of a person about a locked row: replay of its client key, check of the revision, entry in the audit log.

A service locks the row (``access.lock_…``), makes a :class:`Decision`, returns the row as it is when the decision
is a repeat, and otherwise changes it and records the decision. Two tries with one key at the same moment come one
after the other because of the lock.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Model

from curation.core import audit
from curation.core.errors import ClientKeyReused, StaleRow
from curation.core.models import AuditEvent


class Decision:
    """A decision about a row, under the client key that makes a repeat harmless.

    Args:
        actor_id: Who decides; None for the application itself.
        action: The operation's name.
        row: The locked row; its model names the audit log's ``target_type``, its ``label`` and ``benchmark_id``, where
            it has them, the entry's. None where the decision creates the row or finds it later: set ``row`` before
            :meth:`record`. Such a service locks something that repeats of the command lock as well.
        client_key: The request's key; None where nobody can repeat the decision.
        label: Instead of the row's.
        benchmark_id: Instead of the row's.
    """

    def __init__(
        self,
        *,
        actor_id: int | None,
        action: str,
        row: Model | None = None,
        client_key: UUID | None,
        label: str | None = None,
        benchmark_id: int | None = None,
    ) -> None:
        self.actor_id = actor_id
        self.action = action
        self.row = row
        self.client_key = client_key
        self.label = label
        self.benchmark_id = benchmark_id
        self._state_before = getattr(row, "state", "")

    def earlier(self, **same: Any) -> AuditEvent | None:
        """Return the entry of an earlier try with this key, or None.

        Args:
            same: What the first try must have recorded for this to be the same command.

        Raises:
            ClientKeyReused: The key belongs to another decision, or ``same`` or the given benchmark differs.
        """
        if self.actor_id is None or self.client_key is None:
            return None
        target_id = None if self.row is None else self.row.pk
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
        """Whether an earlier try with this key made the decision already.

        Args:
            revision: The row's revision that the client read; checked for a first try only, because the first try
                itself moved the row on.
            same: What the first try must have recorded for this to be the same command.

        Raises:
            ClientKeyReused: The key belongs to another decision, or ``same`` differs.
            StaleRow: The row moved on since the client read it.
        """
        if self.earlier(**same) is not None:
            return True
        current = getattr(self.row, "revision", None)
        if revision is not None and current != revision:
            raise StaleRow(revision=current, named=revision)
        return False

    def record(self, **data: Any) -> AuditEvent:
        """Write the decision down, with the states before and after where it moved the row.

        Args:
            data: Ids, numbers and codes that explain it. No names, no text that people wrote.

        Raises:
            ClientKeyReused: Another command of the actor came with the key at this very moment.
        """
        row = self.row
        if row is None:
            raise ValueError("a decision is recorded about a row")
        state = getattr(row, "state", "")
        moved = state != self._state_before
        return audit.record(
            action=self.action,
            target_type=row._meta.model_name or "",
            target_id=row.pk,
            label=getattr(row, "label", "") if self.label is None else self.label,
            actor_id=self.actor_id,
            benchmark_id=getattr(row, "benchmark_id", None) if self.benchmark_id is None else self.benchmark_id,
            state_from=self._state_before if moved else "",
            state_to=state if moved else "",
            data=data,
            client_key=self.client_key,
        )
