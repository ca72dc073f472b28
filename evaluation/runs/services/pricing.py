"""What the replies of a run over an item set cost at most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from django.conf import settings as site

from curation.calls.queries import price_of
from curation.calls.rules import Price
from curation.lib.canonical import canonical_json
from curation.prompts.queries import Key, shipped
from curation.prompts.rules import Body, render
from curation.wire.servers import ModelServer
from evaluation.answering.rules.shots import Example
from evaluation.backends.asks import Decoding
from evaluation.backends.chat_requests import EMPTY_DIGEST, body_of
from evaluation.backends.registry import CHAT
from evaluation.runs.queries import Share
from evaluation.runs.queries.prompts import shots_of
from evaluation.systems.models import System

_EMPTY: Final = ""


def price_for(system: System) -> Price | None:
    """The price of a system's replies; None: they cost nothing, as those of every system that is run here.

    Raises:
        ModelNotOffered: It is on a server, and the owner has not offered it.
    """
    return price_of(system.locator, system.parameters["model"]) if system.backend == CHAT else None


def is_paid(settings: Mapping[str, Any], share: Share) -> bool:
    """Whether questions are answered by replies, which can cost something; ranking costs nothing."""
    return settings["means"] == "text" or (settings["means"] == "likelihood" and not share.has_options)


def highest_cost(system: System, price: Price, settings: Mapping[str, Any], shares: Iterable[Share]) -> Decimal:
    """The most that a run's replies can cost, if each is requested once.

    The questions are not rendered one by one: each value has at most the bytes that the stored texts have.
    """
    server, total = site.MODEL_SERVERS[system.locator], Decimal(0)
    shots = shots_of(settings)
    for share in shares:
        if not is_paid(settings, share):
            continue
        name, language, no, _ = settings["prompts"][share.type]
        body = shipped()[Key(name, language, no)].body
        decoding = Decoding(**settings["decodings"][share.type])
        sends_pictures = settings["picture"] is not None and "picture" in body.order
        model = system.parameters["model"]
        each = share.options * _bytes_per_option(body) + max(
            len(canonical_json(_empty_request(body, decoding, model, server, examples, picture=sends_pictures)))
            for examples in (shots.of_type(share.type) if shots else [()])
        )
        pictures = share.pictures + share.questions * (settings["shots"]["number"] if shots else 0)
        total += price.highest_total(
            calls=share.questions,
            body_bytes=share.questions * each + share.bytes * _most_uses(body),
            max_tokens=decoding.max_tokens,
            pictures=pictures if sends_pictures else 0,
        )
    return total


def _empty_request(
    body: Body, decoding: Decoding, model: str, server: ModelServer, examples: Sequence[Example], *, picture: bool
) -> dict[str, Any]:
    """A request with examples whose other values are empty, as the ledger would keep it."""
    shots = [example.shot(has_picture=picture) for example in examples]
    messages = render(body, dict.fromkeys(body.variables, _EMPTY), shots=shots, picture=picture)
    return body_of(messages, decoding, model=model, server=server, address=lambda _: EMPTY_DIGEST)


def _bytes_per_option(body: Body) -> int:
    """Bytes that the printed form of an option has besides its text."""
    return len(canonical_json(body.option)) + len(canonical_json(body.join))


def _most_uses(body: Body) -> int:
    """How often the prompt has the variable that it has most often."""
    text = "".join([body.system, *(turn.text for turn in body.turns)])
    return max((text.count(f"{{{{{name}}}}}") for name in body.variables), default=0)
