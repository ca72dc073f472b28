"""How many requests a server gets at a time, and the pauses that it asks for.

A gate is shared by all threads of a process that send to one server. Processes do not share it: the server's answers
slow each of them down.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Final

#: How often a request is sent at most.
SENDS: Final = 5
#: Seconds; unless the caller says less, a server that asks for a longer pause gets no further request of the same call.
LONGEST_PAUSE: Final = 120.0
#: Seconds; a longer pause counts as this one: a server can name any number, also one beyond every clock.
MOST_PAUSE: Final = 86_400.0
#: Successes after which one more request may run at a time.
GROWS_AFTER: Final = 20
#: Seconds that a request waits for its turn before it says that it still does.
RENEWED_AFTER: Final = 15.0

_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|s|m|h))+")
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")


class Gate:
    """Limits concurrent requests: halved when the server refuses one because of its limit, then grown slowly.

    Args:
        most: Requests at the same time at most.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = most
        self.running = 0
        self._successes = 0
        self._halved_at = 0.0
        self._resume_at = 0.0
        self._changed = threading.Condition()

    @contextmanager
    def turn(self, renew: Callable[[], None] = lambda: None) -> Iterator[float]:
        """Wait until a request may be sent, and count it as running meanwhile; yields the time of its start.

        Args:
            renew: Called after each :data:`RENEWED_AFTER` seconds of waiting, while other threads go on. What it raises
                ends the waiting.
        """
        while (started := self._begin(RENEWED_AFTER)) is None:
            renew()
        try:
            yield started
        finally:
            with self._changed:
                self.running -= 1
                self._changed.notify_all()

    def _begin(self, seconds: float) -> float | None:
        """Wait at most so long for a turn; return the time of its start, None if there was none."""
        until = time.monotonic() + seconds
        with self._changed:
            while True:
                now = time.monotonic()
                if self._resume_at <= now and self.running < self.limit:
                    self.running += 1
                    return now
                if until <= now:
                    return None
                resume = self._resume_at if self._resume_at > now else until
                self._changed.wait(min(resume, until) - now)

    def paused_for(self) -> float:
        """Return the seconds until any thread may send again; 0 if one may now."""
        with self._changed:
            return max(0.0, self._resume_at - time.monotonic())

    def limited(self, pause: float, started: float) -> None:
        """Record that the server refused a request because of its limit.

        Args:
            pause: Seconds until any thread may send again.
            started: When the request was started. Of several that ran together only the first halves the limit.
        """
        with self._changed:
            if started >= self._halved_at:
                self.limit = max(1, self.limit // 2)
                self._halved_at = time.monotonic()
            self._successes = 0
            self._resume_at = max(self._resume_at, time.monotonic() + pause)
            self._changed.notify_all()

    def succeeded(self, pause: float = 0.0) -> None:
        """Record a success; ``pause``: the server said that the next request would be refused for so many seconds."""
        with self._changed:
            self._successes += 1
            if self._successes >= GROWS_AFTER and self.limit < self.most:
                self.limit += 1
                self._successes = 0
            if pause > 0:
                self._resume_at = max(self._resume_at, time.monotonic() + pause)
            self._changed.notify_all()


_gates: dict[str, Gate] = {}
_lock = threading.Lock()


def gate_of(server: str, most: int) -> Gate:
    """The gate of a server in this process."""
    with _lock:
        gate = _gates.setdefault(server, Gate(most))
        if gate.most != most:
            gate.most = gate.limit = most
        return gate


def asked_pause(headers: Mapping[str, str]) -> float | None:
    """Seconds until the server wants the next request, at most a day; None if a refusal's headers do not say.

    ``Retry-After`` has seconds or a date, ``Retry-After-Ms`` milliseconds, ``x-ratelimit-reset-*`` a duration as
    ``6m0s`` or seconds; those of limits with requests or tokens left do not count.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        if name in headers:
            seconds = _seconds(headers[name])
            pause = _until(headers[name]) if seconds is None else seconds * unit
            return None if pause is None else min(MOST_PAUSE, pause)
    return exhausted_for(headers)


def exhausted_for(headers: Mapping[str, str]) -> float | None:
    """Seconds until an exhausted limit is reset, by the ``x-ratelimit-*`` headers; None if none is exhausted.

    At most a day.
    """
    pauses = []
    for kind in ("-requests", "-tokens", ""):
        if headers.get(f"x-ratelimit-remaining{kind}", "").strip() == "0":
            seconds = _seconds(headers.get(f"x-ratelimit-reset{kind}", ""))
            if seconds is not None:
                pauses.append(seconds)
    return min(MOST_PAUSE, max(pauses)) if pauses else None


def _seconds(text: str) -> float | None:
    """Parse ``2``, ``0.5``, ``20ms`` or ``6m0s``; None for anything else, and for a moment since 1970."""
    text = text.strip().lower()
    if re.fullmatch(r"\d{1,9}(?:\.\d+)?", text):
        seconds = float(text)
        return seconds if seconds < 1e9 else None
    if _DURATION.fullmatch(text):
        return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))
    return None


def _until(date: str) -> float | None:
    try:
        return max(0.0, parsedate_to_datetime(date).timestamp() - time.time())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
