"""Life cycles as tables: guards, access checks, offered actions, drawings and tests all read the same rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from curation.core.errors import ActionNotAllowed

# The relation of a move that the application makes by itself. No person has it, so the move is offered to nobody.
SYSTEM: Final = "system"


@dataclass(frozen=True, slots=True)
class Transition:
    """One legal move, or work that leaves the state as it is.

    Attributes:
        sources: States it may start from.
        target: State it ends in; None: the state stays.
        operation: Key of the permission table that a person needs; several moves may share one.
        by: Relations to the row that a person needs besides, all of them; the first one missing decides the refusal.
            Empty: the permission table alone decides. Each room names its own relations.
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
    """Shorthand for a row that changes the state: ``sources`` are separated by blanks."""
    return Transition(frozenset(sources.split()), target, operation, by)


def stay(sources: str, operation: str, *by: str) -> Transition:
    """Shorthand for a row that leaves the state as it is: ``sources`` are separated by blanks."""
    return Transition(frozenset(sources.split()), None, operation, by)


def available_actions(
    table: Table, state: str, *, may: Callable[[str], bool], relations: Collection[str] = ()
) -> list[str]:
    """List the operations that a person may do from ``state``, in table order, each once.

    Args:
        table: The life cycle.
        state: The row's state.
        may: Whether the permission table opens an operation to the person.
        relations: The person's relations to the row.
    """
    open_now = (t for t in table.values() if state in t.sources and set(t.by) <= set(relations))
    return [operation for operation in dict.fromkeys(t.operation for t in open_now) if may(operation)]


def relations_for(table: Table, operation: str, state: str) -> tuple[str, ...]:
    """The relations that ``operation`` asks of a person in ``state``, or in any state when it has no row there.

    The second case keeps refusals independent of the state: whoever has nothing to do with a row learns nothing of it.
    """
    rows = [t for t in table.values() if t.operation == operation and t.by[:1] != (SYSTEM,)]
    return next((t for t in rows if state in t.sources), rows[0]).by


def check_state(table: Table, operation: str, state: str) -> None:
    """Refuse an operation that no person may do in ``state``.

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
    """Move a locked row along ``table`` and return the state it left; the caller saves it.

    The caller holds the row's lock (``access.lock_…``), so two people who press together cannot both succeed.

    Raises:
        ActionNotAllowed: The state has no such move.
    """
    transition = table[action]
    if row.state not in transition.sources:
        raise ActionNotAllowed(action=action, state=row.state)
    left, row.state = row.state, transition.target or row.state
    return left


def states_of(table: Table) -> list[str]:
    """Every state named in a table, sources before targets."""
    named = (s for t in table.values() for s in (*sorted(t.sources), t.target) if s is not None)
    return list(dict.fromkeys(named))


def draw(title: str, table: Table) -> str:
    """Draw a table for the docs: a Mermaid state diagram, then who may do what in which state."""
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
