"""Arithmetic of the package track."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def seeded_order(seed: bytes, ids: Sequence[int]) -> list[int]:
    """Order ids by sha256(seed ‖ id in decimal digits); anybody with the seed can check it."""
    return sorted(ids, key=lambda i: hashlib.sha256(seed + str(i).encode()).digest())


def cut(ids: Sequence[int], size: int, *, complete_only: bool) -> list[list[int]]:
    """Cut into batches of ``size``; the last may be smaller unless only complete ones are wanted."""
    batches = [list(ids[i : i + size]) for i in range(0, len(ids), size)]
    if complete_only and batches and len(batches[-1]) < size:
        batches.pop()
    return batches
