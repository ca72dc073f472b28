"""The number of concurrent requests follows the server's refusals, and pauses are read from all documented headers."""

import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from curation.wire import gate as gates
from curation.wire.gate import GROWS_AFTER, Gate, asked_pause, exhausted_for


def test_a_refusal_halves_and_twenty_successes_add_one():
    gate = Gate(8)
    with gate.turn() as started:
        gate.limited(0, started)
    assert gate.limit == 4
    for _ in range(GROWS_AFTER - 1):
        gate.succeeded()
    assert gate.limit == 4
    gate.succeeded()
    assert gate.limit == 5
    for _ in range(GROWS_AFTER * 10):
        gate.succeeded()
    assert gate.limit == 8


def test_of_requests_that_ran_together_one_halves():
    gate = Gate(8)
    with gate.turn() as first, gate.turn() as second:
        gate.limited(0, first)
        gate.limited(0, second)
    assert gate.limit == 4
    for _ in range(5):
        with gate.turn() as started:
            gate.limited(0, started)
    assert gate.limit == 1


def test_no_more_than_the_limit_run_at_a_time():
    gate, most, lock = Gate(3), [0], threading.Lock()

    def one():
        with gate.turn():
            with lock:
                most[0] = max(most[0], gate.running)
            time.sleep(0.01)

    threads = [threading.Thread(target=one) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most[0], gate.running) == (3, 0)


def test_a_pause_holds_every_thread():
    gate = Gate(3)
    with gate.turn() as started:
        gate.limited(0.15, started)
    with gate.turn() as later:
        assert later - started >= 0.15


def test_who_waits_says_so_now_and_then_and_holds_up_nobody(monkeypatch):
    monkeypatch.setattr(gates, "RENEWED_AFTER", 0.05)
    gate, renewals = Gate(1), []

    def renew():
        other = threading.Thread(target=gate.succeeded)
        other.start()
        other.join(5)
        renewals.append(other.is_alive())

    with gate.turn(renew) as started:
        assert renewals == []  # it did not wait
        gate.limited(0.4, started)
    with gate.turn(renew):
        pass
    assert 2 <= len(renewals) <= 8
    assert not any(renewals)


def test_who_gives_up_waiting_takes_no_turn(monkeypatch):
    monkeypatch.setattr(gates, "RENEWED_AFTER", 0.01)
    gate = Gate(1)

    def lost():
        raise LookupError

    with gate.turn() as started:
        gate.limited(0.1, started)
    with pytest.raises(LookupError), gate.turn(lost):
        pass
    assert gate.running == 0
    with gate.turn():
        assert gate.running == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m1s"}, 361),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "20ms"}, 0.02),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1.5"}, 1.5),
        ({"x-ratelimit-remaining-requests": "7", "x-ratelimit-reset-requests": "6m1s"}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1790000000000"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after-ms": "100000000"}, 86_400),  # a day at most, whatever a server says
        ({"retry-after": "9" * 400 + "h"}, 86_400),
        ({"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}, 86_400),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "9" * 400 + "s"}, 86_400),
        ({"retry-after": "-1"}, None),
        ({}, None),
    ],
)
def test_pauses_are_read_from_headers(headers, seconds):
    assert asked_pause(headers) == (None if seconds is None else pytest.approx(seconds))


def test_a_date_is_a_pause_too():
    at = datetime.now(UTC) + timedelta(seconds=30)
    assert asked_pause({"retry-after": format_datetime(at, usegmt=True)}) == pytest.approx(30, abs=2)
    assert asked_pause({"retry-after": format_datetime(at - timedelta(days=9), usegmt=True)}) == 0
    assert exhausted_for({"retry-after": "5"}) is None
