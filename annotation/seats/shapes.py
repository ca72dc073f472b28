"""Answers about pools of seats."""

from __future__ import annotations

from typing_extensions import TypedDict


class SeatProgress(TypedDict):
    """How many seats of a pool are free, held and done."""

    purpose: str
    kind: str
    free: int
    held: int
    done: int
