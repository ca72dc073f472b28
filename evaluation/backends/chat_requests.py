"""Chat requests with pictures, as they are sent and as they are kept; pure, so web processes can price one."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from PIL import Image

from curation.prompts.rules import Message, Picture
from curation.wire.replies import Reply
from curation.wire.servers import ModelServer
from evaluation.backends.asks import Ask, Cost, Decoding, Detail

#: What a kept request has in place of a picture's data; the SHA-256 follows.
KEPT: Final = "sha256:"
#: The same of no picture, for a request whose picture is not read yet.
EMPTY_DIGEST: Final = KEPT + "0" * 64

#: The address that a request has for one of the pictures of an ask.
Address = Callable[[Picture], str]


class Paid(NamedTuple):
    """A reply, and what it cost when it was sent; None if it was free."""

    reply: Reply
    cost: Cost | None = None


class ChatRequest(NamedTuple):
    """A request as a ledger keeps it.

    Attributes:
        kept: The body with each picture as the SHA-256 of its pixels, so that equal requests are recognised.
        max_tokens: The longest reply in tokens.
        pictures: How many pictures are sent.
    """

    kept: dict[str, Any]
    max_tokens: int
    pictures: int


def body_of(
    messages: Sequence[Message],
    decoding: Decoding,
    *,
    model: str,
    server: ModelServer,
    address: Callable[[Picture], str],
) -> dict[str, Any]:
    """The JSON of a request.

    Args:
        messages: The rendered prompt.
        decoding: How the reply is drawn.
        model: The model's name on the server.
        server: The server, which says what the parameters are called and which it takes.
        address: The address of the picture for a place; empty: none is sent there.
    """
    # A parameter of OpenAI's API; what an own vLLM or SGLang would do with it depends on its version.
    detail: Detail = decoding.detail if server.hosted else "auto"
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": content_of(message, address, detail)} for message in messages],
        server.limit_name: decoding.max_tokens,
    }
    if server.sends_temperature:
        body["temperature"] = decoding.temperature
    if decoding.temperature > 0:
        body["seed"] = decoding.seed  # where nothing is drawn some servers refuse one
    return body


def chat_request(ask: Ask, decoding: Decoding, *, model: str, server: ModelServer) -> ChatRequest:
    """The request of an ask, as it is kept."""
    pictures = [place for message in ask.messages for place in message.parts if isinstance(place, Picture)]
    sent = [place for place in pictures if ask.picture_at(place) is not None]
    kept = body_of(ask.messages, decoding, model=model, server=server, address=lambda p: _kept(ask, p))
    return ChatRequest(kept, decoding.max_tokens, len(sent))


def data_address(picture: Image.Image) -> str:
    """A picture as a data URL; PNG, because it is lossless, at a level that takes a fifth of the time."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=1)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def content_of(message: Message, address: Address, detail: Detail = "auto") -> str | list[dict[str, Any]]:
    """A text where there is no picture, which every server takes, and a list of parts otherwise."""
    more = {} if detail == "auto" else {"detail": detail}
    parts: list[dict[str, Any]] = []
    has_picture = False
    for part in message.parts:
        if isinstance(part, str):
            if part:
                parts.append({"type": "text", "text": part})
        elif url := address(part):
            has_picture = True
            parts.append({"type": "image_url", "image_url": {"url": url, **more}})
    return parts if has_picture else message.text


def _kept(ask: Ask, place: Picture) -> str:
    picture = ask.picture_at(place)
    if picture is None:
        return ""
    # Of the pixels: the bytes of a file differ between versions of its encoder, and another digest would be paid again.
    size = f"{picture.mode} {picture.width} {picture.height}\n"
    return KEPT + hashlib.sha256(size.encode() + picture.tobytes()).hexdigest()
