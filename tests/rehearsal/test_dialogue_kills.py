"""Whatever is killed in the middle of dialogues, no turn is lost or doubled, and they come to their end."""

from __future__ import annotations

import asyncio
import contextlib
import time

import psycopg

from tests.bench.installation import Installation
from tests.live_talks import hold, prepare
from tests.rehearsal.faults import kill

DIALOGUES, ROUNDS = 4, 10
LONGEST = 120.0


class Proxy:
    """A proxy in front of pages and streams that can go away, with all its connections, and come back."""

    def __init__(self, port: int) -> None:
        self.to, self.port = port, 0
        self.server: asyncio.Server | None = None
        self.open: set[asyncio.StreamWriter] = set()

    async def start(self) -> None:
        """Accept connections, on the same port as before."""
        self.server = await asyncio.start_server(self._pass, "127.0.0.1", self.port)
        self.port = self.server.sockets[0].getsockname()[1]

    async def die(self) -> None:
        """Refuse new connections and break those there are."""
        assert self.server is not None
        self.server.close()
        for writer in list(self.open):
            writer.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self.to)
            self.open |= {writer, inner_writer}
            await asyncio.gather(self._copy(reader, inner_writer), self._copy(inner_reader, writer))
        self.open.discard(writer)
        writer.close()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
        self.open.discard(writer)
        writer.close()


def end_listening(database: str) -> None:
    """End the live process' database connections, one of which waits for notifications, once there are any."""
    until = time.monotonic() + 30
    ended: list[tuple[bool]] = []
    with psycopg.connect(database, autocommit=True) as connection:
        while not ended:
            assert time.monotonic() < until, "the live process does not come back"
            ended = connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lantern live'"
            ).fetchall()
            time.sleep(0.1)


def test_no_turn_is_lost_or_doubled_whatever_is_killed() -> None:
    with Installation() as here:
        people = prepare(here.database, here.environment, DIALOGUES)
        seen: dict[str, int] = {}

        def turns() -> int:
            """How many there are, as soon as the database answers."""
            while True:
                with contextlib.suppress(psycopg.OperationalError), psycopg.connect(here.database) as connection:
                    [(count,)] = connection.execute("select count(*) from annotation_dialogueturn").fetchall()
                    return int(count)
                time.sleep(0.1)

        def killer(proxies: tuple[Proxy, Proxy], loop: asyncio.AbstractEventLoop) -> None:
            """Kill one after the other, each after some more turns."""

            def proxy_dies() -> None:
                for proxy in proxies:
                    asyncio.run_coroutine_threadsafe(proxy.die(), loop).result(10)
                time.sleep(1)
                for proxy in proxies:
                    asyncio.run_coroutine_threadsafe(proxy.start(), loop).result(10)

            steps = {
                "live process": lambda: kill(here, "live process"),
                "listening connection": lambda: end_listening(here.database),
                "proxy": proxy_dies,
                "database": lambda: kill(here, "database"),
                "web process": lambda: kill(here, "web process"),
            }
            for n, (name, step) in enumerate(steps.items(), 1):
                while turns() < n * DIALOGUES * ROUNDS // 4:
                    time.sleep(0.05)
                step()
                seen[name] = turns()

        async def play():
            pages, streams = Proxy(here.port), Proxy(here.port + 1)
            for proxy in (pages, streams):
                await proxy.start()
            killing = asyncio.create_task(asyncio.to_thread(killer, (pages, streams), asyncio.get_running_loop()))
            notes = await hold(
                f"http://localhost:{pages.port}",
                f"http://localhost:{streams.port}/events/",
                people,
                seconds=LONGEST,
                pause=0.5,
                origin=here.base,
            )
            await killing
            return notes

        notes = asyncio.run(play())
        with psycopg.connect(here.database) as connection:
            rows = connection.execute("select dialogue_id, no, text from annotation_dialogueturn").fetchall()
            states = connection.execute("select state, turn_no from annotation_dialogue").fetchall()
            [(blind,)] = connection.execute("select count(*) from curation_blindfold").fetchall()
            made = connection.execute(
                "select state, revision_no from annotation_item where kind = 'dialogue'"
            ).fetchall()
        assert list(seen) == ["live process", "listening connection", "proxy", "database", "web process"]
        assert max(seen.values()) < len(people) * ROUNDS, "what was killed last was killed after the end"
        assert states == [("done", 2 * ROUNDS)] * DIALOGUES
        assert made == [("made", 1)] * DIALOGUES
        assert blind == 0
        assert len(rows) == 2 * ROUNDS * DIALOGUES
        assert {(dialogue, no): text for dialogue, no, text in rows} == notes.acknowledged
        assert len(notes.read) == len(rows), "a turn was never read by the partner"
        assert notes.repeats.total() > 0
