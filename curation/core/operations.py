"""The operations of the API: what each is called, who may use it, and what it shows or changes.

An operation is declared beside its view (``curation.core.api.operations``) and collected here when the apps start.
Views, services, the permission table, tokens, the docs and the front end all read this registry, so that adding an
operation means writing it down once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeAlias


class Reach(StrEnum):
    """How far an operation goes.

    Every row of the benchmark; rows made by somebody in a team of the person's or by themselves; rows assigned to the
    person; rows they made; none.
    """

    ALL = "all"
    TEAM = "team"
    ASSIGNED = "assigned"
    OWN = "own"
    NONE = "none"


Reaches: TypeAlias = Mapping[str, Reach]


def reaches(**by_capability: str) -> dict[str, Reach]:
    """Say how far an operation goes for each capability: ``reaches(review="all", annotate="assigned")``."""
    return {capability: Reach(reach) for capability, reach in by_capability.items()}


class Entry(StrEnum):
    """What opens an operation besides its capabilities.

    A role in the benchmark; signing in, even without any role, because it shows and changes one's own only; bringing a
    link, signed in or not.
    """

    ROLE = "role"
    SIGNED_IN = "signed_in"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that clients can ask of the API.

    Attributes:
        name: Its id in the OpenAPI document, in tokens, in the audit log and in ``available_actions``.
        reaches: How far it goes for each capability.
        entry: What opens it besides capabilities.
        contributes: Whether it adds to the benchmark, so that the consent text has to be agreed to first.
        by_token: Whether a program may use it. Never where it decides who may do what, tells who somebody is, or is
            something that only a person can say.
        shows: Subjects that a read shows: nouns such as ``package``. ``*`` stands for all of them.
        changes: Subjects that a write changes; the page then asks again for every read that shows one of them.
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
        ValueError: The name is taken by another declaration.
    """
    if _declared.setdefault(operation.name, operation) != operation:
        raise ValueError(f"The operation {operation.name} is declared twice.")
    return operation


def stale_after(operation: Operation) -> list[str]:
    """The reads that show something an operation changes, in the order of their declaration."""
    if not operation.changes:
        return []
    return [o.name for o in OPERATIONS.values() if o.shows & operation.changes or "*" in o.shows]
