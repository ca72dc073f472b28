"""Declared operations and states that several tests ask about."""

from curation.core.operations import OPERATIONS, Entry
from curation.core.transitions import Table

BY_LINK = frozenset(name for name, o in OPERATIONS.items() if o.entry is Entry.LINK)
SIGNED_IN = frozenset(name for name, o in OPERATIONS.items() if o.entry is Entry.SIGNED_IN)
NEVER_BY_TOKEN = frozenset(name for name, o in OPERATIONS.items() if not o.by_token)


def states_of(table: Table) -> list[str]:
    """Every state in a table, sources before targets."""
    states = (s for t in table.values() for s in (*sorted(t.sources), t.target) if s is not None)
    return list(dict.fromkeys(states))
