"""Sending requests to a model server through the ``openai`` package, with our own loop of repeats.

The package would itself repeat 408, 409, 5xx and time-outs, each of which may have been paid for, without saying so.
Here a request that may cost something is repeated only when it certainly was not carried out: the server refused it
because of its limit (429), or no connection was made.

Replies and exchanges have the bounds of :mod:`curation.wire.bounds`. Redirects are not followed and proxies of the
environment not used, because pictures, texts and keys must not leave for another host.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import httpx2
import openai

from curation.wire.bounds import BoundedTransport, ReplyCompressed, ReplyUnbounded
from curation.wire.errors import (
    Limited,
    NotConnected,
    Rejected,
    ReplyLost,
    ReplyTooLarge,
    ReplyUnreadable,
    RequestFailed,
    TimedOut,
    shorten,
)
from curation.wire.gate import LONGEST_PAUSE, RENEWED_AFTER, SENDS, asked_pause, exhausted_for, gate_of
from curation.wire.replies import storable
from curation.wire.servers import ModelServer

_FIRST_PAUSE = 0.5  # seconds, doubled with each send up to the next
_LONGEST_BACKOFF: Final = 8.0
_CONNECT_SECONDS: Final = 5.0  # a running server accepts at once, however long its answers take
_LONGEST_REASON: Final = 300  # characters of a server's own words
# Characters of a key that is cut out of replies. Shorter ones are placeholders such as "EMPTY", which replies may hold.
_SHORTEST_SECRET: Final = 16

# Headers with which the package would describe this machine and its environment variables.
_OMITTED_HEADERS: Final = {
    name: openai.Omit()
    for name in (
        *("X-Stainless-Lang", "X-Stainless-Package-Version", "X-Stainless-OS", "X-Stainless-Arch"),
        *("X-Stainless-Runtime", "X-Stainless-Runtime-Version", "X-Stainless-Async", "X-Stainless-Raw-Response"),
        *("X-Stainless-Retry-Count", "X-Stainless-Read-Timeout", "OpenAI-Organization", "OpenAI-Project"),
    )
}
_PASSING: Final = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT)


class Answer(NamedTuple):
    """A reply with status 2xx: its JSON, how often the request was sent, and the milliseconds of the last send."""

    body: object
    sends: int
    ms: int


class Transport:
    """Sends requests to one server.

    Args:
        server: The server.
        parallel: Requests to it at the same time, in this process.
        seconds: Time-out of one send.
    """

    def __init__(self, server: ModelServer, *, parallel: int, seconds: float) -> None:
        self.server = server
        self.seconds = seconds
        self._gate = gate_of(server.name, parallel)
        self._address = _address_in_words(server.url)
        self._headers: dict[str, Any] = {**_OMITTED_HEADERS, "User-Agent": "lantern", "Accept-Encoding": "identity"}
        if not server.key:
            self._headers["Authorization"] = openai.Omit()
        timeout = httpx2.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS))
        self._client = openai.OpenAI(
            api_key=server.key or "none",
            base_url=server.base_url,
            timeout=timeout,
            max_retries=0,
            http_client=httpx2.Client(
                timeout=timeout,
                follow_redirects=False,
                trust_env=False,
                transport=BoundedTransport(parallel, seconds),
            ),
        )

    def get(self, address: str, *, sends: int = SENDS) -> Answer:
        """Fetch facts, which cost nothing; an address outside of ``/v1`` is given whole.

        Raises:
            RequestFailed: See :meth:`post`.
        """
        return self._repeat(
            lambda options: self._client.get(address, cast_to=httpx2.Response, options=options), sends, free=True
        )

    def post(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        sends: int = SENDS,
        free: bool = False,
        hold: Callable[[float], None] | None = None,
        longest_pause: float = LONGEST_PAUSE,
    ) -> Answer:
        """Send a request.

        Args:
            path: Below the server's base address.
            body: Its JSON.
            sends: How often it is sent at most.
            free: Whether a repeat costs nothing, so that time-outs, broken connections and 5xx are repeated as well.
            hold: Called before each send and each pause, and now and then while the next send waits for its turn,
                with the seconds until it is called again or the reply is there. What it raises ends the loop.
            longest_pause: Seconds; a server that asks for a longer pause gets no further request of this call, and none
                at all while it wants none of this process for longer.

        Raises:
            NotConnected, Limited: The server certainly did not carry the request out.
            Rejected: It answered with another status.
            ReplyLost, ReplyUnreadable: Whether it carried the request out is unknown, or its reply cannot be used.
        """
        return self._repeat(
            lambda options: self._client.post(path, cast_to=httpx2.Response, body=body, options=options),
            sends,
            free=free,
            hold=hold,
            longest_pause=longest_pause,
        )

    def _repeat(
        self,
        send: Callable[[Any], httpx2.Response],
        sends: int,
        *,
        free: bool,
        hold: Callable[[float], None] | None = None,
        longest_pause: float = LONGEST_PAUSE,
    ) -> Answer:
        hold = hold or (lambda _: None)

        def renew() -> None:
            hold(RENEWED_AFTER + self.seconds)

        for number in range(1, sends + 1):
            spread = 0.5 + random.random() / 2  # noqa: S311  (keeps repeats of many apart; no secret)
            backoff = min(_LONGEST_BACKOFF, _FIRST_PAUSE * 2 ** (number - 1)) * spread
            pause: float | None = None
            if (paused := self._gate.paused_for()) > longest_pause:
                raise Limited("it asked for a pause before", number - 1, paused)
            # Nothing is held before the first send, however long it waits.
            with self._gate.turn(renew if number > 1 else lambda: None) as started:
                hold(self.seconds)
                try:
                    response = send({"headers": self._headers})
                except openai.OpenAIError as error:
                    failure = self._failure(error, number)
                    if isinstance(error, openai.APIStatusError):
                        pause = asked_pause(error.response.headers)
                    if isinstance(failure, Limited):
                        self._gate.limited(min(LONGEST_PAUSE, backoff if pause is None else pause), started)
                else:
                    self._gate.succeeded(min(LONGEST_PAUSE, exhausted_for(response.headers) or 0.0))
                    return Answer(self._json(response, number), number, round((time.monotonic() - started) * 1000))
            if number == sends or not _repeatable(failure, free=free) or (pause or 0.0) > longest_pause:
                raise failure
            pause = backoff if pause is None else pause
            hold(pause + self.seconds)
            time.sleep(pause)
        raise ValueError("a request is sent at least once")

    def _failure(self, error: openai.OpenAIError, sends: int) -> RequestFailed:
        if isinstance(error, openai.APIStatusError):
            words, code = _error_words(error.body)
            status = error.status_code
            if status == HTTPStatus.TOO_MANY_REQUESTS:
                text = self._public_text(f"{status} {words}".strip())
                return Limited(text, sends, asked_pause(error.response.headers) or 0.0)
            return Rejected(status, self._public_text(words), sends, self._public_text(code)[:64])
        cause = error.__cause__ or error
        reason = self._public_text(f"{type(cause).__name__}: {cause}" if str(cause) else type(cause).__name__)
        if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout):
            return NotConnected(reason, sends)
        if isinstance(cause, ReplyUnbounded):
            return ReplyTooLarge(reason, sends)
        if isinstance(cause, ReplyCompressed):
            return ReplyUnreadable(reason, sends)
        if isinstance(cause, httpx2.TimeoutException):
            return TimedOut(reason, sends)
        return ReplyLost(reason, sends)

    def _json(self, response: httpx2.Response, sends: int) -> object:
        try:
            body: object = json.loads(response.content)
            # Without an escape every character is in JSON as it is.
            if b"\\" in response.content or (self.server.key and self.server.key.encode() in response.content):
                body = _with_texts(body, self._keepable)
        except (ValueError, RecursionError) as error:
            raise ReplyUnreadable(f"its answer cannot be read ({type(error).__name__})", sends) from None
        return body

    def _keepable(self, text: str) -> str:
        """A text of a reply as it is kept and shown: without the key, which a server could repeat."""
        key = self.server.key
        return storable(text.replace(key, "…") if len(key) >= _SHORTEST_SECRET else text)

    def _public_text(self, words: str) -> str:
        """A server's own words, short, without its key and address."""
        if self.server.key:
            words = words.replace(self.server.key, "…")
        return shorten(self._address.sub(self.server.name, words), _LONGEST_REASON)


@lru_cache(maxsize=32)
def transport_to(server: ModelServer, *, parallel: int, seconds: float) -> Transport:
    """The transport to a server in this process, so that its connections are used again; of two made at once any."""
    return Transport(server, parallel=parallel, seconds=seconds)


def _repeatable(failure: RequestFailed, *, free: bool) -> bool:
    if isinstance(failure, Limited | NotConnected):
        return True
    if isinstance(failure, Rejected):
        return free and (failure.status >= HTTPStatus.INTERNAL_SERVER_ERROR or failure.status in _PASSING)
    return free and not isinstance(failure, ReplyUnreadable)


def _with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """JSON with each of its texts changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_with_texts(part, change) for part in value]
    if isinstance(value, dict):
        return {change(name): _with_texts(part, change) for name, part in value.items()}
    return value


def _address_in_words(url: str) -> re.Pattern[str]:
    """A server's address as servers and libraries write it: whole, as host and port, or its host alone.

    A host without a dot, as containers have, stays where it is alone: it may be any word.
    """
    parts = urlsplit(url)
    netloc, host = re.escape(parts.netloc), parts.hostname or ""
    forms = [re.escape(url), f"https?://{netloc}"]
    if parts.port:
        forms.append(netloc)
    if "." in host or ":" in host:
        forms.append(rf"(?<![\w.-]){re.escape(host)}(?![\w-])")
    return re.compile("|".join(forms), re.IGNORECASE)


def _error_words(body: object) -> tuple[str, str]:
    """The server's own message and code: most nest them under ``error``, SGLang does not."""
    code = ""
    while isinstance(body, Mapping):
        code = str(body.get("code") or code)
        body = body.get("error") or body.get("message") or body.get("detail") or ""
    return str(body or ""), code
