"""Moving a package from one state to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from annotation.packages import states
from annotation.packages.models import Package
from curation.core.decisions import Decision
from curation.core.transitions import advance


def move_package(package: Package, action: str, decision: Decision, *, extra: Sequence[str] = (), **data: Any) -> None:
    """Move a locked package along its table and record the decision.

    Args:
        package: The decision's row.
        action: The name of the move in the table.
        decision: Created before the package moved.
        extra: Other fields to save.
        data: Data for the audit log in addition to the round.

    Raises:
        ActionNotAllowed.
    """
    advance(package, action, table=states.TABLE)
    package.revision += 1
    package.state_changed_at = timezone.now()
    package.save(update_fields=["state", "revision", "state_changed_at", *extra])
    decision.record(round=package.round, **data)
