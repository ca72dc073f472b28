"""A signed-in person whose network fails now and then: every request is repeated until it is answered."""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.parse
import uuid
from collections import Counter
from http.cookies import SimpleCookie
from typing import Any

from curation.people.rules import DEMO_PASSWORD

AGAIN = {429, 500, 502, 503, 504}
# A refusal that asks for another try: others have the last free rows locked at this moment.
AGAIN_CODE = "try_again"
PATIENCE = 150.0
ACCIDENT = "planned accidents"
FAILURES = (OSError, http.client.HTTPException)


class Refused(Exception):
    """An answer that no repeating changes."""

    def __init__(self, said: str, status: int, code: str) -> None:
        super().__init__(said)
        self.status, self.code = status, code


class GaveUp(Exception):
    """No answer for longer than a person would wait."""


def key() -> str:
    """A fresh client key."""
    return str(uuid.uuid4())


class Network:
    """What went wrong between the people and the server, counted for all of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.seen: Counter[str] = Counter()

    def note(self, what: str) -> None:
        """Count one more."""
        with self._lock:
            self.seen[what] += 1


class Session:
    """One session over one kept connection.

    ``cut`` names the accidents that the next commands have: ``answer`` loses the answer of a request that arrived,
    ``half`` breaks the connection in the middle of the body.
    """

    def __init__(self, base: str, network: Network, username: str = "") -> None:
        host = urllib.parse.urlsplit(base)
        self.base, self.network, self.username = base, network, username
        self.connection = http.client.HTTPConnection(host.hostname or "", host.port, timeout=60)
        self.cookies: dict[str, str] = {}
        self.cut: list[str] = []
        self.send("GET", "/_allauth/browser/v1/config")
        if username:
            self.send("POST", "/_allauth/browser/v1/auth/login", {"username": username, "password": DEMO_PASSWORD})

    def send(self, method: str, path: str, body: Any = None, *, tries: int | None = None) -> Any:
        """Send a request until it is answered; the very same one each time, key included; or at most ``tries`` times.

        Raises:
            Refused: The server says no.
            GaveUp: It says nothing.
        """
        until, pause, tried = time.monotonic() + PATIENCE, 0.05, 0
        while time.monotonic() < until and tried != tries:
            tried += 1
            try:
                status, told = self._once(method, path, body)
            except FAILURES as error:
                self.network.note(type(error).__name__)
                self.connection.close()
            else:
                code = told.get("code", "") if isinstance(told, dict) else ""
                if status not in AGAIN and code != AGAIN_CODE:
                    if status >= 400:
                        raise Refused(f"{self.username}: {method} {path}: {status} {told}", status, code)
                    return told
                self.network.note(f"HTTP {status}")
            time.sleep(pause)
            pause = min(1.0, pause * 1.6)
        raise GaveUp(f"{self.username}: {method} {path}")

    def _once(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        text = "" if body is None else json.dumps(body)
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-CSRFToken": self.cookies.get("csrftoken", ""),
            "Content-Type": "application/json",
            "Referer": self.base,
        }
        accident = self.cut.pop(0) if self.cut and method == "POST" else ""
        if accident:
            self.network.note(ACCIDENT)
        if accident == "half":
            self.connection.putrequest(method, path)
            for name, value in (headers | {"Content-Length": str(len(text.encode()))}).items():
                self.connection.putheader(name, value)
            self.connection.endheaders(text.encode()[: len(text) // 2])
            raise ConnectionAbortedError("cut in the middle of the body")
        self.connection.request(method, path, text.encode() or None, headers)
        if accident == "answer":
            time.sleep(0.1)  # long enough to arrive and be done
            raise ConnectionResetError("cut before the answer")
        answer = self.connection.getresponse()
        read = answer.read()
        for line in answer.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        try:
            return answer.status, json.loads(read) if read else None
        except ValueError:
            return answer.status, read[:200].decode(errors="replace")


def join(base: str, network: Network, inviting: Session, here: str, username: str, **link: Any) -> Session:
    """One person comes by a link that ``inviting`` makes, agrees to what the benchmark asks, and is signed in.

    ``here``: where the benchmark's addresses begin; ``link``: roles, or the team.
    """
    token = inviting.send("POST", f"{here}/invitations", link | {"note": "", "client_key": key()})["token"]
    given = {"token": token, "username": username, "name": username, "password": DEMO_PASSWORD}
    Session(base, network).send("POST", "/api/v1/invitations/accept", given)
    made = Session(base, network, username)
    consent = made.send("GET", f"{here}/consent")
    agreed = {"text_sha256": consent["text_sha256"], "eligibility": [e["code"] for e in consent["eligibility"]]}
    made.send("POST", f"{here}/consent", agreed | {"client_key": key()})
    return made
