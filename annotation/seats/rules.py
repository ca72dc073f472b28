"""Constants of the pools, such as the length of a lease, and the order in which seats are claimed."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

OF_PACKAGES: Final = ("review", "inspection")
# Of items that people create one at a time; a track's seats have its name, but those of pairs are for clicks.
OF_BOARDS: Final = ("peer", "panel", "clicks")
PURPOSES: Final = (*OF_PACKAGES, *OF_BOARDS)
LEASE: Final = timedelta(minutes=10)  # outlives a short loss of the network; a closed page frees its seats soon
LEASE_SECONDS: Final = int(LEASE.total_seconds())
HEARTBEAT_SECONDS: Final = 60  # ten in a lease, so that lost ones do not end it
CLAIMED_AT_ONCE: Final = 20  # the most seats that one request claims; a protocol's maximum of held seats is no larger

# How many free seats a claim scans from the front before it continues after the person's last seat. Without it, a
# person who judged most items alone would scan the second seats of all these items at every claim.
FRONT_SIZE: Final = 256

_PLACES: Final = 10_000  # more than any package has positions


def rank(group_id: int, no: int, place: int) -> int:
    """The order of claims: older groups first, within a group every item's first seat before any second seat.

    Args:
        group_id: The id of the items' package, or of the judging.
        no: The number of the seat among the item's seats, from 1.
        place: The item's position in the package, from 1.
    """
    return (group_id * 100 + no) * _PLACES + place
