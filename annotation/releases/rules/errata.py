"""States of errata, and how many may wait."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from curation.people.rules import notice_type

# The state after the newest event; "" stands for none.
STATE_AFTER: Final[Mapping[str, str]] = {
    "": "reported",
    "confirm": "confirmed",
    "reject": "rejected",
    "withdraw": "withdrawn",
}
ERRATUM_STATES: Final = tuple(STATE_AFTER.values())
# By decision: what the reporter is notified of. ``label``: that of the item, or of the release as a whole.
NOTICES: Final = {
    f"erratum_{state}": notice_type("erratum", "no", "label", is_for_outsiders=True)
    for state in ERRATUM_STATES
    if state != "reported"
}
# Reports of one person that may wait for a decision at a time.
MOST_WAITING: Final = 50
