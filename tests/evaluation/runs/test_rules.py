"""What a run shows itself to be doing, and how fast it goes."""

from datetime import UTC, datetime, timedelta

import pytest

from evaluation.runs.rules import Pace, RunProgress, pace, run_status

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


def progress(**known) -> RunProgress:
    usual = {"state": "open", "remaining": 5, "heartbeat_at": None, "failed": False, "worker_alive": True}
    return RunProgress(**(usual | known))


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({}, ("queued", None)),
        ({"worker_alive": False}, ("no_worker", None)),
        ({"heartbeat_at": ago(2)}, ("running", None)),
        ({"heartbeat_at": ago(30)}, ("running", None)),
        ({"heartbeat_at": ago(31)}, ("silent", 31)),
        ({"heartbeat_at": ago(600)}, ("silent", 600)),
        ({"heartbeat_at": ago(59), "worker_alive": False}, ("silent", 59)),
        # Its lease is over: what counts now is that nobody is there.
        ({"heartbeat_at": ago(61), "worker_alive": False}, ("no_worker", None)),
        ({"failed": True}, ("failed", None)),
        ({"failed": True, "worker_alive": False}, ("failed", None)),
        # One worker's chunk failed and another's goes on.
        ({"failed": True, "heartbeat_at": ago(1)}, ("running", None)),
        ({"remaining": 0}, ("done", None)),
        ({"remaining": 0, "failed": True}, ("done", None)),
        ({"state": "closed"}, ("done", None)),
        ({"state": "paused", "heartbeat_at": ago(1)}, ("paused", None)),
        ({"state": "cancelled", "failed": True}, ("cancelled", None)),
    ],
)
def test_what_people_decided_comes_first_then_what_remains_then_heartbeats(known, expected):
    assert run_status(progress(**known), NOW, timedelta(seconds=60)) == expected


def test_pace_is_what_all_workers_did_lately():
    assert pace(done=30, since=ago(20), remaining=45, now=NOW) == Pace(per_minute=90.0, seconds_left=30)
    assert pace(done=7, since=ago(60), remaining=1, now=NOW) == Pace(per_minute=7.0, seconds_left=9)


def test_without_anything_done_lately_no_pace_is_told():
    assert pace(done=0, since=None, remaining=45, now=NOW) is None
