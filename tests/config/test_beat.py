"""Sweeps are woken at their interval whatever the machine's clock does."""

from datetime import UTC, datetime, timedelta

import pytest
from celery import Celery

from config import beat
from curation.core import broker


class Clocks:
    """A wall clock that can be set, and one that only runs forward."""

    def __init__(self, app):
        self.wall, self.steady, self.app = 1_800_000_000.0, 100.0, app

    def time(self):
        return self.wall

    def monotonic(self):
        return self.steady

    def now(self):
        return datetime.fromtimestamp(self.wall, tz=UTC)

    def passes(self, seconds, jump=0.0):
        self.wall += seconds + jump
        self.steady += seconds


@pytest.fixture
def clocks(monkeypatch, tmp_path):
    app = Celery("clocks", broker="memory://", set_as_current=False)
    app.conf.beat_schedule = {name: {"task": name, "schedule": seconds} for name, seconds in (("a", 15.0), ("b", 30.0))}
    made = Clocks(app)
    monkeypatch.setattr(beat, "time", made)
    monkeypatch.setattr(Celery, "now", lambda self: made.now())
    return made


@pytest.fixture
def scheduler(clocks, tmp_path):
    class Noted(beat.SteadyScheduler):
        sent: list

        def apply_async(self, entry, **kwargs):
            self.sent.append(entry.task)

    Noted.sent = []
    made = Noted(app=clocks.app, schedule_filename=str(tmp_path / "schedule"), lazy=False)
    clocks.made = made
    yield made
    made.close()


def sent_within(scheduler, clocks, seconds, jump=0.0):
    """What is sent while so many seconds pass, the wall clock being set at their beginning."""
    scheduler.sent.clear()
    clocks.passes(0.0, jump)
    for _ in range(seconds):
        clocks.passes(1.0)
        for _ in range(4):
            scheduler.tick()
    return {name: [t for t in scheduler.sent if not t.startswith("celery.")].count(name) for name in "ab"}


@pytest.mark.parametrize("jump", [0.0, 3600.0, -3600.0])
def test_a_jump_of_an_hour_neither_stops_sweeps_nor_sends_a_heap_of_them(scheduler, clocks, jump):
    sent_within(scheduler, clocks, 60)
    told = sent_within(scheduler, clocks, 60, jump)
    assert 3 <= told["a"] <= 5
    assert 1 <= told["b"] <= 3


def test_an_entry_of_the_last_run_with_a_future_time_is_due_in_time(scheduler, clocks):
    sent_within(scheduler, clocks, 60)
    entry = scheduler.schedule["a"]
    entry.last_run_at = entry.default_now() + timedelta(hours=1)
    scheduler.sync()
    scheduler.setup_schedule()
    assert scheduler.schedule["a"].last_run_at == clocks.now()


def test_an_unread_queue_does_not_grow_without_limit(scheduler, clocks, monkeypatch):
    clocks.app.conf.beat_schedule["b"]["options"] = {"queue": "unread"}
    scheduler.setup_schedule()
    monkeypatch.setattr(broker, "MOST_WAITING", 3)
    # The first messages wait in the broker itself. The queue is of this test alone: the broker in memory is all tests'.
    for waiting in range(4):
        assert broker.crowded(clocks.app, "unread") is (waiting >= 3)
        clocks.app.send_task("b", queue="unread")
    told = sent_within(scheduler, clocks, 60)
    assert told["b"] == 0
    assert told["a"] > 0


def test_an_unavailable_broker_does_not_count_as_crowded():
    assert broker.crowded(Celery("away", broker="redis://127.0.0.1:1/0", set_as_current=False), "default") is False
