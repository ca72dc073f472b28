"""What a run shows itself to be doing, and how fast it goes."""

from datetime import UTC, datetime, timedelta

import pytest

from evaluation.runs.rules import Pace, Standing, pace, shown

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


def standing(**known) -> Standing:
    given = {"state": "open", "left": 5, "at_work": False, "heard": None, "job_failed": False, "worker_alive": True}
    return Standing(**(given | known))


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ({}, ("queued", None)),
        ({"worker_alive": False}, ("no_worker", None)),
        ({"at_work": True, "heard": ago(2)}, ("running", None)),
        ({"at_work": True, "heard": ago(30)}, ("running", None)),
        ({"at_work": True, "heard": ago(31)}, ("silent", 31)),
        ({"at_work": True, "heard": ago(600)}, ("silent", 600)),
        ({"at_work": True, "heard": ago(59), "worker_alive": False}, ("silent", 59)),
        # Its lease is over: what counts now is that nobody is there.
        ({"at_work": True, "heard": ago(61), "worker_alive": False}, ("no_worker", None)),
        ({"job_failed": True}, ("failed", None)),
        ({"job_failed": True, "worker_alive": False}, ("failed", None)),
        # One worker's job failed and another's goes on.
        ({"job_failed": True, "at_work": True, "heard": ago(1)}, ("running", None)),
        ({"left": 0}, ("done", None)),
        ({"left": 0, "job_failed": True}, ("done", None)),
        ({"state": "closed"}, ("done", None)),
        ({"state": "paused", "at_work": True, "heard": ago(1)}, ("paused", None)),
        ({"state": "cancelled", "job_failed": True}, ("cancelled", None)),
    ],
)
def test_what_people_decided_comes_first_then_what_is_left_then_who_is_heard_of(known, told):
    assert shown(standing(**known), NOW) == told


def test_pace_is_what_all_workers_did_lately():
    assert pace(done=30, since=ago(20), left=45, now=NOW) == Pace(per_minute=90.0, seconds_left=30)
    assert pace(done=7, since=ago(60), left=1, now=NOW) == Pace(per_minute=7.0, seconds_left=9)


def test_without_anything_done_lately_no_pace_is_told():
    assert pace(done=0, since=None, left=45, now=NOW) is None
