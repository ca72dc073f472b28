"""Questions with options as files print them: their names, and the order of their options."""

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


def question_id(record: Mapping[str, Any]) -> str:
    """Return a question's name: its picture's number and which of the picture's questions it is."""
    return f"{record['id']}_{record.get('slot', 0)}"


def translated(text: Mapping[str, str]) -> str:
    """Return the translation; the text itself where it is written in the language of translations."""
    return text.get("translated") or text["local"]
