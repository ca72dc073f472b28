"""States of errata, and how many may wait."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# The state after the newest event; "" stands for none.
STATE_AFTER: Final[Mapping[str, str]] = {
    "": "reported",
    "confirm": "confirmed",
    "reject": "rejected",
    "withdraw": "withdrawn",
}
ERRATUM_STATES: Final = tuple(STATE_AFTER.values())
# Reports of one person that may wait for a decision at a time.
MOST_WAITING: Final = 50
