"""Life cycles as tables: guards, buttons, drawings and tests all read the same rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from curation.core.errors import ActionNotAllowed


@dataclass(frozen=True, slots=True)
class Transition:
    """One legal move.

    Attributes:
        sources: States it may start from.
        target: State it ends in.
        operation: Key of the permission table that a person needs; several moves may share one.
    """

    sources: frozenset[str]
    target: str
    operation: str


Table: TypeAlias = Mapping[str, Transition]


class HasState(Protocol):
    """A locked row with a state."""

    state: str


def move(sources: str, target: str, operation: str) -> Transition:
    """Write a table's row shortly: ``sources`` are separated by blanks."""
    return Transition(frozenset(sources.split()), target, operation)


def available_actions(table: Table, state: str, may: Callable[[str], bool]) -> list[str]:
    """List the operations somebody may do from ``state``, in table order, each once."""
    return list(dict.fromkeys(t.operation for t in table.values() if state in t.sources and may(t.operation)))


def advance(row: HasState, action: str, *, table: Table) -> str:
    """Move a locked row along ``table`` and return the state it left; the caller saves it.

    The caller holds the row's lock (``access.lock_…``), so two people who press together cannot both succeed.

    Raises:
        ActionNotAllowed: The state has no such move.
    """
    transition = table[action]
    if row.state not in transition.sources:
        raise ActionNotAllowed(action=action, state=row.state)
    left, row.state = row.state, transition.target
    return left


def states_of(table: Table) -> list[str]:
    """Every state named in a table, sources before targets."""
    return list(dict.fromkeys(s for t in table.values() for s in (*sorted(t.sources), t.target)))


def draw(title: str, table: Table) -> str:
    """Draw a table as a Mermaid state diagram for the docs."""
    lines = [f"## {title}", "", "```mermaid", "stateDiagram-v2"]
    lines += [f"    {s} --> {t.target}: {name}" for name, t in table.items() for s in sorted(t.sources)]
    return "\n".join([*lines, "```", ""])
