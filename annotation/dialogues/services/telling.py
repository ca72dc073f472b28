"""Telling the two that there is something to read, and when the live channel last had a sign of people.

The channel is not built yet, so nothing is sent and no sign is known: pages read again by themselves, and a person's
last action counts as their sign. Both functions are the only place that will call it.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime


def tell(person_ids: Collection[int], topic: str, row_id: int, n: int) -> None:
    """Tell people, in the transaction that writes, that a row of a topic has something new up to number ``n``."""


def signs_of(person_ids: Collection[int]) -> dict[int, datetime]:
    """When people's pages last gave a sign, by person; people without one are left out."""
    return {}
