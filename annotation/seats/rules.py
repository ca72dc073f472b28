"""Numbers of the pools: how long a lease is, how often the page renews it, and the order in which seats are claimed."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

PURPOSES: Final = ("review", "inspection")
LEASE: Final = timedelta(minutes=10)
LEASE_SECONDS: Final = int(LEASE.total_seconds())
HEARTBEAT_SECONDS: Final = 60
CLAIMED_AT_ONCE: Final = 20  # the most that one request takes; a protocol allows no more to be held either

# How many free seats a claim looks at from the front before it goes on where the person was last: who has judged much
# alone would otherwise walk past all the second seats of their own items each time.
LOOKED_AT: Final = 256

_PLACES: Final = 10_000  # more than any package has positions


def rank(group_id: int, no: int, place: int) -> int:
    """The order of hand-out: older groups first, within a group every item's first seat before any second one.

    Args:
        group_id: The batch the items came in with.
        no: Which of the item's seats, from 1.
        place: The item's place in the batch, from 1.
    """
    return (group_id * 100 + no) * _PLACES + place
