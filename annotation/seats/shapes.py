"""Answers about pools of seats."""

from __future__ import annotations

from typing_extensions import TypedDict


class SeatProgress(TypedDict):
    """Places to judge in a pool."""

    purpose: str
    kind: str
    free: int
    held: int
    done: int
