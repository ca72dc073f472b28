"""Many dialogues at once as browsers hold them: streams of events, reads by ``after``, repeats under one key.

For measurements and for kills: everything is noted with its time, and compared with the tables at the end.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import time
import urllib.parse
import uuid
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CSRF = "c" * 32
MD5 = "django.contrib.auth.hashers.MD5PasswordHasher"
POLL_SECONDS = 2.0
REOPEN_SECONDS = 0.5
AGAIN = {429, 500, 502, 503, 504}
FAILURES = (OSError, EOFError, asyncio.IncompleteReadError, asyncio.TimeoutError, ValueError)
LONGEST_ANSWER = 15.0  # seconds until a request is given up and repeated


@dataclass(frozen=True)
class Talker:
    """One of two people: the dialogue, the part and the session."""

    dialogue: int
    part: str
    session: str


@dataclass
class Notes:
    """What was sent and read.

    Attributes:
        sent: When a turn was sent first, by dialogue and number, in seconds.
        read: When the partner had read it.
        acknowledged: The texts of turns that the server acknowledged.
        repeats: Requests that were repeated, by what went wrong.
        polled: Reads without an event, because no stream was open.
    """

    sent: dict[tuple[int, int], float] = field(default_factory=dict)
    read: dict[tuple[int, int], float] = field(default_factory=dict)
    acknowledged: dict[tuple[int, int], str] = field(default_factory=dict)
    repeats: Counter[str] = field(default_factory=Counter)
    polled: int = 0

    def delays(self) -> list[float]:
        """Seconds from sending a turn to its reading by the partner, in ascending order."""
        return sorted(at - self.sent[turn] for turn, at in self.read.items())


def prepare(database: str, environment: dict[str, str], count: int) -> list[Talker]:
    """Begin so many dialogues of ten rounds in an empty installation; return their people."""
    given = environment | {"DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "config.settings"}
    # Nobody signs in with a password: sessions are written as signing in leaves them.
    given |= {"CELERY_BROKER_URL": "memory://", "CACHE_URL": "", "PASSWORD_HASHER": MD5}
    words = [sys.executable, "-m", "tests.live_talks", str(count)]
    done = subprocess.run(words, cwd=ROOT, env=os.environ | given, check=True, stdout=subprocess.PIPE, text=True)
    return [Talker(*row) for row in json.loads(done.stdout.splitlines()[-1])]


def _make(count: int) -> list[tuple[int, str, str]]:
    import django  # noqa: PLC0415  (in a process of its own, with the settings of the installation)

    django.setup()
    from annotation.dialogues.models import Dialogue  # noqa: PLC0415
    from tests.annotation.talks import dialogue_world, join, talker  # noqa: PLC0415
    from tests.people import signed_in  # noqa: PLC0415

    dialogue_world(2 * count, pictures=count, rounds=10)
    for n in range(1, count + 1):
        join(talker(2 * n - 1), "question")
        join(talker(2 * n), "answer")
    rows = []
    for dialogue in Dialogue.objects.order_by("pk"):
        for part, who in (("question", dialogue.questioner), ("answer", dialogue.answerer)):
            rows.append((dialogue.pk, part, signed_in(who).cookies["sessionid"].value))
    return rows


class Wire:
    """One kept connection of a signed-in person."""

    def __init__(self, base: str, session: str) -> None:
        host = urllib.parse.urlsplit(base)
        self.base, self.host, self.port = base, host.hostname or "", host.port or 80
        self.cookie = f"sessionid={session}; csrftoken={CSRF}"
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Send a request once.

        Raises:
            OSError, EOFError, asyncio.TimeoutError: No whole answer came.
        """
        try:
            return await asyncio.wait_for(self._send(method, path, body), LONGEST_ANSWER)
        except BaseException:
            self.close()
            raise

    async def _send(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        if self.streams is None:
            self.streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self.streams
        text = b"" if body is None else json.dumps(body).encode()
        writer.write(head(method, path, self.base, self.cookie, len(text)) + text)
        await writer.drain()
        status, headers = await read_head(reader)
        if "content-length" in headers:
            data = await reader.readexactly(int(headers["content-length"]))
        else:
            data = await _chunks(reader) if headers.get("transfer-encoding") == "chunked" else b""
        if headers.get("connection") == "close":
            self.close()
        return status, json.loads(data) if data and "json" in headers.get("content-type", "") else None

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self.streams is not None:
            self.streams[1].close()
        self.streams = None


def head(method: str, path: str, base: str, cookie: str, length: int) -> bytes:
    """Return the lines before a body."""
    lines = [
        f"{method} {path} HTTP/1.1",
        f"Host: {urllib.parse.urlsplit(base).netloc}",
        f"Origin: {base}",
        f"Referer: {base}/",
        f"Cookie: {cookie}",
        f"X-CSRFToken: {CSRF}",
        "Content-Type: application/json",
        f"Content-Length: {length}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """Return the status and the headers, with names in lower case.

    Raises:
        EOFError: The connection ended.
    """
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
    return int(lines[0].split(" ")[1]), headers


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    data = b""
    while size := int(await reader.readuntil(b"\r\n"), 16):
        data += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readexactly(2)
    return data


class Talk:
    """One person's page: a stream of events, or polling while there is none; writes when it is their turn.

    Args:
        base, live: The addresses of the pages and of the stream.
        origin: The page's origin as the stream's server knows it, where it is not that of ``base``.
        pause: Seconds of thought before a turn, on average.
        types: Whether a sign of typing is sent before each turn.
    """

    def __init__(
        self, base: str, live: str, who: Talker, notes: Notes, *, pause: float, types: bool = False, origin: str = ""
    ) -> None:
        self.base, self.live, self.who, self.notes = base, live, who, notes
        self.origin = origin or base
        self.pause, self.types = pause, types
        self.wire = Wire(base, who.session)
        self.held = 0
        self.state = ""
        self.news = asyncio.Event()
        self.streaming = False

    async def run(self, until: asyncio.Event) -> None:
        """Take part until the dialogue is done or ``until`` is set."""
        stream = asyncio.create_task(self._listen())
        try:
            await self.read()
            while self.state != "done" and not until.is_set():
                if self.is_my_turn():
                    await self._write(until)
                    continue
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self.news.wait(), None if self.streaming else POLL_SECONDS)
                if not self.news.is_set():
                    self.notes.polled += 1
                self.news.clear()
                await self.read()
        finally:
            stream.cancel()
            self.wire.close()

    def is_my_turn(self) -> bool:
        """Whether the next turn is one's own."""
        return self.state == "open" and (self.held % 2 == 0) == (self.who.part == "question")

    async def read(self) -> None:
        """Read the turns after those that one has, until an answer comes."""
        told = await self._until_answered("GET", f"/api/v1/dialogues/{self.who.dialogue}/turns?after={self.held}")
        now = time.monotonic()
        self.state = told["state"]
        for turn in told["turns"]:
            key = (self.who.dialogue, turn["no"])
            if turn["part"] != self.who.part:
                self.notes.read.setdefault(key, now)
            self.held = max(self.held, turn["no"])

    async def _write(self, until: asyncio.Event) -> None:
        no = self.held + 1
        path = f"/api/v1/dialogues/{self.who.dialogue}"
        if self.types:
            await self._until_answered("POST", f"{path}/sign", {"typing": True})
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(until.wait(), random.uniform(0.5, 1.5) * self.pause)
        if until.is_set():
            return
        text = f"第{no}个问题：左边有什么？" if no % 2 else f"左边有{no}只熊猫，右边是第{self.who.dialogue}个。"
        body = {"no": no, "text": text, "client_key": str(uuid.uuid4())}
        self.notes.sent.setdefault((self.who.dialogue, no), time.monotonic())
        told = await self._until_answered("POST", f"{path}/turns", body)
        self.notes.acknowledged[self.who.dialogue, no] = text
        self.held, self.state = max(self.held, no), told["state"]

    async def _until_answered(self, method: str, path: str, body: Any = None) -> Any:
        while True:
            try:
                status, told = await self.wire.send(method, path, body)
            except FAILURES as error:
                self.notes.repeats[type(error).__name__] += 1
            else:
                if status < 400:
                    return told
                if status not in AGAIN:
                    raise AssertionError(f"{method} {path}: {status} {told}")
                self.notes.repeats[f"HTTP {status}"] += 1
            await asyncio.sleep(0.2)

    async def _listen(self) -> None:
        """Keep a stream open, as a page does: it is opened again after half a second, and looks once it is there."""
        while True:
            with contextlib.suppress(*FAILURES):
                await self._events()
            self.streaming = False
            self.news.set()
            await asyncio.sleep(REOPEN_SECONDS)

    async def _events(self) -> None:
        host = urllib.parse.urlsplit(self.live)
        reader, writer = await asyncio.open_connection(host.hostname, host.port)
        try:
            writer.write(head("GET", host.path, self.origin, self.wire.cookie, 0))
            status, _ = await read_head(reader)
            if status != 200:
                return
            event = ""
            while line := await reader.readline():
                name, _, value = line.decode().strip().partition(": ")
                if name == "event":
                    event = value
                elif name == "data" and self._is_news(event, json.loads(value)):
                    self.news.set()
        finally:
            writer.close()

    def _is_news(self, event: str, data: Any) -> bool:
        if event == "hello":
            self.streaming = True
            return True
        return event == "look" and data["topic"] == "dialogue" and data["n"] > self.held


async def hold(base: str, live: str, people: list[Talker], *, seconds: float, **how: Any) -> Notes:
    """Let all people take part until every dialogue is done, or for so many seconds."""
    notes, until = Notes(), asyncio.Event()
    talks = [asyncio.create_task(Talk(base, live, who, notes, **how).run(until)) for who in people]
    _, late = await asyncio.wait(talks, timeout=seconds)
    until.set()
    if late:
        await asyncio.wait(late, timeout=2 * LONGEST_ANSWER)
    for talk in talks:
        if not talk.done():
            talk.cancel()
            continue
        talk.result()
    return notes


if __name__ == "__main__":
    print(json.dumps(_make(int(sys.argv[1]))))  # noqa: T201
