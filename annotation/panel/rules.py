"""Notification types of the panel track, and what becomes of an item that a panel failed."""

from __future__ import annotations

from typing import Final

from curation.benchmarks.rules import PanelTrack
from curation.people.rules import notice_type

NOTICES: Final = {
    "item_panel_returned": notice_type("item", "item"),
    "item_panel_excluded": notice_type("item", "item"),
}


def is_returned(settings: PanelTrack, failures: int) -> bool:
    """Return whether a failed item goes back to its author; otherwise it is excluded.

    Args:
        settings: The panel track's settings for the kind.
        failures: How many panels have failed the item.
    """
    return settings.on_failure == "return" and failures < settings.attempts
