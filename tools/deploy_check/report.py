"""Checks of the deployment check, and their report on the terminal."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 90.0


class Failed(Exception):
    """A check that did not hold."""


def say(sentence: str) -> None:
    """Print one line for a check that held."""
    print(f"  ok  {sentence}", flush=True)


def check(holds: bool, sentence: str, seen: object = "") -> None:
    """Check that a condition holds; the sentence names it, ``seen`` is what was found instead.

    Raises:
        Failed: It does not hold.
    """
    if not holds:
        raise Failed(f"{sentence}: {seen!r}")


def wait_until(holds: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Wait until a condition holds; ``what`` names it in the error.

    Raises:
        Failed: It did not hold within ``seconds``.
    """
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise Failed(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.1)
