"""Web servers on this machine that stand for public ones: names and IP addresses are a test's, sockets are real.

Only the two functions at the edge of the network are replaced, so that every check of addresses stays in force.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from curation.wire import public_web

#: A public address that the servers of tests have.
PUBLIC = "93.184.215.14"

Page = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Web:
    """What tests change and look at.

    Attributes:
        hosts: The IP addresses of each host; a list of lists is one for each time it is resolved.
        pages: The answer at each path: bytes, or a function that writes it.
        connected: Every IP address and port that a connection was opened to.
        requests: Every request, as host, path and headers.
    """

    hosts: dict[str, list[Any]] = field(default_factory=dict)
    pages: dict[str, bytes | Page] = field(default_factory=dict)
    connected: list[tuple[str, int]] = field(default_factory=list)
    requests: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)

    def resolve(self, host: str, port: int) -> list[str]:
        """Resolve a host as the test wants; IP addresses resolve to themselves, as everywhere."""
        self.resolved.append(host)
        addresses = self.hosts.get(host)
        if addresses is None:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
            return [str(address[0]) for *_, address in rows]
        if addresses and isinstance(addresses[0], list):
            return list(addresses.pop(0) if len(addresses) > 1 else addresses[0])
        return list(addresses)


def redirect(to: str, status: int = 302) -> Page:
    """An answer that leads elsewhere."""

    def page(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Location", to)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return page


def answer(body: bytes, status: int = 200, **headers: str) -> Page:
    """An answer with headers of its own: ``Content_Length`` is ``Content-Length``; without it, the end is the close."""

    def page(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(body)

    return page


@contextmanager
def serving(monkeypatch: Any) -> Iterator[Web]:
    """Serve pages to everything that :mod:`curation.wire.public_web` connects to."""
    web = Web()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            web.requests.append((self.headers["Host"], self.path, dict(self.headers)))
            page = web.pages.get(self.path)
            if page is None:
                page = answer(b"no such page", 404)
            if isinstance(page, bytes):
                page = answer(page, Content_Length=str(len(page)))
            with suppress(BrokenPipeError, ConnectionResetError):
                page(self)
            self.close_connection = True

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    connect = public_web.connect

    def local(address: str, port: int, timeout: float | None, options: Any) -> Any:
        web.connected.append((address, port))
        return connect("127.0.0.1", server.server_port, timeout, options)

    monkeypatch.setattr(public_web, "resolve", web.resolve)
    monkeypatch.setattr(public_web, "connect", local)
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()
