"""Processes killed on the way, one after the other, each when the work has come so far."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable

import psutil

from tests.bench.installation import Installation

# Share of the work done → what dies. The web and its database die while everybody writes.
PLAN = ((0.15, "web process"), (0.3, "worker"), (0.45, "broker"), (0.6, "database"), (0.8, "web process"))
AMONG = {
    "web process": "config.wsgi:application",
    "worker": "default@",
    "gpu worker": "gpu@",
    "broker": "valkey",
    "live process": "config.live:application",
    "database": "postgres",
}


def _line(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return " ".join(process.cmdline())
    return ""


def _above(process: psutil.Process) -> str:
    """Its parent's command line; nothing where either has ended in this moment."""
    with contextlib.suppress(psutil.Error):
        if (parent := process.parent()) is not None:
            return _line(parent)
    return ""


def find(launcher: int, what: str) -> psutil.Process | None:
    """The process to kill: a server's or worker's first one, or one of the web server's own children."""
    word = AMONG[what]
    found = [p for p in psutil.Process(launcher).children(recursive=True) if word in _line(p)]
    inner = [p for p in found if word in _above(p)]
    if what == "web process":
        return inner[0] if inner else None
    outer = [p for p in found if p not in inner]
    return outer[-1] if outer else None


def kill(installation: Installation, what: str) -> int:
    """Kill it the hard way; its number."""
    assert installation.launcher is not None
    until = time.monotonic() + 60
    while time.monotonic() < until:
        process = find(installation.launcher.pid, what)
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
                return process.pid
        time.sleep(0.1)
    raise AssertionError(f"no {what} to kill")


def wait_until_up(installation: Installation, seconds: float = 120) -> None:
    """Wait until pages come again."""
    until = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(f"{installation.base}/healthz", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            assert time.monotonic() < until, "the installation did not come back"
            time.sleep(0.1)


class Director(threading.Thread):
    """Kills what the plan says as the work goes on."""

    def __init__(self, installation: Installation, progress: Callable[[], float], say: Callable[[str], None]) -> None:
        super().__init__(daemon=True)
        self.installation, self.progress, self.say = installation, progress, say
        self.over, self.killed = threading.Event(), list[str]()
        self.error: BaseException | None = None

    def run(self) -> None:
        """Go through the plan."""
        try:
            for share, what in PLAN:
                while self.progress() < share:
                    if self.over.wait(0.02):
                        return
                pid = kill(self.installation, what)
                self.killed.append(what)
                self.say(f"killed a {what} ({pid}) at {share:.0%} of the work")
                wait_until_up(self.installation)
        except BaseException as error:  # noqa: BLE001  (told by whoever waits for the thread)
            self.error = error
