"""What can be done to many rows at once, and its limits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from curation.people.rules import notice_type

MOST_TARGETS: Final = 50_000  # of one bulk action; more are refused
PREPARED_AT_ONCE: Final = 1_000  # rows whose preview one request makes; that of more is made by a job
BLOCK: Final = 200  # targets of one transaction, whose rows stay locked until it ends
STALE_AFTER: Final = timedelta(hours=1)  # a preview that is older is not applied, and deleted by the next sweep
EXAMPLES: Final = 5  # labels that the preview names for each reason
REASONS: Final = 20  # reasons that the preview lists, the most frequent first

NOTICES: Final = {
    "packages_assigned": notice_type("package", "package", "count"),
    "packages_taken_back": notice_type("package", "package", "count", "comment"),
    "items_excluded": notice_type("item", "item", "count", "comment"),
}


@dataclass(frozen=True, slots=True)
class BulkAction:
    """One action on many rows.

    Attributes:
        target: The list that the rows are chosen from: ``package``, ``image`` or ``item``.
        operation: The operation on a single row, which also decides who may do it to many.
        undoable: Whether it can be undone. Excluding an item is for good.
    """

    target: str
    operation: str
    undoable: bool = True


ACTIONS: Final = {
    "assign": BulkAction("package", "package_assign"),
    "revoke": BulkAction("package", "package_take_back"),
    "category": BulkAction("image", "image_correct"),
    "licence": BulkAction("image", "image_correct"),
    "exclude": BulkAction("item", "item_exclude", undoable=False),
}
NAMES: Final = tuple(ACTIONS)
