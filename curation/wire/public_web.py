"""Fetching a file from an address that a person typed, without reaching anything that is not public.

The address's host is resolved once for each connection, all its addresses are checked, and the connection goes to one
of the checked addresses; so neither an address of this network, nor a redirect, nor a name that resolves differently
the second time leads inside. Certificates are checked against the name.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from http import HTTPStatus
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from time import monotonic
from typing import Any, Final

import httpcore2
import httpx2

from curation.wire.bounds import BoundedTransport, ReplyCompressed, ReplyUnbounded
from curation.wire.gate import asked_pause

Network = IPv4Network | IPv6Network

LONGEST_URL: Final = 2_000  # characters
MOST_REDIRECTS: Final = 3
PORTS: Final = {"http": 80, "https": 443}
_CONNECT_SECONDS: Final = 10.0
_ADDRESSES_TRIED: Final = 3
_BLOCK: Final = 1 << 16  # bytes
LONGEST_PAUSE: Final = 60.0  # seconds
_REDIRECTS: Final = (301, 302, 303, 307, 308)

# What is not public: the IANA registries of special-purpose addresses (RFC 6890), multicast, and one public address
# that cloud machines answer themselves. Not ``ipaddress.is_global``, whose list differs between versions of Python.
_NOT_PUBLIC: Final = tuple(
    ip_network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"),
        *("203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        "168.63.129.16/32",  # Azure's own services
        # Teredo, ORCHID and other protocol assignments, documentation, 6to4.
        *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
    )
)
# The only part of IPv6 that is assigned to the internet; mapped, translated, local and multicast ones are outside.
_PUBLIC_V6: Final = IPv6Network("2000::/3")


class FetchFailed(Exception):
    """A file was not fetched; ``code`` and ``params`` are those of the error that people see.

    ``pause`` is how many seconds the host wants to be left alone.
    """

    def __init__(self, code: str, *, pause: float = 0.0, **params: Any) -> None:
        self.code = code
        self.pause = pause
        self.params = params
        super().__init__(code)


def check_url(text: str) -> httpx2.URL:
    """Return the address as it is sent: an international host in its ASCII form, other characters escaped.

    Raises:
        FetchFailed: It is no web address, or one that is never fetched.
    """
    if len(text) > LONGEST_URL:
        raise FetchFailed("url_too_long", maximum=LONGEST_URL)
    try:
        url = httpx2.URL(text)
        host = url.raw_host.decode("ascii")
    except (httpx2.InvalidURL, UnicodeError) as error:
        raise FetchFailed("url_malformed") from error
    if "\\" in text or any(c.isspace() for c in text.strip()) or text != text.strip():
        raise FetchFailed("url_malformed")
    if url.scheme not in PORTS:
        raise FetchFailed("url_not_web", scheme=url.scheme)
    if not host or "%" in host or len(host) > 253:
        raise FetchFailed("url_malformed")
    if url.userinfo:
        raise FetchFailed("url_has_password")
    if (url.port or PORTS[url.scheme]) not in PORTS.values():
        raise FetchFailed("url_port_not_allowed", port=url.port)
    return url.copy_with(fragment=None)


def is_public(address: str, blocked: Sequence[Network] = ()) -> bool:
    """Return whether an IP address belongs to the public internet, and to no network of ``blocked``."""
    ip = ip_address(address)
    if ip.version == 6 and ip not in _PUBLIC_V6:
        return False
    return not any(ip in network for network in (*_NOT_PUBLIC, *blocked) if network.version == ip.version)


def resolve(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host, as the system resolves it.

    Raises:
        OSError: It has none.
    """
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in rows))


def connect(address: str, port: int, timeout: float | None, options: Iterable[Any] | None) -> httpcore2.NetworkStream:
    """Open a TCP connection to an IP address."""
    return httpcore2.SyncBackend().connect_tcp(address, port, timeout, None, options)


class _PublicBackend(httpcore2.NetworkBackend):
    """Opens connections to public addresses only."""

    def __init__(self, blocked: Sequence[Network]) -> None:
        self._blocked = blocked

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        try:
            addresses = resolve(host, port)
        except (OSError, UnicodeError):
            addresses = []
        # Also if only one of them is inside. A host that is inside gets the answer of one that does not exist, so that
        # nobody learns the names of this network.
        if not addresses or not all(is_public(address, self._blocked) for address in addresses):
            raise FetchFailed("url_not_public", host=host)
        for address in addresses[: _ADDRESSES_TRIED - 1]:
            with suppress(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                return connect(address, port, timeout, socket_options)
        return connect(addresses[:_ADDRESSES_TRIED][-1], port, timeout, socket_options)


def fetch(
    text: str,
    *,
    largest: int,
    seconds: float,
    user_agent: str,
    blocked: Sequence[Network] = (),
    before_request: Callable[[str], None] = lambda _: None,
) -> Iterator[bytes]:
    """Yield the bytes of the file at an address, as they arrive.

    Args:
        text: The address.
        largest: Most bytes of the file.
        seconds: How long it may take in all, redirects included; pauses of ``before_request`` do not count.
        user_agent: Names this site to the other one.
        blocked: Further networks that are not connected to.
        before_request: Called with the host before each request; may wait.

    Raises:
        FetchFailed: It was not fetched, or not completely.
    """
    url, remaining = check_url(text), seconds
    for _ in range(MOST_REDIRECTS + 1):
        before_request(url.raw_host.decode())
        started = monotonic()
        try:
            target = yield from _exchange(url, largest, remaining, user_agent, blocked)
        except ReplyUnbounded as error:
            raise FetchFailed("url_file_too_large", maximum=largest) from error
        except ReplyCompressed as error:
            raise FetchFailed("url_answer_compressed") from error
        except httpx2.TimeoutException as error:
            raise FetchFailed("url_too_slow", seconds=round(seconds)) from error
        except httpx2.ConnectError as error:
            raise FetchFailed("url_not_connected", host=url.host) from error
        except httpx2.TransportError as error:
            raise FetchFailed("url_answer_broken") from error
        if target is None:
            return
        url = target
        remaining = max(0.0, remaining - (monotonic() - started))
    raise FetchFailed("url_redirected_too_often", maximum=MOST_REDIRECTS)


def _exchange(
    url: httpx2.URL, largest: int, seconds: float, user_agent: str, blocked: Sequence[Network]
) -> Generator[bytes, None, httpx2.URL | None]:
    """Yield the bytes of the answer to one request, or return the address that it redirects to."""
    # Each request has a connection and a client of its own: nothing is sent again, neither cookies nor names.
    transport = BoundedTransport(1, seconds, largest=largest, backend=_PublicBackend(blocked))
    timeout = httpx2.Timeout(max(seconds, 0.001), connect=min(seconds, _CONNECT_SECONDS))
    headers = {"User-Agent": user_agent, "Accept": "image/*, */*;q=0.1", "Accept-Encoding": "identity"}
    with (
        httpx2.Client(transport=transport, timeout=timeout, trust_env=False, follow_redirects=False) as client,
        client.stream("GET", url, headers=headers) as response,
    ):
        if response.status_code in _REDIRECTS and "location" in response.headers:
            return _redirect_target(url, response.headers["location"])
        if response.status_code != HTTPStatus.OK:
            pause = min(LONGEST_PAUSE, asked_pause(response.headers) or 0.0)
            raise FetchFailed("url_status", status=response.status_code, pause=pause)
        announced = response.headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > largest:
            raise FetchFailed("url_file_too_large", maximum=largest)
        yield from response.iter_raw(_BLOCK)
    return None


def _redirect_target(url: httpx2.URL, location: str) -> httpx2.URL:
    try:
        return check_url(str(url.join(location)))
    except (httpx2.InvalidURL, FetchFailed) as error:
        raise FetchFailed("url_redirect_refused", host=url.host) from error
