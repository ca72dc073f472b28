"""What held, and what did not."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 90.0


class Failed(Exception):
    """A check that did not hold."""


def say(sentence: str) -> None:
    """One line for each thing that held."""
    print(f"  ok  {sentence}", flush=True)


def want(holds: bool, sentence: str, seen: object = "") -> None:
    """Hold something to be true.

    Raises:
        Failed: It is not.
    """
    if not holds:
        raise Failed(f"{sentence}: {seen!r}")


def until(holds: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Wait for something.

    Raises:
        Failed: It did not come.
    """
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise Failed(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.1)
