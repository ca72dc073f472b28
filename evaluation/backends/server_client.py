"""Requests to one of the operator's own model servers, and what the server reports about itself.

Such requests cost nothing, so they are also repeated after 5xx, a time-out or a broken connection, after growing pauses
(0.5 s doubled up to 8 s, or ``Retry-After``, up to two minutes). Servers report facts outside of ``/v1``.

vLLM: https://docs.vllm.ai/en/stable/serving/openai_compatible_server.html, ``/version``. SGLang:
https://docs.sglang.io; ``/get_model_info`` and ``/get_server_info``, later without ``get_``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from curation.wire.errors import Rejected, ReplyUnreadable, RequestFailed, shorten
from curation.wire.servers import ModelServer
from curation.wire.transport import Answer, transport_to
from evaluation.backends.errors import (
    InputTooLong,
    InputUndecodable,
    ModelNotServed,
    ModelServerAnswerUnfit,
    ModelServerChanged,
    ModelServerRefused,
    ModelServerUnreachable,
    SystemRefusedInput,
)
from evaluation.backends.serving import ServerFacts, differences

_LONGEST_REASON: Final = 300  # characters of a server's own words

_TOO_LONG = re.compile(
    r"maximum (context|model|input|sequence|allowed)? ?length|max_model_len|context length|too long", re.IGNORECASE
)
_UNDECODABLE = re.compile(
    r"cannot identify image|decod|invalid (base64|image)|(load|open|read|process) (the )?image|truncated", re.IGNORECASE
)

#: Kinds of servers, as they name themselves, with the addresses outside of ``/v1`` that report facts: each under all
#: names it has had, and the fields to keep with our names for them. Nothing else is kept, because SGLang's answers
#: contain its keys.
KINDS: Final[Mapping[str, tuple[tuple[tuple[str, ...], Mapping[str, str]], ...]]] = {
    "vllm": ((("/version",), {"version": "version"}),),
    "sglang": (
        (
            ("/get_model_info", "/model_info"),
            {"model_path": "model_path", "tokenizer_path": "tokenizer_path", "weight_version": "weight_version"},
        ),
        (
            ("/get_server_info", "/server_info"),
            {
                "version": "version",
                "dtype": "dtype",
                "quantization": "quantization",
                "revision": "revision",
                "context_length": "context_length",
            },
        ),
    ),
}


class ServerClient:
    """Sends requests about one model to a server.

    Args:
        server: The server.
        model: The model's name on it; empty: its only model.
        parallel: Requests at the same time.
        seconds: Time-out of one request.
        retries: Retries of a request after 429, 5xx, a time-out or a broken connection.
    """

    def __init__(self, server: ModelServer, model: str, *, parallel: int, seconds: float, retries: int) -> None:
        self.server = server
        self.model = model
        self.parallel = parallel
        self._sends = 1 + retries
        self._transport = transport_to(server, parallel=parallel, seconds=seconds)

    def post(self, path: str, body: Mapping[str, Any]) -> object:
        """Send a request and return the JSON of its reply.

        Args:
            path: Below ``/v1``; an address outside of it is given whole.
            body: Its JSON.

        Raises:
            SystemRefusedInput: The server refuses this input.
            ModelServerUnreachable, ModelServerRefused, ModelServerAnswerUnfit, ModelNotServed: The request fails.
        """
        return self._send(lambda: self._transport.post(path, body, sends=self._sends, free=True))

    def fetch_facts(self) -> ServerFacts:
        """Fetch the server's facts about itself and the model.

        Raises:
            ModelServerUnreachable, ModelServerRefused, ModelServerAnswerUnfit: The request fails.
            ModelNotServed: The server does not serve the model, or serves several and none is chosen.
        """
        cards = self.rows(self._get("/models"))
        names = [str(card.get("id")) for card in cards]
        card = next((c for c in cards if self.model in ("", c.get("id"))), None)
        if card is None or (not self.model and len(cards) > 1):
            served = shorten(", ".join(names[:10]), _LONGEST_REASON)
            raise ModelNotServed(server=self.server.name, model=self.model or "?", served=served)
        kind = str(card.get("owned_by", "")).lower()
        if kind not in KINDS:
            raise self.unfit(f"it calls itself {kind[:40] or 'nothing'}, not {' or '.join(KINDS)}")
        facts: dict[str, Any] = {"speaks": kind, "model": str(card["id"])}
        facts |= {ours: card.get(ours) for ours in ("root", "parent", "max_model_len")}
        for addresses, renames in KINDS[kind]:
            fields = next((t for t in (self._about(address) for address in addresses) if t is not None), {})
            facts |= {ours: fields.get(theirs) for theirs, ours in renames.items()}
        return {k: v for k, v in facts.items() if isinstance(v, str | int) and not isinstance(v, bool)}

    def confirm(self, known: ServerFacts) -> None:
        """Check that the server still reports the same facts.

        Raises:
            ModelServerChanged: It does not: what it answers would be another system's.
            ModelServerUnreachable, ModelServerRefused, ModelServerAnswerUnfit, ModelNotServed.
        """
        facts = self.fetch_facts()
        if facts != known:
            changes = "; ".join(differences(known, facts))
            raise ModelServerChanged(server=self.server.name, changes=shorten(changes, _LONGEST_REASON))

    def rows(self, answer: object) -> list[Mapping[str, Any]]:
        """Return the list under ``data`` of a reply.

        Raises:
            ModelServerAnswerUnfit: It holds none.
        """
        rows = answer.get("data") if isinstance(answer, Mapping) else None
        if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
            raise self.unfit("its answer holds no list under data")
        return rows

    def unfit(self, reason: str) -> ModelServerAnswerUnfit:
        """Return the error of a reply that does not have the documented form."""
        return ModelServerAnswerUnfit(server=self.server.name, reason=shorten(reason, _LONGEST_REASON))

    def _about(self, address: str) -> Mapping[str, Any] | None:
        """Fetch an address outside of ``/v1``; None if it does not exist, as behind some proxies."""
        try:
            answer = self._get(f"{self.server.url}{address}")
        except ModelNotServed:
            return None
        return answer if isinstance(answer, Mapping) else {}

    def _get(self, address: str) -> object:
        return self._send(lambda: self._transport.get(address, sends=self._sends), is_input=False)

    def _send(self, send: Callable[[], Answer], *, is_input: bool = True) -> object:
        """Send a request and translate errors into our own; only errors about an input name the input as cause."""
        try:
            return send().body
        except Rejected as error:
            raise self._rejected(error, is_input=is_input) from None
        except ReplyUnreadable as error:
            raise self.unfit(error.reason) from None
        except RequestFailed as error:
            raise ModelServerUnreachable(server=self.server.name, reason=error.reason) from None

    def _rejected(self, error: Rejected, *, is_input: bool) -> Exception:
        status, words = error.status, error.reason
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT):
            return ModelServerUnreachable(server=self.server.name, reason=f"{status} {words}".strip())
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            return ModelServerRefused(server=self.server.name, status=status)
        if status == HTTPStatus.NOT_FOUND:
            return ModelNotServed(server=self.server.name, model=self.model or "?", served=words or "—")
        if not is_input or status < HTTPStatus.BAD_REQUEST:
            return self.unfit(f"{status} {words}".strip())
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or _TOO_LONG.search(words):
            return InputTooLong(reason=words)
        return (InputUndecodable if _UNDECODABLE.search(words) else SystemRefusedInput)(reason=words)
