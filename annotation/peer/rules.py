"""Constants of the peer track, and its notices."""

from __future__ import annotations

from typing import Final

from curation.people.rules import notice_type

# Of its seats, and the stage of its verdicts.
PURPOSE: Final = "peer"
SPOT_CHECK: Final = "spot_check"  # the purpose of its draws, and the stage of its verdicts
ROUND: Final = 1  # a revision is judged once; the next one gets a new verdict
MANAGED: Final = 2  # teams that a person leads who manages several subsets (CVQA, section 2.2)
HELD: Final = 3  # seats that one person may hold: of the item that is shown, and of two that the browser fetches ahead
NOTICES: Final = {
    "item_sent_back": notice_type("item", "item"),
    "item_edited": notice_type("item", "item"),
    "item_spot_wrong": notice_type("item", "item"),
}
