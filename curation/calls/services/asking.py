"""Asking a model in text, through the ledger."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from pydantic import BaseModel

from curation.calls import queries
from curation.calls.errors import ReplyUnfit
from curation.calls.models import Call
from curation.calls.services.ledger import CallRequest, pay
from curation.wire import text
from curation.wire.gate import LONGEST_PAUSE
from curation.wire.replies import structured
from curation.wire.text import Connection, TextRequest

Form = TypeVar("Form", bound=BaseModel)


def ask_text(
    request: TextRequest,
    *,
    benchmark_id: int,
    purpose: str,
    server: str,
    model: str,
    sample: int = 0,
    take: str = "",
    actor_id: int | None = None,
    prompt_id: int | None = None,
    longest_pause: float = LONGEST_PAUSE,
    on_wait: Callable[[Call], None] = lambda _: None,
) -> Call:
    """Return the settled call of a request: ``answered``, or ``refused`` by a content filter.

    Args:
        request: What is asked. Its types have no place for a picture.
        benchmark_id: The benchmark that pays.
        purpose: The room that asks.
        server: The server's name.
        model: The model's name on it.
        sample: Which of several replies to the same request.
        take: Another take asks again what has a reply already.
        actor_id: The person who asks; None for the application itself.
        prompt_id: The prompt that the request was made from.
        longest_pause: Seconds; a server that asks for a longer one raises CallLimited at once.
        on_wait: See :func:`curation.calls.services.ledger.pay`.

    Raises:
        ModelNotOffered: The owner has not offered the model.
        NoBudget, CallWaits, CallFailed, CallInDoubt: See :func:`curation.calls.services.ledger.pay`.
    """
    price = queries.price_of(server, model)
    connection = Connection(
        settings.MODEL_SERVERS[server], settings.MODEL_SERVER_REQUESTS_AT_ONCE, settings.MODEL_SERVER_SECONDS
    )
    asked = CallRequest(
        benchmark_id=benchmark_id,
        purpose=purpose,
        server=server,
        model=model,
        request=text.body_of(request, model, connection.server),
        price=price,
        max_tokens=request.decoding.max_tokens,
        take=take,
        sample=sample,
        actor_id=actor_id,
        prompt_id=prompt_id,
    )
    return pay(
        asked,
        lambda hold: text.ask_text(request, model, connection, hold=hold, longest_pause=longest_pause),
        on_wait=on_wait,
    )


def ask_structured(
    request: TextRequest,
    form: type[Form],
    *,
    benchmark_id: int,
    purpose: str,
    server: str,
    model: str,
    take: str = "",
    actor_id: int | None = None,
    prompt_id: int | None = None,
) -> tuple[Form | None, Call]:
    """Ask for a reply of a form; one that does not fit costs one more sample.

    Returns:
        The reply and its call; no reply if a content filter refused.

    Raises:
        ReplyUnfit: Neither sample fits.
        ModelNotOffered, NoBudget, CallWaits, CallFailed, CallInDoubt: See :func:`ask_text`.
    """
    request = request.model_copy(update={"reply": form})
    for sample in (0, 1):
        call = ask_text(
            request,
            benchmark_id=benchmark_id,
            purpose=purpose,
            server=server,
            model=model,
            sample=sample,
            take=take,
            actor_id=actor_id,
            prompt_id=prompt_id,
        )
        if call.state == Call.State.REFUSED:
            return None, call
        if (reply := structured(call.reply or "", form)) is not None:
            return reply, call
    raise ReplyUnfit(model=model)
