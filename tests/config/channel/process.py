"""A real live process on the test's database, and streams of it as a browser reads them."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parents[3]
PAGE = "http://localhost:8000"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Reader:
    """One open stream."""

    connection: http.client.HTTPConnection
    response: http.client.HTTPResponse
    events: list[tuple[str, dict]] = field(default_factory=list)

    def next(self, seconds: float = 10) -> tuple[str, dict] | None:
        """The next event, or None when the stream has ended."""
        self.connection.sock.settimeout(seconds)
        name = ""
        while line := self.response.readline():
            text = line.decode().rstrip("\n")
            if text.startswith("event: "):
                name = text[7:]
            elif text.startswith("data: "):
                return name, json.loads(text[6:])
        return None

    def is_silent(self, seconds: float = 0.5) -> bool:
        """Nothing comes, and the stream goes on."""
        try:
            self.next(seconds)
        except TimeoutError:
            # http.client reads no more after a time-out.
            self.close()
            return True
        return False

    def close(self) -> None:
        self.connection.close()


class Live:
    """The process and its address."""

    def __init__(self, port: int, log: Path) -> None:
        self.port, self.log = port, log
        self.readers: list[Reader] = []

    def ask(self, path: str = "/events/", *, method: str = "GET", session: str = "", **headers: str):
        """A request; return the connection and the answer, of which nothing is read."""
        asking = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        cookie = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={session}"} if session else {}
        asking.request(method, path, headers={"Host": f"localhost:{self.port}"} | cookie | headers)
        return asking, asking.getresponse()

    def status(self, path: str = "/events/", **more: str) -> int:
        asking, answer = self.ask(path, **more)
        asking.close()
        return answer.status

    def open(self, browser, **headers: str) -> Reader:
        """A stream of a signed-in browser, after its hello."""
        asking, answer = self.ask(session=browser.cookies[settings.SESSION_COOKIE_NAME].value, **headers)
        assert answer.status == 200, answer.read()
        reader = Reader(asking, answer)
        self.readers.append(reader)
        assert reader.next() == ("hello", {})
        return reader

    def is_healthy(self) -> bool:
        try:
            return self.status("/events/health") == 200
        except OSError:
            return False

    def figures(self, token: str) -> dict[str, float]:
        asking, answer = self.ask("/events/metrics", Authorization=f"Bearer {token}")
        lines = [line for line in answer.read().decode().splitlines() if line and line[0] != "#"]
        asking.close()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def wait_until(condition, live: Live | None = None, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, live.log.read_text()[-3000:] if live else "waited too long"
        time.sleep(0.05)


def address() -> str:
    """The test's database as the application names one."""
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()


@contextmanager
def live_process(log: Path, **environment: str) -> Iterator[Live]:
    """The process as the launcher starts it; ended at the end, with everything it started."""
    live = Live(free_port(), log)
    words = [sys.executable, "-m", "granian", "--interface", "asgi", "config.live:application", "--no-ws"]
    words += ["--host", "127.0.0.1", "--port", str(live.port), "--workers", "1", "--workers-kill-timeout", "2"]
    own = {"LANTERN_DEMO": "true", "LIVE_PAGE_ORIGIN": PAGE, "LIVE_ORIGIN": f"http://localhost:{live.port}"}
    variables = os.environ | {"DATABASE_URL": address(), "METRICS_TOKEN": "t" * 30} | own | environment
    with log.open("ab") as out:
        process = subprocess.Popen(words, cwd=ROOT, env=variables, stdout=out, stderr=out, start_new_session=True)
    try:
        yield live
    finally:
        for reader in live.readers:
            reader.close()
        process.terminate()
        try:
            process.wait(5)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
