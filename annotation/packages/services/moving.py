"""What every move of a package shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils import timezone

from annotation.packages import states
from annotation.packages.models import Package
from curation.core import audit
from curation.core.errors import StaleRow
from curation.core.transitions import advance
from curation.people.models import Person


def check_revision(package: Package, named: int) -> None:
    """Refuse a write based on an older state of a locked package.

    Raises:
        StaleRow.
    """
    if package.revision != named:
        raise StaleRow(revision=package.revision, named=named)


def move_package(
    package: Package,
    action: str,
    *,
    actor: Person | None,
    client_key: UUID | None,
    extra: Sequence[str] = (),
    data: Mapping[str, Any] | None = None,
) -> None:
    """Move a locked package along its table and write the audit event; no actor: the application itself.

    Raises:
        ActionNotAllowed.
    """
    left = advance(package, action, table=states.TABLE)
    package.revision += 1
    package.state_changed_at = timezone.now()
    package.save(update_fields=["state", "revision", "state_changed_at", *extra])
    audit.record(
        action=states.TABLE[action].operation,
        target_type="package",
        target_id=package.pk,
        label=package.label,
        actor_id=actor.pk if actor else None,
        benchmark_id=package.benchmark_id,
        state_from=left,
        state_to=package.state,
        data={"round": package.round, **(data or {})},
        client_key=client_key,
    )
