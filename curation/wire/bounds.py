"""HTTP whose exchanges end at the time-out, however slowly bytes arrive, and whose replies have bounds."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

import httpcore2
import httpx2

#: Bytes of a reply.
LARGEST_REPLY: Final = 4_000_000

# Below the five seconds after which common servers close an unused connection: a request that is sent into a closing
# one is lost, and whether it was paid for is then unknown.
_KEEPALIVE_SECONDS: Final = 3.0
_LONGEST_REFUSAL: Final = 64_000  # bytes that are read of a refusal


class ReplyUnbounded(httpx2.TransportError):
    """The reply is larger than allowed."""


class ReplyCompressed(httpx2.TransportError):
    """The reply is compressed although that was not asked for; unpacked it could have any size."""


class _Deadline(threading.local):
    """When the exchange of the current thread has to end; reads and writes of a connection happen in its thread."""

    at: float = float("inf")


_deadline = _Deadline()


class BoundedTransport(httpx2.HTTPTransport):
    """HTTP whose exchanges end in time and whose replies have at most ``largest`` bytes.

    The package's own time-outs are for single reads: a server that sends a byte now and then would hold a thread for
    ever.

    Args:
        parallel: Connections at the same time.
        seconds: How long one exchange may take, from connecting to the reply's last byte.
        largest: Bytes of a reply.
        backend: Opens the connections.
    """

    def __init__(
        self,
        parallel: int,
        seconds: float,
        *,
        largest: int = LARGEST_REPLY,
        backend: httpcore2.NetworkBackend | None = None,
    ) -> None:
        limits = httpx2.Limits(max_connections=parallel, keepalive_expiry=_KEEPALIVE_SECONDS)
        super().__init__(trust_env=False, limits=limits)
        self._seconds, self._largest = seconds, largest
        # The public argument belongs to a pool that httpx2 makes itself; connections read the attribute when opened.
        self._pool._network_backend = _TimedBackend(backend or httpcore2.SyncBackend())  # noqa: SLF001

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        _deadline.at = time.monotonic() + self._seconds
        response = super().handle_request(request)
        is_compressed = response.headers.pop("content-encoding", "identity") != "identity"
        # A synchronous transport's stream is a SyncByteStream, which the type of `stream` leaves open.
        if not response.is_success:
            response.stream = _RefusalStream(response.stream, is_compressed)  # type: ignore[arg-type]
        elif is_compressed:
            response.close()
            raise ReplyCompressed("the reply is compressed")
        else:
            response.stream = _BoundedStream(response.stream, self._largest)  # type: ignore[arg-type]
        return response


class _BoundedStream(httpx2.SyncByteStream):
    """A reply's bytes, refused beyond the limit."""

    def __init__(self, inner: httpx2.SyncByteStream, largest: int) -> None:
        self._inner, self._largest = inner, largest

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for part in self._inner:
            size += len(part)
            if size > self._largest:
                raise ReplyUnbounded(f"the reply has more than {self._largest} bytes")
            yield part

    def close(self) -> None:
        self._inner.close()


class _RefusalStream(httpx2.SyncByteStream):
    """The beginning of a refusal's words. Its status says that nothing is to be paid, however the rest arrives."""

    def __init__(self, inner: httpx2.SyncByteStream, is_compressed: bool) -> None:
        self._inner = inner
        self._left = 0 if is_compressed else _LONGEST_REFUSAL

    def __iter__(self) -> Iterator[bytes]:
        with suppress(httpx2.TransportError):
            for part in self._inner if self._left else ():
                yield part[: self._left]
                self._left -= len(part)
                if self._left <= 0:
                    return

    def close(self) -> None:
        self._inner.close()


class _TimedBackend(httpcore2.NetworkBackend):
    """TCP connections that are opened, read and written until the deadline of their thread."""

    def __init__(self, inner: httpcore2.NetworkBackend) -> None:
        self._inner = inner

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        timeout = _remaining(timeout, httpcore2.ConnectTimeout)
        return _TimedStream(self._inner.connect_tcp(host, port, timeout, local_address, socket_options))


class _TimedStream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _remaining(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _remaining(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None) -> Any:
        timeout = _remaining(timeout, httpcore2.ConnectTimeout)
        return _TimedStream(self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _remaining(timeout: float | None, expired: type[Exception]) -> float:
    left = _deadline.at - time.monotonic()
    if left <= 0:
        raise expired("the whole exchange took too long")
    return left if timeout is None else min(timeout, left)
