"""Messages of a prompt as a job keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from curation.prompts.rules import Message, Picture

#: How many replies a person may wait for at a time: the workers of model servers are few, and each reply is paid for.
MOST_OPEN: Final = 3


def to_json(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Messages as JSON, with null for the place of the question's picture."""
    return [
        {"role": message.role, "parts": [part if isinstance(part, str) else None for part in message.parts]}
        for message in messages
    ]


def from_json(messages: Sequence[Mapping[str, Any]]) -> tuple[Message, ...]:
    """The messages that :func:`to_json` wrote."""
    return tuple(
        Message(message["role"], tuple(Picture() if part is None else part for part in message["parts"]))
        for message in messages
    )


def has_picture(messages: Iterable[Message]) -> bool:
    """Whether a message has a place for a picture."""
    return any(isinstance(part, Picture) for message in messages for part in message.parts)
