"""What a request to the live channel asks for, and the answers other than a stream."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http.cookie import parse_cookie
from django.http.request import split_domain_port, validate_host

STREAM: Final = "/events/"
HEALTH: Final = "/events/health"
METRICS: Final = "/events/metrics"

Headers = list[tuple[bytes, bytes]]
# As Django's middleware sets them for all other answers.
RESTRICTIONS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)


@dataclass(frozen=True)
class ChannelRequest:
    """A request, as far as it is read.

    Attributes:
        method: In capitals.
        path: The address without the query, which is ignored.
        host: The ``Host`` header.
        origin: The ``Origin`` header; browsers send none to the page's own site.
        authorization: The ``Authorization`` header.
        session_key: The session's cookie.
    """

    method: str
    path: str
    host: str
    origin: str
    authorization: str
    session_key: str

    @classmethod
    def of(cls, scope: dict[str, Any]) -> ChannelRequest:
        """Read an ASGI scope."""
        fields: Iterable[tuple[bytes, bytes]] = scope["headers"]
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in fields}
        return cls(
            method=scope["method"],
            path=scope["path"],
            host=headers.get("host", ""),
            origin=headers.get("origin", ""),
            authorization=headers.get("authorization", ""),
            session_key=parse_cookie(headers.get("cookie", "")).get(settings.SESSION_COOKIE_NAME, ""),
        )

    @property
    def has_known_host(self) -> bool:
        """Whether the request names one of the site's hosts."""
        domain, _ = split_domain_port(self.host)
        return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)

    @property
    def is_of_page_origin(self) -> bool:
        """Whether it comes from the other origin whose pages may read the channel (``LIVE_PAGE_ORIGIN``)."""
        return bool(settings.LIVE_PAGE_ORIGIN) and self.origin == settings.LIVE_PAGE_ORIGIN

    @property
    def has_known_origin(self) -> bool:
        """Whether it comes from a page of this site or of that origin."""
        if not self.origin or self.is_of_page_origin:
            return True
        try:
            return urlsplit(self.origin).netloc == self.host
        except ValueError:  # such as a bracket without its other one
            return False

    def headers(self, content_type: str, *more: tuple[bytes, bytes]) -> Headers:
        """Return an answer's headers: pages of the one other origin may read it, and no others."""
        headers: Headers = [(b"content-type", content_type.encode()), *RESTRICTIONS, *more]
        if settings.LIVE_PAGE_ORIGIN:
            headers.append((b"vary", b"Origin"))
        if self.is_of_page_origin:
            headers.append((b"access-control-allow-origin", settings.LIVE_PAGE_ORIGIN.encode()))
            headers.append((b"access-control-allow-credentials", b"true"))
        return headers


@dataclass(frozen=True)
class Refusal:
    """An answer with a code, as the API gives them."""

    status: int
    code: str
    detail: str
    headers: tuple[tuple[bytes, bytes], ...] = ()

    def body(self) -> bytes:
        """Return the JSON."""
        return json.dumps({"code": self.code, "params": {}, "detail": self.detail}).encode()


HOST_UNKNOWN: Final = Refusal(400, "host_unknown", "This site does not answer under that host name.")
NOT_SIGNED_IN: Final = Refusal(401, "not_signed_in", "Sign in first.")
ORIGIN_UNKNOWN: Final = Refusal(403, "origin_unknown", "Pages of that site may not read this.")
NOT_FOUND: Final = Refusal(404, "not_found", "There is nothing here for you.")
NOT_ALLOWED: Final = Refusal(405, "method_not_allowed", "Only GET is possible here.", ((b"allow", b"GET"),))
_LATER = ((b"retry-after", b"5"),)
TOO_MANY: Final = Refusal(503, "too_many_streams", "Too many streams are open; try again later.", _LATER)
NOT_LISTENING: Final = Refusal(503, "not_listening", "The channel does not hear the database; try again later.", _LATER)
