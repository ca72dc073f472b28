"""The ASGI application of the live channel: streams of events, health, metrics."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from config.channel import requests
from config.channel.database import Database
from config.channel.listener import Listener
from config.channel.requests import ChannelRequest, Refusal
from config.channel.streams import HELLO, Presences, Stream, Streams, end_those_without
from config.watch import metrics
from curation.core import live

log = logging.getLogger("lantern.live")

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

#: Seconds between pings, which keep proxies from closing a stream and tell browsers that it is alive.
PING_EVERY: Final = 15.0
#: Seconds until a stream ends, so that its session is read again. Not all at the same moment.
STREAM_SECONDS: Final = (540.0, 600.0)
#: Seconds that a browser may take to accept what is sent.
SEND_SECONDS: Final = 10.0
#: Seconds between checks of the sessions of all streams: a stream outlives its session at most so long.
CHECK_EVERY: Final = 4.0
#: Seconds between two notes that a person is here.
PRESENCE_EVERY: Final = 20.0


class Channel:
    """Passes events on to browsers."""

    def __init__(self) -> None:
        self.streams = Streams()
        self.database = Database()
        self.listener = Listener(self._pass_on, self.streams.end_all, self.database.send_probe)
        self.presences = Presences(PRESENCE_EVERY)
        self.figures = Figures(self)
        self.opening = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(ChannelRequest.of(scope), receive, send)
        else:
            await send({"type": "websocket.close"})

    # --- Start and end ---

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._tasks = [asyncio.create_task(work) for work in (self.listener.run(), self._look_after())]
                await send({"type": "lifespan.startup.complete"})
            else:
                for task in self._tasks:
                    task.cancel()
                self.streams.end_all()
                await send({"type": "lifespan.shutdown.complete"})
                return

    # --- While it runs ---

    def _pass_on(self, payload: str) -> None:
        event = live.parse(payload)
        if event is None:
            log.warning("a notification is no event of this version")
            return
        self.figures.sent[event.topic] += self.streams.send(event)

    async def _look_after(self) -> None:
        """End the streams of ended sessions, and note who is here."""
        while True:
            await asyncio.sleep(CHECK_EVERY)
            keys = {stream.session_key for stream in self.streams.every()}
            if not keys:
                continue
            try:
                in_force = await self.database.in_force(keys)
                # Streams that were opened since then have just been checked.
                checked = [stream for stream in self.streams.every() if stream.session_key in keys]
                end_those_without(checked, in_force)
                await self._note_presence(self.streams.people)
            except Exception as error:  # noqa: BLE001  (whatever it is: no stream goes on unchecked)
                log.warning("sessions could not be checked: %s", error)
                self.streams.end_all()

    async def _note_presence(self, people: Any) -> None:
        if due := self.presences.due(people, time.monotonic()):
            await self.database.record_presence(due)

    # --- Answers ---

    async def _answer(self, request: ChannelRequest, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        refusal = self._refusal(request)
        if refusal is None and request.path == requests.STREAM:
            status = await self._answer_stream(request, receive, send)
            self._log("live_stream", request, status, started)
        elif refusal is None and request.path == requests.HEALTH:
            state = json.dumps({"listening": self.listener.is_listening()}).encode()
            await _respond(send, request, 200 if self.listener.is_listening() else 503, "application/json", state)
        elif refusal is None:
            text = generate_latest(self.figures.registry)
            await _respond(send, request, 200, "text/plain; version=0.0.4; charset=utf-8", text)
        else:
            await _refuse(send, request, refusal)
            self._log("live_refused", request, refusal.status, started)

    @staticmethod
    def _refusal(request: ChannelRequest) -> Refusal | None:
        """Return why a request is refused before anything is read for it."""
        if not request.has_known_host:
            return requests.HOST_UNKNOWN
        if request.path not in {requests.STREAM, requests.HEALTH, requests.METRICS}:
            return requests.NOT_FOUND
        if request.path == requests.METRICS and not metrics.may_read(request.authorization):
            return requests.NOT_FOUND
        if request.method != "GET":
            return requests.NOT_ALLOWED
        return None if request.has_known_origin else requests.ORIGIN_UNKNOWN

    async def _answer_stream(self, request: ChannelRequest, receive: Receive, send: Send) -> int:
        opened = await self._open(request)
        if isinstance(opened, Refusal):
            self.figures.refused[opened.code] += 1
            await _refuse(send, request, opened)
            return opened.status
        watch = asyncio.create_task(_end_when_gone(receive, opened))
        try:
            # A browser that is gone or does not read needs no more of this.
            with contextlib.suppress(TimeoutError, OSError):
                await self._send_events(request, opened, send)
        finally:
            watch.cancel()
            self.streams.remove(opened)
        return 200

    async def _open(self, request: ChannelRequest) -> Stream | Refusal:
        """Return the person's new stream, or why there is none."""
        if not request.session_key:
            return requests.NOT_SIGNED_IN
        if not self.listener.is_listening():
            return requests.NOT_LISTENING
        if self.streams.is_full(self.opening):
            return requests.TOO_MANY
        self.opening += 1
        try:
            opener = await self.database.person(request.session_key)
            if opener is None:
                return requests.NOT_SIGNED_IN
            await self._note_presence([opener[0]])
        except Exception as error:  # noqa: BLE001  (whatever is wrong with the database: not now)
            log.warning("a session could not be read: %s", error)
            return requests.NOT_LISTENING
        finally:
            self.opening -= 1
        stream = Stream(opener[0], request.session_key, opener[1])
        if not self.listener.is_listening():
            return requests.NOT_LISTENING  # lost since the check above; an event may have been missed
        return stream if self.streams.add(stream) else requests.TOO_MANY

    async def _send_events(self, request: ChannelRequest, stream: Stream, send: Send) -> None:
        headers = request.headers("text/event-stream; charset=utf-8", (b"x-accel-buffering", b"no"))
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        block, until = HELLO, time.monotonic() + random.uniform(*STREAM_SECONDS)  # noqa: S311  (spreads load)
        while True:
            async with asyncio.timeout(SEND_SECONDS):
                await send({"type": "http.response.body", "body": block, "more_body": True})
            if stream.has_ended or time.monotonic() >= until:
                break
            block = await stream.take(PING_EVERY)
        async with asyncio.timeout(SEND_SECONDS):
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    @staticmethod
    def _log(operation: str, request: ChannelRequest, status: int, started: float) -> None:
        fields = {
            "operation": operation,
            "method": request.method if request.method in {"GET", "HEAD", "POST", "OPTIONS"} else "other",
            "status": status,
            "ms": round(1000 * (time.perf_counter() - started), 1),
        }
        log.info("answered", extra=fields)


class Figures(Collector):
    """What is counted, for Prometheus."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.sent = dict.fromkeys(sorted(live.TOPICS), 0)
        self.refused = dict.fromkeys(
            sorted(r.code for r in (requests.NOT_SIGNED_IN, requests.NOT_LISTENING, requests.TOO_MANY)), 0
        )
        self.registry = CollectorRegistry()
        self.registry.register(self)

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        """Yield the figures."""
        listener = self.channel.listener
        yield GaugeMetricFamily("lantern_live_streams", "Open streams.", value=len(self.channel.streams))
        yield GaugeMetricFamily("lantern_live_listening", "Whether events arrive.", value=int(listener.is_listening()))
        # A first start is none.
        again = max(0, listener.began - 1)
        yield CounterMetricFamily("lantern_live_listen_reopened", "How often LISTEN began again.", value=again)
        sent = CounterMetricFamily("lantern_live_sent", "Events put into streams.", labels=["topic"])
        for topic, count in self.sent.items():
            sent.add_metric([topic], count)
        yield sent
        refused = CounterMetricFamily("lantern_live_refused", "Streams that were refused.", labels=["code"])
        for code, count in self.refused.items():
            refused.add_metric([code], count)
        yield refused


async def _end_when_gone(receive: Receive, stream: Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


async def _respond(
    send: Send, request: ChannelRequest, status: int, content_type: str, body: bytes, *more: Any
) -> None:
    headers = request.headers(content_type, *more)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _refuse(send: Send, request: ChannelRequest, refusal: Refusal) -> None:
    await _respond(send, request, refusal.status, "application/json", refusal.body(), *refusal.headers)
