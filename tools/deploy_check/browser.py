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
from typing import Any

from tools.deploy_check.report import check
from tools.deploy_check.stage import SITE, Stage


class Browser:
    """Asks the site by its name, over TLS, trusting the certificate that was made for it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.cookies = http.cookiejar.CookieJar()
        context = ssl.create_default_context(cafile=str(stage.folder / "tls" / "fullchain.pem"))
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=context),
            urllib.request.HTTPCookieProcessor(self.cookies),
            _NoRedirect(),
        )
        self.base = f"https://{SITE}:{stage.ports['https']}"

    def ask(
        self, path: str, body: object = None, *, base: str = "", method: str = "", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer; a body of bytes is sent as it is, any other as JSON."""
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if data is not None:
            token = next((c.value or "" for c in self.cookies if c.name == "csrftoken"), "")
            fields = {"Content-Type": "application/json", "X-CSRFToken": token, "Referer": f"https://{SITE}/"} | fields
        address = (base or self.base) + path
        request = urllib.request.Request(address, data, fields, method=method or None)  # noqa: S310  (http or https)
        with resolve_site(self.stage):
            try:
                with self.opener.open(request, timeout=60) as answer:
                    return answer.status, _titled(answer.headers), answer.read()
            except urllib.error.HTTPError as refusal:
                return refusal.code, _titled(refusal.headers), refusal.read()

    def sign_in(self, username: str) -> int:
        """Sign in as a person of the installation, who all have the same password; return the answer's status."""
        self.ask("/_allauth/browser/v1/config")
        account = {"username": username, "password": self.stage.secrets["people"]}
        return self.ask("/_allauth/browser/v1/auth/login", account)[0]

    def read(self, path: str, body: object = None) -> Any:
        """The JSON of an answer.

        Raises:
            Failed: It is a refusal.
        """
        status, _, answer = self.ask(path, body)
        check(status < 300, f"{path} is answered", (status, answer[:500]))
        return json.loads(answer)


def _titled(headers: Message) -> dict[str, str]:
    return {name.title(): value for name, value in headers.items()}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: object, **kwargs: object) -> None:
        """Return redirects to the caller; do not follow them."""


@contextlib.contextmanager
def resolve_site(stage: Stage) -> Iterator[None]:
    """Resolve the site's name to its proxy's address while the block runs."""
    real = socket.getaddrinfo

    def resolve(host: object, *args: object, **kwargs: object) -> object:
        return real(stage.host("https").address if host == SITE else host, *args, **kwargs)  # type: ignore[arg-type]

    socket.getaddrinfo = resolve  # type: ignore[assignment]
    try:
        yield
    finally:
        socket.getaddrinfo = real
