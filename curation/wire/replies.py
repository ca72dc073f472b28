"""Reading a chat completion: the text, why it ended, what it used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from curation.wire.errors import ReplyMalformed

Model = TypeVar("Model", bound=BaseModel)

#: Tokens beyond which a server's count is not believed.
MOST_TOKENS: Final = 1_000_000
#: What servers give as the reason of an end, or as an error's code, when a filter refused the content.
FILTERED: Final = frozenset({"content_filter", "data_inspection_failed", "content_policy_violation"})

# Brackets tried as the beginning of an object; each costs time that grows with the reply.
_MOST_STARTS: Final = 200
_LONGEST_MODEL: Final = 200
_LONGEST_FINISH: Final = 24


class Reply(NamedTuple):
    """A chat completion.

    Attributes:
        text: What the model wrote; empty if it wrote nothing before it ended.
        refused: Whether a content filter of the server refused to answer.
        finish: The server's reason for the end: ``stop``, ``length``.
        served_model: The model that the server names.
        tokens_in: Tokens of the request; None if the server does not say so believably. No request has 0.
        tokens_out: Tokens of the reply; None likewise. No text has 0.
        sends: How often the request was sent.
        ms: Milliseconds of the last send.
    """

    text: str
    refused: bool
    finish: str
    served_model: str
    tokens_in: int | None
    tokens_out: int | None
    sends: int
    ms: int


def read_completion(body: object, *, sends: int, ms: int) -> Reply:
    """Read the answer of ``/chat/completions``.

    Raises:
        ReplyMalformed: It does not have the documented form.
    """
    choice = _first_choice(body)
    message = choice.get("message") if choice is not None else None
    if choice is None or not isinstance(message, Mapping) or not isinstance(body, Mapping):
        raise ReplyMalformed("its answer holds no message", sends)
    content, refusal = message.get("content"), message.get("refusal")
    if not (content is None or isinstance(content, str)):
        raise ReplyMalformed("its message is no text", sends)
    finish = storable(choice.get("finish_reason"))[:_LONGEST_FINISH]
    usage = body.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    text, tokens_out = storable(content), _tokens(usage.get("completion_tokens"))
    return Reply(
        text=text,
        refused=finish in FILTERED or (not content and isinstance(refusal, str) and refusal != ""),
        finish=finish,
        served_model=storable(body.get("model"))[:_LONGEST_MODEL],
        tokens_in=_tokens(usage.get("prompt_tokens")) or None,
        tokens_out=None if text and tokens_out == 0 else tokens_out,
        sends=sends,
        ms=ms,
    )


def storable(text: object) -> str:
    """A text that PostgreSQL can store: without NUL and lone surrogates; empty for anything but a text."""
    if not isinstance(text, str):
        return ""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def structured(text: str, model: type[Model]) -> Model | None:
    """The reply as ``model``: the whole text, or the first JSON object in it; None if neither fits."""
    start = text.find("{")
    for _ in range(_MOST_STARTS):
        if start == -1:
            return None
        try:
            value, _ = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        try:
            return model.model_validate(value)
        except ValidationError:
            return None
    return None


_DECODER: Final = json.JSONDecoder()


def _first_choice(body: object) -> Mapping[str, Any] | None:
    choices = body.get("choices") if isinstance(body, Mapping) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        return None
    return choices[0]


def _tokens(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_TOKENS:
        return None
    return value
