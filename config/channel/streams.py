"""The open streams of one process: whose they are, what waits to be sent on each, how many there may be."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Iterable
from typing import Final

from curation.core.live import Event

#: Streams of one person: pages of one browser share one, so these are devices, and tabs where sharing is impossible.
STREAMS_PER_PERSON: Final = 6
#: Streams of one process, each of about 75 kB. Granian serves 1,024 requests at a time, health among them.
STREAMS_IN_ALL: Final = 800
#: Rows with events that wait on a stream whose browser does not read. Then it ends; when the browser opens
#: the next one, it reads everything again.
WAITING_ROWS: Final = 64

# Sent as data, because browsers drop events without any.
HELLO: Final = b"event: hello\ndata: {}\n\n"
PING: Final = b"event: ping\ndata: {}\n\n"


def look(event: Event) -> bytes:
    """Return an event as browsers get it: without the people."""
    data = json.dumps({"topic": event.topic, "id": event.target, "n": event.n}, separators=(",", ":"))
    return f"event: look\ndata: {data}\n\n".encode()


class Stream:
    """One open stream.

    Attributes:
        person_id: Whose it is.
        session_key: The session that opened it.
        password_hash: What the session's password hash was then.
        has_ended: Nothing more is to be sent.
    """

    def __init__(self, person_id: int, session_key: str, password_hash: str) -> None:
        self.person_id = person_id
        self.session_key = session_key
        self.password_hash = password_hash
        self.has_ended = False
        # Of each row the newest event: that is all that a page needs.
        self._waiting: dict[tuple[str, int], bytes] = {}
        self._wake = asyncio.Event()

    def put(self, row: tuple[str, int], block: bytes) -> None:
        """Have a row's event sent in place of an earlier one; if too many rows wait, the stream ends without them."""
        if self.has_ended:
            return
        self._waiting[row] = block
        self._wake.set()
        if len(self._waiting) > WAITING_ROWS:
            self.end()

    def end(self) -> None:
        """Send nothing more."""
        self.has_ended = True
        self._waiting.clear()
        self._wake.set()

    async def take(self, seconds: float) -> bytes:
        """Return what waits, once something does; a ping if nothing comes in that many seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return PING
        self._wake.clear()
        blocks, self._waiting = self._waiting, {}
        return b"".join(blocks.values())


class Streams:
    """All open streams by person."""

    def __init__(self, *, per_person: int = STREAMS_PER_PERSON, in_all: int = STREAMS_IN_ALL) -> None:
        self.per_person = per_person
        self.in_all = in_all
        self._by_person: dict[int, set[Stream]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def people(self) -> Collection[int]:
        """Who has a stream."""
        return self._by_person.keys()

    def every(self) -> list[Stream]:
        """Return all streams."""
        return [stream for streams in self._by_person.values() for stream in streams]

    def is_full(self, opening: int = 0) -> bool:
        """Whether there is no place for another, with so many that are being opened."""
        return self._count + opening >= self.in_all

    def add(self, stream: Stream) -> bool:
        """Keep a stream; False if there is no place for it, in all or for its person."""
        own = self._by_person.get(stream.person_id, set())
        if self.is_full() or len(own) >= self.per_person:
            return False
        self._by_person.setdefault(stream.person_id, own).add(stream)
        self._count += 1
        return True

    def remove(self, stream: Stream) -> None:
        """Forget a stream; nothing if it is not here any more."""
        own = self._by_person.get(stream.person_id, set())
        if stream not in own:
            return
        own.remove(stream)
        self._count -= 1
        if not own:
            del self._by_person[stream.person_id]

    def send(self, event: Event) -> int:
        """Put an event into the streams of its people; return how many."""
        row, block, count = (event.topic, event.target), look(event), 0
        for person in event.people:
            for stream in self._by_person.get(person, ()):
                stream.put(row, block)
                count += 1
        return count

    def end_all(self) -> None:
        """End every stream, so that browsers open others and read everything again."""
        for stream in self.every():
            stream.end()


def end_those_without(streams: Iterable[Stream], in_force: dict[str, str]) -> None:
    """End those of the streams whose session is not in force any more, or whose password changed since."""
    for stream in streams:
        if in_force.get(stream.session_key) != stream.password_hash:
            stream.end()


class Presences:
    """When each person's presence was last written, so that it is written at most once in so many seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._written: dict[int, float] = {}

    def due(self, people: Iterable[int], now: float) -> list[int]:
        """Return those to be written now, and count them as written."""
        self._written = {person: at for person, at in self._written.items() if now - at < self.seconds}
        due = [person for person in people if person not in self._written]
        self._written |= dict.fromkeys(due, now)
        return due
