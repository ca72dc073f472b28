"""The order in which a release prints the options of a question (:mod:`annotation.kinds.option_order`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.kinds.option_order import drawn_order


def drawn_options(record: Mapping[str, Any], seed: int) -> tuple[list[Mapping[str, str]], int]:
    """Return a question's options in the order in which files print them, and the position of the right one.

    Args:
        record: The published record with its answers: ``options`` has the right one first, ``item`` ends in its number.
        seed: The seed of the order.
    """
    options = record["options"]
    number = int(record["item"].rpartition("-")[2])
    order = drawn_order([option["local"] for option in options], seed=seed, number=number)
    return [options[position] for position in order], order.index(0)
