"""Replies from a model server over HTTP: hosted servers that are compatible with OpenAI's, vLLM and SGLang.

All three take chat completions at the same address with pictures as data URLs; nothing else that they offer is used.
The caller says how requests are paid for: each goes through a function that may answer it from what is
kept, and that calls the sender otherwise.

OpenAI: https://platform.openai.com/docs/api-reference/chat. vLLM: https://docs.vllm.ai/en/stable/serving/
openai_compatible_server.html. SGLang: https://docs.sglang.io (OpenAI-compatible APIs, vision).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

from curation.prompts.rules import Picture
from curation.wire.gate import LONGEST_PAUSE
from curation.wire.replies import Reply, read_completion
from curation.wire.servers import ModelServer
from curation.wire.text import PATH
from curation.wire.transport import transport_to
from evaluation.backends.asks import Ask, Decoding, Generated
from evaluation.backends.chat_requests import ChatRequest, Paid, body_of, chat_request, data_address

#: Sends a request; calls its argument with the seconds until it calls it again or the reply is there.
Send = Callable[[Callable[[float], None]], Reply]
#: Returns the reply to a request, from what is kept or by calling the sender.
Pay = Callable[[ChatRequest, Send], Paid]


class ChatGenerator:
    """A model on a server that replies with text to texts and pictures.

    Args:
        server: The server.
        model: The model's name on it.
        pay: Keeps and pays the requests; called from several threads.
        parallel: Requests at the same time.
        seconds: Time-out of one send.
        longest_pause: Seconds; a server that asks for a longer pause gets no further request of the same ask.
    """

    def __init__(
        self,
        server: ModelServer,
        model: str,
        pay: Pay,
        *,
        parallel: int,
        seconds: float,
        longest_pause: float = LONGEST_PAUSE,
    ) -> None:
        self.server = server
        self.model = model
        self.parallel = parallel
        self._pay = pay
        self._longest_pause = longest_pause
        self._transport = transport_to(server, parallel=parallel, seconds=seconds)
        self._served: set[str] = set()
        self._lock = threading.Lock()

    def generate(self, asks: Sequence[Ask], decoding: Decoding) -> list[Generated]:
        """Return one reply per ask, in their order.

        The first error cancels the asks that have not started. Replies that were paid for by then are kept, so asking
        again pays for the others only.
        """
        if self.parallel == 1 or len(asks) < 2:
            return [self._generate(ask, decoding) for ask in asks]
        with ThreadPoolExecutor(max_workers=self.parallel) as pool:
            return list(pool.map(lambda ask: self._generate(ask, decoding), asks))

    def _generate(self, ask: Ask, decoding: Decoding) -> Generated:
        request = chat_request(ask, decoding, model=self.model, server=self.server)
        reply, cost = self._pay(request, lambda hold: self._send(ask, decoding, hold))
        with self._lock:
            self._served.add(reply.served_model or self.model)
        finish: Literal["stop", "length", "refused"] = "length" if reply.finish == "length" else "stop"
        return Generated(
            text=reply.text,
            finish="refused" if reply.refused else finish,
            tokens_in=reply.tokens_in or 0,
            tokens_out=reply.tokens_out or 0,
            cost=cost,
        )

    def _send(self, ask: Ask, decoding: Decoding, hold: Callable[[float], None]) -> Reply:
        def address(place: Picture) -> str:
            picture = ask.picture_at(place)
            return "" if picture is None else data_address(picture)

        # Encoded here, so that only the pictures of requests under way are in memory as text.
        body = body_of(ask.messages, decoding, model=self.model, server=self.server, address=address)
        answer = self._transport.post(PATH, body, hold=hold, longest_pause=self._longest_pause)
        return read_completion(answer.body, sends=answer.sends, ms=answer.ms)

    def describe(self) -> dict[str, Any]:
        """Return facts for the run's record; ``served_models`` shows a hosted model that changed under its name."""
        with self._lock:
            served = sorted(self._served)
        return {
            "device": f"model server {self.server.name}",
            "model": self.model,
            "served_models": served,
            "requests_at_once": self.parallel,
            "limit_name": self.server.limit_name,
            "sends_temperature": self.server.sends_temperature,
        }
