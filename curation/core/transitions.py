"""Life cycles as tables: guards, access checks, offered actions, drawings and tests all read the same rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from curation.core.errors import ActionNotAllowed

# The relation of a move that only the application makes. No person has it, so the move is offered to no one.
SYSTEM: Final = "system"


@dataclass(frozen=True, slots=True)
class Transition:
    """One legal move, or work that leaves the state as it is.

    Attributes:
        sources: States it may start from.
        target: State it ends in; None: the state stays.
        operation: The operation that the person needs; several moves may share one.
        by: The relations to the row that a person needs besides, all of them; the first missing one determines the
            error. Empty: the operation is enough. Each room defines its own relations.
    """

    sources: frozenset[str]
    target: str | None
    operation: str
    by: tuple[str, ...] = ()


Table: TypeAlias = Mapping[str, Transition]


class HasState(Protocol):
    """A locked row with a state."""

    state: str


def move(sources: str, target: str, operation: str, *by: str) -> Transition:
    """Shorthand for a row that changes the state: ``sources`` are separated by spaces."""
    return Transition(frozenset(sources.split()), target, operation, by)


def stay(sources: str, operation: str, *by: str) -> Transition:
    """Shorthand for a row that leaves the state as it is: ``sources`` are separated by spaces."""
    return Transition(frozenset(sources.split()), None, operation, by)


def available_actions(
    table: Table, state: str, *, may: Callable[[str], bool], relations: Collection[str] = ()
) -> list[str]:
    """List the operations that are open to a person in ``state``, in table order, each once.

    Args:
        table: The life cycle.
        state: The row's state.
        may: Whether the person's roles open an operation.
        relations: The person's relations to the row.
    """
    open_now = (t for t in table.values() if state in t.sources and set(t.by) <= set(relations))
    return [operation for operation in dict.fromkeys(t.operation for t in open_now) if may(operation)]


def relations_for(table: Table, operation: str, state: str) -> tuple[str, ...]:
    """The relations that ``operation`` requires in ``state``, or in any state if it has no row for that one.

    In the second case the error does not depend on the state, so people without the relation learn nothing about it.
    """
    rows = [t for t in table.values() if t.operation == operation and t.by[:1] != (SYSTEM,)]
    return next((t for t in rows if state in t.sources), rows[0]).by


def check_state(table: Table, operation: str, state: str) -> None:
    """Refuse an operation that is open to no one in ``state``.

    Raises:
        ActionNotAllowed.
    """
    rows = (t for t in table.values() if t.operation == operation and SYSTEM not in t.by)
    if not any(state in t.sources for t in rows):
        raise ActionNotAllowed(action=operation, state=state)


def sources_of(table: Table, operation: str) -> frozenset[str]:
    """Every state in which ``operation`` has a row."""
    return frozenset[str]().union(*(t.sources for t in table.values() if t.operation == operation))


def advance(row: HasState, action: str, *, table: Table) -> str:
    """Change the state of a locked row by ``table`` and return its former state; the caller saves the row.

    The caller holds the row's lock (``access.lock_…``), so of two requests at once only one succeeds.

    Raises:
        ActionNotAllowed: The state has no such move.
    """
    transition = table[action]
    if row.state not in transition.sources:
        raise ActionNotAllowed(action=action, state=row.state)
    former, row.state = row.state, transition.target or row.state
    return former


def draw(title: str, table: Table) -> str:
    """Draw a table for the docs: a Mermaid state diagram, then its rows."""
    lines = [f"## {title}", "", "```mermaid", "stateDiagram-v2"]
    moves = [(name, t) for name, t in table.items() if t.target is not None]
    lines += [f"    {s} --> {t.target}: {name}" for name, t in moves for s in sorted(t.sources)]
    return "\n".join([*lines, "```", "", *tabulate(table)])


def tabulate(table: Table) -> list[str]:
    """The rows of a table as Markdown."""
    lines = ["| Action | From | To | Operation | By |", "| --- | --- | --- | --- | --- |"]
    for name, t in table.items():
        sources = ", ".join(sorted(t.sources))
        by = " and ".join(relation.replace("_", " ") for relation in t.by) or "anyone with the operation"
        lines.append(f"| {name} | {sources} | {t.target or 'same'} | `{t.operation}` | {by} |")
    return [*lines, ""]
