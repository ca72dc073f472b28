"""Events for open pages, as a browser gets them: over TLS, through nginx."""

from __future__ import annotations

import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from http.client import HTTPResponse
from typing import Self

from tools.deploy_check.browser import Browser, resolve_site
from tools.deploy_check.processes import Host
from tools.deploy_check.report import check, say, wait_until
from tools.deploy_check.stage import SITE, Stage

# Seconds that an event may take from the commit to the page.
SOON = 1.0
TELL = """
import time
from django.contrib.auth import get_user_model
from django.db import transaction
from curation.core.live import tell
with transaction.atomic():
    tell([get_user_model().objects.get(username="admin").pk], "lobby", 7, 1)
print(time.time())
"""


class Events:
    """An open stream, read by a thread that notes when each line came."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.lines: list[tuple[float, str]] = []
        self.response: HTTPResponse | None = None

    def __enter__(self) -> Self:
        with resolve_site(self.browser.stage):
            self.response = self.browser.opener.open(f"{self.browser.base}/events/", timeout=60)
        threading.Thread(target=self._read, daemon=True).start()
        wait_until(lambda: self.came("event: hello") is not None, "a stream begins with hello", 10)
        return self

    def __exit__(self, *error: object) -> None:
        if self.response is not None:
            self.response.close()

    def _read(self) -> None:
        try:
            while self.response is not None and (line := self.response.readline()):
                self.lines.append((time.time(), line.decode().rstrip("\n")))
        except (OSError, ValueError, AttributeError):
            return  # closed by us or by the server

    def came(self, line: str) -> float | None:
        """When a line came; None if it has not."""
        return next((at for at, text in self.lines.copy() if text == line), None)


def can_open(browser: Browser) -> bool:
    """Whether a stream opens now."""
    try:
        with Events(browser):
            return True
    except urllib.error.HTTPError:
        return False


def _figures(stage: Stage, host: Host) -> str:
    """The metrics of a host's live channel."""
    headers = {"Authorization": f"Bearer {stage.secrets['metrics']}", "Host": SITE}
    request = urllib.request.Request(f"http://{host.address}:{stage.ports['live']}/events/metrics", headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  (as above)
        return str(answer.read().decode())


def is_listening(stage: Stage, host: Host) -> bool:
    """Whether the database's notifications arrive on a host."""
    return "\nlantern_live_listening 1.0\n" in _figures(stage, host)


def open_streams(stage: Stage, host: Host) -> int:
    """How many streams are open on a host."""
    [line] = [line for line in _figures(stage, host).splitlines() if line.startswith("lantern_live_streams ")]
    return int(float(line.split()[1]))


def seconds_of_event(stage: Stage, streams: Sequence[Events]) -> float:
    """Send an event and return the seconds from its commit until it is on the last of the streams.

    Raises:
        Failed: It does not arrive, or late.
    """
    sent = float(stage.manage("shell", "--no-imports", "-c", TELL).split()[-1])
    line = 'data: {"topic":"lobby","id":7,"n":1}'
    wait_until(lambda: all(stream.came(line) is not None for stream in streams), "an event arrives", 10)
    took = max(stream.came(line) or 0.0 for stream in streams) - sent
    check(took < SOON, f"an event arrives within {SOON:.0f} s", took)
    return took


def check_live(stage: Stage) -> None:
    """A stream over TLS; nothing else of the live channel from outside."""
    browser, stranger = Browser(stage), Browser(stage)
    check(stranger.ask("/events/")[0] == 401, "a stranger gets no stream")
    check(browser.sign_in("admin") == 200, "signing in")
    wait_until(lambda: is_listening(stage, stage.host("web")), "the live channel listens", 30)
    with Events(browser) as stream:
        took = seconds_of_event(stage, [stream])
    for path in ("/events/health", "/events/metrics", "/events/x"):
        check(browser.ask(path)[0] == 404, f"{path} stays inside")
    say(f"an event is on the page {max(took, 0.0):.2f} s after its commit, over TLS and through nginx")
