"""Messages of a prompt as a job keeps them and as a request in text, and how long a limited one waits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from curation.prompts.rules import Message, Picture
from curation.wire.text import TextDecoding, TextRequest, TextTurn

#: How many replies a person may wait for at a time: the workers of model servers are few, and each reply is paid for.
MOST_OPEN: Final = 3
#: How long a prompt is sent again and again while its server limits requests.
LONGEST_WAIT: Final = timedelta(minutes=10)

_FIRST_PAUSE: Final = 15.0  # seconds, about that between two sweeps, which wake the job
_LONGEST_PAUSE: Final = 120.0


def next_pause(waited: float, requested: float) -> float | None:
    """Seconds until a limited prompt is sent again, as long as it has waited already; None if it waits no longer.

    Args:
        waited: Seconds since the server first refused it.
        requested: Seconds for which the server wants no further request; 0 if it does not say.
    """
    remaining = LONGEST_WAIT.total_seconds() - waited
    if remaining <= 0 or requested > remaining:
        return None
    return min(remaining, max(requested, _FIRST_PAUSE, min(waited, _LONGEST_PAUSE)))


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
    return TextRequest(system=system, turns=tuple(turns), decoding=TextDecoding(max_tokens=max_tokens))
