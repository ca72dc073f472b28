"""The operations of the API: their names, who may use them, and what they show or change.

An operation is declared beside its view (``curation.core.api.operations``) and registered here when the apps start.
Views, services, the permission table, tokens, the docs and the front end read this registry, so an operation is
declared only once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeAlias


class Reach(StrEnum):
    """Which rows an operation covers for a person.

    All rows of the benchmark; rows made by the person or by a member of their team; rows assigned to the person; rows
    the person made; none.
    """

    ALL = "all"
    TEAM = "team"
    ASSIGNED = "assigned"
    OWN = "own"
    NONE = "none"


Reaches: TypeAlias = Mapping[str, Reach]


def reaches(**by_capability: str) -> dict[str, Reach]:
    """The reach of an operation for each capability: ``reaches(review="all", annotate="assigned")``."""
    return {capability: Reach(reach) for capability, reach in by_capability.items()}


class Entry(StrEnum):
    """What opens an operation besides its capabilities.

    A role in the benchmark; signing in, even without a role, for operations on the person's own data; a link, signed
    in or not.
    """

    ROLE = "role"
    SIGNED_IN = "signed_in"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Operation:
    """One kind of request to the API.

    Attributes:
        name: Its id in the OpenAPI document, in tokens, in the audit log and in ``available_actions``.
        reaches: Which rows it covers for each capability.
        entry: What opens it besides capabilities.
        contributes: Whether it adds to the benchmark, which requires consent.
        by_token: Whether a program may use it. Never if it changes permissions, reveals who people are, or states
            something that only a person can state.
        shows: Subjects that a read shows: nouns such as ``package``. ``*`` means all subjects.
        changes: Subjects that a write changes; the page then repeats every read that shows one of them.
    """

    name: str
    reaches: Reaches
    entry: Entry = Entry.ROLE
    contributes: bool = False
    by_token: bool = True
    shows: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()


_declared: dict[str, Operation] = {}
OPERATIONS: Final[Mapping[str, Operation]] = MappingProxyType(_declared)


def declare(operation: Operation) -> Operation:
    """Add an operation to the registry.

    Raises:
        ValueError: Another operation has the name.
    """
    if _declared.setdefault(operation.name, operation) != operation:
        raise ValueError(f"The operation {operation.name} is declared twice.")
    return operation


def stale_after(operation: Operation) -> list[str]:
    """The reads that show a subject that an operation changes, in the order of declaration."""
    if not operation.changes:
        return []
    return [o.name for o in OPERATIONS.values() if o.shows & operation.changes or "*" in o.shows]
