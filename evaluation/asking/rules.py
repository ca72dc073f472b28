"""Messages of a prompt as a job keeps them, and as a request in text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from curation.prompts.rules import Message, Picture
from curation.wire.text import Decoding, TextRequest, TextTurn


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


def text_request(messages: Iterable[Message], *, max_tokens: int) -> TextRequest:
    """The request in text of messages without pictures."""
    system = ""
    turns = []
    for message in messages:
        if message.role == "system":
            system = message.text
        else:
            turns.append(TextTurn(role=message.role, text=message.text))
    return TextRequest(system=system, turns=tuple(turns), decoding=Decoding(max_tokens=max_tokens))
