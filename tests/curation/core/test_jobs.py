"""Jobs: one at a time, lease and heartbeat, what a failure leaves behind."""

import threading
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from curation.core import jobs
from curation.core.errors import NotFound, TextRefused
from curation.core.models import Job, WorkerSeen

pytestmark = pytest.mark.django_db


@pytest.fixture
def job():
    return jobs.enqueue(task="test.task", args={"n": 3}, dedupe_key="one", queue="gpu")


def again(job):
    job.refresh_from_db()
    return job


def test_pressing_twice_is_one_job_until_it_is_done(job):
    assert jobs.enqueue(task="test.task", args={"n": 3}, dedupe_key="one").pk == job.pk
    jobs.run(job.pk, lambda lease: None)
    assert jobs.enqueue(task="test.task", args={"n": 3}, dedupe_key="one").pk != job.pk


def test_a_step_sees_its_arguments_and_reports_progress(job):
    def step(lease):
        assert lease.args == {"n": 3}
        lease.progress(2, 3)
        assert (again(job).done, job.total, job.state) == (2, 3, "running")

    assert jobs.run(job.pk, step) == "done"
    assert (again(job).state, job.attempt, job.lease_until) == ("done", 1, None)
    assert jobs.last_seen("gpu")["alive"] is True


def test_a_wake_up_too_many_is_harmless(job):
    def step(lease):
        assert jobs.run(job.pk, lambda lease: pytest.fail("ran twice")) == "lost"

    assert jobs.run(job.pk, step) == "done"
    assert jobs.run(job.pk, lambda lease: pytest.fail("ran again")) == "lost"


@pytest.mark.django_db(transaction=True)
def test_a_long_step_keeps_its_lease_while_its_process_lives(monkeypatch):
    monkeypatch.setattr(jobs, "LEASE", timedelta(seconds=0.6))
    monkeypatch.setattr(jobs, "HEARTBEAT", timedelta(seconds=0.1))
    job = jobs.enqueue(task="test.task", args={}, dedupe_key="long", queue="gpu")

    def without_progress(lease):
        for _ in range(6):
            time.sleep(0.2)
            assert jobs.run(job.pk, lambda lease: pytest.fail("taken over")) == "lost"

    assert jobs.run(job.pk, without_progress) == "done"
    assert (again(job).state, job.attempt) == ("done", 1)
    assert [thread.name for thread in threading.enumerate() if thread.name == "heartbeat"] == []


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_known_to_live_during_a_long_step(monkeypatch):
    monkeypatch.setattr(jobs, "HEARTBEAT", timedelta(seconds=0.05))
    job = jobs.enqueue(task="test.task", args={}, dedupe_key="quiet", queue="gpu")

    def quiet(lease):
        WorkerSeen.objects.update(seen_at=timezone.now() - timedelta(minutes=3))
        deadline = time.monotonic() + 10
        while not jobs.last_seen("gpu")["alive"]:
            assert time.monotonic() < deadline
            time.sleep(0.02)

    assert jobs.run(job.pk, quiet) == "done"


@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_of_a_lost_lease_ends(monkeypatch):
    monkeypatch.setattr(jobs, "HEARTBEAT", timedelta(seconds=0.05))
    job = jobs.enqueue(task="test.task", args={}, dedupe_key="lost", queue="gpu")

    def step(lease):
        Job.objects.filter(pk=job.pk).update(worker="another", lease_until=timezone.now() + timedelta(seconds=30))
        time.sleep(0.3)
        assert "heartbeat" not in [thread.name for thread in threading.enumerate()]

    jobs.run(job.pk, step)
    assert (again(job).state, job.worker) == ("running", "another")


def test_a_dead_workers_lease_is_taken_over_and_the_dead_cannot_come_back(job):
    def slow(lease):
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        assert jobs.run(job.pk, lambda other: None) == "done"
        with pytest.raises(jobs.LeaseLost):
            lease.progress(1, 1)
        raise jobs.LeaseLost

    assert jobs.run(job.pk, slow) == "lost"
    assert (again(job).state, job.attempt) == ("done", 2)


def test_a_foreseen_refusal_fails_with_its_code(job):
    def step(lease):
        raise NotFound

    assert jobs.run(job.pk, step) == "failed"
    assert (again(job).error_code, job.attempt) == ("not_found", 1)


def test_a_reason_that_cannot_be_stored_is_stored_without_its_characters(job, monkeypatch):
    monkeypatch.setattr(jobs.log, "disabled", True)  # pytest's own processes cannot send each other lone surrogates

    def refused(lease):
        raise TextRefused(reason="nul \0", more=["\ud800", {"deep": "\0"}, 7])

    def broken(lease):
        raise RuntimeError("\ud800\0")

    assert jobs.run(job.pk, broken) == "queued"
    assert again(job).log == "RuntimeError: ��"
    assert jobs.run(job.pk, refused) == "failed"
    assert (again(job).state, job.error_params) == ("failed", {"reason": "nul �", "more": ["�", {"deep": "�"}, 7]})
    assert job.log == "The text has a character that cannot be stored: nul �."


def test_anything_else_is_tried_five_times(job):
    def step(lease):
        raise RuntimeError("weather")

    assert [jobs.run(job.pk, step) for _ in range(5)] == ["queued"] * 4 + ["failed"]
    assert (again(job).error_code, job.attempt) == ("internal_error", 5)
    assert "weather" in job.log


def test_a_postponed_step_waits_for_a_sweep_and_counts_no_attempt(job):
    def wait(lease):
        raise jobs.Postponed("busy")

    for _ in range(2 * jobs.MAX_ATTEMPTS):
        assert jobs.run(job.pk, wait) == "queued"
        assert (again(job).state, job.attempt, job.lease_until, job.error_code) == ("queued", 1, None, "")
    assert "busy" in job.log
    assert jobs.sweep() == 1
    assert jobs.run(job.pk, lambda lease: None) == "done"


def test_the_sweep_wakes_what_nobody_holds(job, monkeypatch):
    woken = []
    monkeypatch.setattr(jobs, "wake", lambda j: woken.append(j.pk))
    held = jobs.enqueue(task="test.task", args={}, dedupe_key="two")
    Job.objects.filter(pk=held.pk).update(state="running", lease_until=timezone.now() + timedelta(seconds=30))
    silent = jobs.enqueue(task="test.task", args={}, dedupe_key="three")
    Job.objects.filter(pk=silent.pk).update(state="running", lease_until=timezone.now() - timedelta(seconds=1))
    assert jobs.sweep() == 2
    assert sorted(woken) == [job.pk, silent.pk]


def test_many_jobs_of_one_queue_hide_none_of_another(job, monkeypatch):
    woken = []
    monkeypatch.setattr(jobs, "SWEPT_AT_ONCE", 2)
    monkeypatch.setattr(jobs, "crowded", lambda app, queue: False)
    monkeypatch.setattr(jobs, "wake", lambda job: woken.append((job.queue, job.dedupe_key)))
    for n in range(4):
        jobs.enqueue(task="test.task", args={}, dedupe_key=f"picture {n}", queue="pictures")
    jobs.enqueue(task="test.task", args={}, dedupe_key="import", queue="celery")
    woken.clear()
    assert jobs.sweep() == 4
    assert woken == [("celery", "import"), ("gpu", "one"), ("pictures", "picture 0"), ("pictures", "picture 1")]


def test_jobs_that_wait_for_space_hide_none_of_their_queue(job, monkeypatch):
    woken = []
    monkeypatch.setattr(jobs, "SWEPT_AT_ONCE", 2)
    monkeypatch.setattr(jobs, "crowded", lambda app, queue: False)
    monkeypatch.setattr(jobs, "wake", lambda job: woken.append(job.dedupe_key))
    now = timezone.now()
    for n in range(3):
        waiting = jobs.enqueue(task="test.task", args={}, dedupe_key=f"waits {n}", queue="gpu")
        tried_at = now - timedelta(seconds=n)
        Job.objects.filter(pk=waiting.pk).update(error_code="storage_full", heartbeat_at=tried_at, attempt=1)
    for key in ("new", "newer"):
        jobs.enqueue(task="test.task", args={}, dedupe_key=key, queue="gpu")
    lost = Job.objects.filter(dedupe_key="new")
    lost.update(state="running", heartbeat_at=now, lease_until=now - timedelta(seconds=1))
    Job.objects.filter(pk=job.pk).update(state="done")
    jobs.sweep()
    Job.objects.filter(dedupe_key__startswith="new").update(state="done")
    jobs.sweep()  # those that wait, the one that was tried longest ago first
    assert woken == ["new", "newer", "waits 2", "waits 1"]


def test_the_sweep_adds_nothing_to_a_crowded_queue(job, monkeypatch):
    woken = []
    monkeypatch.setattr(jobs, "wake", lambda j: woken.append(j.pk))
    other = jobs.enqueue(task="test.task", args={}, dedupe_key="elsewhere", queue="elsewhere")
    monkeypatch.setattr(jobs, "crowded", lambda app, queue: queue == job.queue)
    assert jobs.sweep() == 1
    assert woken == [other.pk]


def test_a_worker_that_is_silent_is_not_alive():
    assert jobs.last_seen("gpu") == {"alive": False, "last_seen": None}
    jobs.worker_seen("gpu")
    assert jobs.last_seen("gpu")["alive"] is True
    WorkerSeen.objects.update(seen_at=timezone.now() - timedelta(seconds=60))
    assert jobs.last_seen("gpu")["alive"] is False
