"""What the audit log leaves out for a reader. Rooms register their rules when the apps start."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

# Called with the reader and the entries of its actions; returns the data to show instead, by entry's id.
AuditData: TypeAlias = Callable[..., Mapping[int, dict[str, Any]]]
_registered: dict[str, AuditData] = {}
AUDIT_DATA: Final[Mapping[str, AuditData]] = MappingProxyType(_registered)


def register_audit_data(actions: Iterable[str], data: AuditData) -> None:
    """Let a function decide what entries of some actions show.

    Raises:
        ValueError: Another function decides about an action.
    """
    for action in actions:
        if _registered.setdefault(action, data) != data:
            raise ValueError(f"The entries of {action} have two rules.")
