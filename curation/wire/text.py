"""Requests that carry text only.

The types here have no place for a picture: ``content`` is a string on the wire, never a list of parts. Rooms that must
not be able to show a model a picture, such as drafting, may import this module and not the transport; an import
contract holds them to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from curation.wire.gate import LONGEST_PAUSE, SENDS
from curation.wire.replies import Reply, read_completion
from curation.wire.schemas import response_format
from curation.wire.servers import ModelServer

PATH: Final = "/chat/completions"

_Text = Annotated[str, Field(strict=True, max_length=400_000)]


class TextDecoding(BaseModel):
    """How a reply is generated; what is None is left to the server.

    Attributes:
        max_tokens: Tokens of the reply at most, which bounds its price.
        json_schema: Whether the server is given the schema of a structured reply. Not all servers take one.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    temperature: Annotated[float, Field(ge=0, le=2)] | None = 0.0
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    max_tokens: Annotated[int, Field(ge=1, le=65_536)] = 1024
    json_schema: bool = True


class TextTurn(BaseModel):
    """One message of a conversation."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: Literal["user", "assistant"]
    text: _Text


class TextRequest(BaseModel):
    """A request to a model, in text.

    Attributes:
        system: The system's message; empty: none.
        turns: The conversation, which ends with the turn to reply to.
        reply: The form of a structured reply; None: any text.
        decoding: How the reply is generated.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    system: _Text = ""
    turns: Annotated[tuple[TextTurn, ...], Field(min_length=1, max_length=200)]
    reply: type[BaseModel] | None = None
    decoding: TextDecoding = TextDecoding()


class Connection(NamedTuple):
    """A server, how many requests it gets at the same time, and the seconds after which one times out."""

    server: ModelServer
    parallel: int
    seconds: float


def body_of(request: TextRequest, model: str, server: ModelServer) -> dict[str, Any]:
    """The JSON that is sent to a model of a server.

    Raises:
        ValueError: The reply's form has no strict schema.
    """
    messages = [{"role": "system", "content": request.system}] if request.system else []
    messages += [{"role": turn.role, "content": turn.text} for turn in request.turns]
    decoding = request.decoding
    body: dict[str, Any] = {"model": model, "messages": messages, server.limit_name: decoding.max_tokens}
    for name in ("temperature", "top_p", "seed"):
        if (value := getattr(decoding, name)) is not None and (name != "temperature" or server.sends_temperature):
            body[name] = value
    if request.reply is not None and decoding.json_schema:
        body["response_format"] = response_format(request.reply)
    return body


def ask_text(
    request: TextRequest,
    model: str,
    connection: Connection,
    *,
    sends: int = SENDS,
    hold: Callable[[float], None] | None = None,
    longest_pause: float = LONGEST_PAUSE,
) -> Reply:
    """Send a request and read the reply.

    This costs money: ``curation/calls`` records each call, and answers an equal request from its record.

    Args:
        request: The request.
        model: The model's name on the server.
        connection: The server.
        sends: See :meth:`curation.wire.transport.Transport.post`.
        hold: See there.
        longest_pause: See there.

    Raises:
        RequestFailed: There is no reply that can be used.
    """
    from curation.wire.transport import transport_to  # noqa: PLC0415  (openai: half a second, not for web processes)

    server, parallel, seconds = connection
    transport = transport_to(server, parallel=parallel, seconds=seconds)
    body = body_of(request, model, server)
    answer = transport.post(PATH, body, sends=sends, hold=hold, longest_pause=longest_pause)
    return read_completion(answer.body, sends=answer.sends, ms=answer.ms)
