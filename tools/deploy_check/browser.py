"""A browser: asks the site by its name, over TLS."""

from __future__ import annotations

import contextlib
import http.cookiejar
import json
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message

from tools.deploy_check.stage import SITE, Stage


class Browser:
    """Asks the site by its name, over TLS, trusting the certificate that was made for it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.cookies = http.cookiejar.CookieJar()
        context = ssl.create_default_context(cafile=str(stage.folder / "tls" / "fullchain.pem"))
        port = stage.ports["https"]

        self.opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=context),
            urllib.request.HTTPCookieProcessor(self.cookies),
            _NoRedirect(),
        )
        self.base = f"https://{SITE}:{port}"

    def ask(
        self, path: str, body: object = None, *, base: str = "", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer."""
        data = None if body is None else json.dumps(body).encode()
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if data is not None:
            token = next((c.value or "" for c in self.cookies if c.name == "csrftoken"), "")
            given |= {"Content-Type": "application/json", "X-CSRFToken": token, "Referer": f"https://{SITE}/"}
        request = urllib.request.Request((base or self.base) + path, data, given)  # noqa: S310  (http or https, from here)
        with named_site():
            try:
                with self.opener.open(request, timeout=30) as answer:
                    return answer.status, _titled(answer.headers), answer.read()
            except urllib.error.HTTPError as refusal:
                return refusal.code, _titled(refusal.headers), refusal.read()


def _titled(headers: Message) -> dict[str, str]:
    return {name.title(): value for name, value in headers.items()}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: object, **kwargs: object) -> None:
        """Answers are looked at as they come."""


@contextlib.contextmanager
def named_site() -> Iterator[None]:
    """Let the site's name mean loopback while something is asked."""
    real = socket.getaddrinfo

    def found(host: object, *args: object, **kwargs: object) -> object:
        return real("127.0.0.1" if host == SITE else host, *args, **kwargs)  # type: ignore[arg-type]

    socket.getaddrinfo = found  # type: ignore[assignment]
    try:
        yield
    finally:
        socket.getaddrinfo = real
