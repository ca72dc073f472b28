"""Constants of the peer track, its notices, and the slots of a picture."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from curation.people.rules import notice_type

# Of its seats, and the stage of its verdicts.
PURPOSE: Final = "peer"
SPOT_CHECK: Final = "spot_check"  # the purpose of its draws, and the stage of its verdicts
# The purpose of the seats of each track.
SEATS: Final = {"peer": PURPOSE, "panel": "panel", "pair": "clicks"}
ROUND: Final = 1  # a revision is judged once; the next one gets a new verdict
MANAGED: Final = 2  # teams that a person leads who manages several subsets (CVQA, section 2.2)
HELD: Final = 3  # seats that one person may hold: of the item that is shown, and of two that the browser fetches ahead
MOST_PLACES: Final = 1_000  # items of a team that the desk's strip has
NOTICES: Final = {
    "item_sent_back": notice_type("item", "item"),
    "item_edited": notice_type("item", "item"),
    "item_spot_wrong": notice_type("item", "item"),
    "item_reopened": notice_type("item", "item"),
}


def free_slot(used: Collection[int], maximum: int) -> int | None:
    """The first free slot of a picture on which there may be ``maximum`` items of a kind; None if it is full."""
    return next((slot for slot in range(maximum) if slot not in used), None)
