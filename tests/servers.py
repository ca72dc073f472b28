"""A real web server for tests that need sockets: Granian on 127.0.0.1, on the test's own database."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def web_server(application: str = "config.wsgi:application", **environment: str) -> Iterator[int]:
    """Run one web process with twelve threads, as the launcher does; yields its port.

    The test needs a database that keeps what it commits (``transactional_db``).
    """
    port = free_port()
    address = os.environ["DATABASE_URL"]
    home = connection.settings_dict["NAME"]
    database, _, options = address.partition("?")
    url = f"{database.rpartition('/')[0]}/{home}{'?' + options if options else ''}"
    command = [
        *(sys.executable, "-m", "granian", "--interface", "wsgi", application, "--host", "127.0.0.1"),
        *("--port", str(port), "--workers", "1", "--blocking-threads", "12", "--log-level", "warning"),
    ]
    given = {"DATABASE_URL": url, "MEDIA_ROOT": str(settings.MEDIA_ROOT), "LANTERN_DEMO": "true"} | environment
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | given)
    try:
        _until_it_listens(port, process)
        yield port
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _until_it_listens(port: int, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            assert process.poll() is None, "the web server ended"
            assert time.monotonic() < deadline, "the web server does not listen"
            time.sleep(0.1)


def send(port: int, request: bytes, seconds: float = 20) -> socket.socket:
    """Send bytes on a connection of its own and leave it open."""
    made = socket.create_connection(("127.0.0.1", port), timeout=seconds)
    made.sendall(request)
    return made


def answer(connected: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Read one answer: its status, its headers by lower-case name, and its body."""
    with connected.makefile("rb") as file:
        status = int(file.readline().split()[1])
        headers = {}
        while line := file.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.strip().lower()] = value.strip()
        return status, headers, file.read(int(headers.get("content-length", 0)))
