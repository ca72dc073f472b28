"""The variables of prompts, and where the values of a benchmark's items come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

Variable = Literal[
    "question",
    "options",
    "answer",
    "response",
    "country",
    "category",
    "expression",
    "caption",
    "history",
    "topic",
    "text",
    "language",
]
"""What a prompt may name.

``options`` is a list, each printed by the body's ``option``; ``history`` is a list of rounds, each printed by its
``round``. ``answer`` is the expected answer: in a prompt of a judge, and in the reply of an example. A judge or parser
reads ``response``. ``topic`` is what questions are generated about, ``text`` what is translated to ``language``.
"""
VARIABLES: Final[tuple[str, ...]] = get_args(Variable)


@dataclass(frozen=True, slots=True)
class ItemValues:
    """An item's values for prompts.

    Attributes:
        label: The item's name.
        values: By variable; without those that its kind does not have.
        parts: How many questions the item has; the values are of one of them.
        sides: The languages that the values can be in, by name; one name if there is only one.
        image_id: The item's picture; None if it has none.
    """

    label: str
    values: Mapping[str, Any]
    parts: int
    sides: tuple[str, ...]
    image_id: int | None = None


# One function: (person, benchmark's id, item's id, part, side, language of the prompt, operation) -> ItemValues.
ITEM_VALUES: Final[list[Callable[..., ItemValues]]] = []


# The variables for which the items of each kind have values, besides those of their pictures.
_KINDS: Final[dict[str, frozenset[str]]] = {}


def register_item_values(read: Callable[..., ItemValues], kinds: Mapping[str, frozenset[str]]) -> None:
    """Set the function that reads an item's values, and each kind's variables, which rooms above this one know."""
    ITEM_VALUES[:] = [read]
    _KINDS.clear()
    _KINDS.update(kinds)


def kinds_for(variables: Iterable[str]) -> list[str]:
    """Return the kinds whose items have values for the most of some variables, those with the fewest others first.

    None if no item has a value for any: a parser reads replies, a translator texts.
    """
    needed = frozenset(variables)
    most = max((len(needed & own) for own in _KINDS.values()), default=0)
    fitting = [kind for kind, own in _KINDS.items() if len(needed & own) == most] if most else []
    return sorted(fitting, key=lambda kind: len(_KINDS[kind] - needed))


def placeholders(names: Iterable[str]) -> dict[str, Any]:
    """Return a value for each variable that prints as the variable itself, for a rendering that lacks it."""
    return {name: "{{" + name + "}}" for name in names}
