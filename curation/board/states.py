"""The life cycle of a proposed category, until the list is frozen, and which decisions remain."""

from __future__ import annotations

from typing import Final

from curation.core.transitions import Table, move, stay

TABLE: Final[Table] = {
    "keep": move("proposed", "kept", "category_board_decide"),
    "remove": move("proposed kept", "removed", "category_board_decide"),
    "merge": move("proposed kept", "merged", "category_board_decide"),
    "replace": move("proposed kept", "merged", "category_board_decide"),
    "rename": stay("proposed kept", "category_board_decide"),
    "regroup": stay("proposed kept", "category_board_decide"),
    "reopen": move("kept removed merged", "proposed", "category_board_decide"),
}


# Decisions that stay possible once the list is frozen: its next version has the corrected groups, and what was added
# since is in no version yet.
ONCE_FROZEN: Final = ("regroup",)
NOT_LISTED: Final = ("regroup", "rename", "remove")


def actions_in(state: str, *, is_frozen: bool, is_listed: bool) -> list[str]:
    """What a curator can do about a category in a state; ``is_listed``: a frozen version of the list has it."""
    if is_frozen and state != "kept":
        return []
    possible = TABLE if not is_frozen else ONCE_FROZEN if is_listed else NOT_LISTED
    return [name for name, transition in TABLE.items() if state in transition.sources and name in possible]
