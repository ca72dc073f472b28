"""Moving items to the states in which nobody writes them: every track's decisions end in one of these four.

The callers hold the items' locks and record who decided and why.
"""

from __future__ import annotations

from collections.abc import Sequence

from annotation.items import states
from annotation.items.models import Item
from curation.core.transitions import Table, advance


def accept(items: Sequence[Item], action: str = "accept", *, table: Table = states.TABLE) -> list[str]:
    """Accept items at their newest revision by one of the table's moves; return their former states."""
    former = [advance(item, action, table=table) for item in items]
    for item in items:
        item.accepted_no = item.revision_no
    _save(items)
    return former


def send_back(items: Sequence[Item], action: str, *, table: Table = states.TABLE) -> list[str]:
    """Return items to their author by one of the table's moves to ``returned``; return their former states."""
    former = [advance(item, action, table=table) for item in items]
    for item in items:
        item.accepted_no = None
    _save(items)
    return former


def exclude(items: Sequence[Item], action: str, reason: str, *, table: Table = states.TABLE) -> list[str]:
    """Exclude items by one of the table's moves to ``excluded``; return their former states.

    Args:
        items: The locked items.
        action: The move.
        reason: One of ``Item.Excluded``; it decides whether the items can be readmitted.
        table: The state table of the items' track.
    """
    former = [advance(item, action, table=table) for item in items]
    for item in items:
        item.accepted_no, item.excluded_for = None, reason
    _save(items)
    return former


def readmit(items: Sequence[Item]) -> list[str]:
    """Take excluded items back, those with a text as returned; return their former states."""
    actions = ("readmit_written" if item.revision_no else "readmit" for item in items)
    former = [advance(item, action, table=states.WITH_PICTURE) for item, action in zip(items, actions, strict=True)]
    for item in items:
        item.excluded_for, item.restored_no = "", item.revision_no
    _save(items)
    return former


def _save(items: Sequence[Item]) -> None:
    Item.objects.bulk_update(items, ["state", "accepted_no", "excluded_for", "restored_no"])
