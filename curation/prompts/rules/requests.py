"""A rendered prompt as a request in text."""

from __future__ import annotations

from collections.abc import Iterable

from curation.prompts.rules.rendering import Message
from curation.wire.text import TextDecoding, TextRequest, TextTurn


def text_request(messages: Iterable[Message], *, max_tokens: int) -> TextRequest:
    """The request in text of messages without pictures."""
    system = ""
    turns = []
    for message in messages:
        if message.role == "system":
            system = message.text
        else:
            turns.append(TextTurn(role=message.role, text=message.text))
    return TextRequest(system=system, turns=tuple(turns), decoding=TextDecoding(max_tokens=max_tokens))
