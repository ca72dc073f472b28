"""Answers about pools of seats."""

from __future__ import annotations

from datetime import datetime

from typing_extensions import TypedDict


class SeatProgress(TypedDict):
    """How many seats of a pool are free, held and done."""

    purpose: str
    kind: str
    free: int
    held: int
    done: int


class KeptSeat(TypedDict):
    """A seat that the person still holds."""

    seat: int
    lease_until: datetime


class RenewAnswer(TypedDict):
    """The seats that the person still holds, and those that they lost."""

    kept: list[KeptSeat]
    lost: list[int]
