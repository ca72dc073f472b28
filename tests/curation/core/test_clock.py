"""A clock that jumps by an hour, either way, takes nothing from whoever works and wakes what nobody does."""

from datetime import timedelta

import pytest
from django.utils import timezone

from curation.core import jobs
from curation.core.models import Job, WorkerSeen

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
EITHER_WAY = pytest.mark.parametrize("jump", [HOUR, -HOUR], ids=["forward", "back"])


@pytest.fixture
def job():
    return jobs.enqueue(task="test.task", args={}, dedupe_key="one")


@pytest.fixture
def this_machine_is_off(monkeypatch):
    """Set this machine's clock against the database's."""
    real = timezone.now
    return lambda by: monkeypatch.setattr(timezone, "now", lambda: real() + by)


def database_jumps(by):
    """What the database's clock is set forward by, everything written before lies further back, and the other way."""
    for row in Job.objects.exclude(lease_until=None):
        Job.objects.filter(pk=row.pk).update(lease_until=row.lease_until - by, heartbeat_at=row.heartbeat_at - by)
    for seen in WorkerSeen.objects.all():
        WorkerSeen.objects.filter(pk=seen.pk).update(seen_at=seen.seen_at - by)


@EITHER_WAY
def test_a_machine_whose_clock_is_off_takes_no_ones_job(job, this_machine_is_off, jump):
    def step(lease):
        this_machine_is_off(jump)
        assert jobs.sweep() == 0
        assert jobs.run(job.pk, lambda other: pytest.fail("taken from a living holder")) == "lost"
        lease.progress(1, 2)
        lapses = Job.objects.get(pk=job.pk).lease_until - jobs.database_now()
        assert timedelta(seconds=50) < lapses <= jobs.LEASE

    assert jobs.run(job.pk, step) == "done"


@EITHER_WAY
def test_whether_a_worker_lives_does_not_depend_on_the_asking_machines_clock(this_machine_is_off, jump):
    this_machine_is_off(jump)
    jobs.worker_seen("gpu")
    assert jobs.last_seen("gpu")["alive"] is True
    WorkerSeen.objects.update(seen_at=jobs.database_now() - jobs.WORKER_SILENT_AFTER)
    assert jobs.last_seen("gpu")["alive"] is False


@EITHER_WAY
def test_when_the_databases_clock_jumps_a_dead_workers_job_waits_for_no_hour(job, jump):
    def dies(lease):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        jobs.run(job.pk, dies)
    assert jobs.sweep() == 0
    database_jumps(jump)
    assert jobs.sweep() == 1
    assert jobs.run(job.pk, lambda lease: None) == "done"
    assert Job.objects.get(pk=job.pk).attempt == 2


@EITHER_WAY
def test_when_the_databases_clock_jumps_work_in_hand_is_done_once(job, jump):
    def step(lease):
        database_jumps(jump)
        lease.progress(1, 2)  # whoever reports in time keeps it
        assert jobs.run(job.pk, lambda other: pytest.fail("ran twice")) == "lost"

    assert jobs.run(job.pk, step) == "done"
    assert Job.objects.get(pk=job.pk).attempt == 1


def test_a_sighting_from_the_future_is_no_sign_of_life():
    jobs.worker_seen("gpu")
    database_jumps(-HOUR)
    assert jobs.last_seen("gpu")["alive"] is False
    jobs.worker_seen("gpu")
    assert jobs.last_seen("gpu")["alive"] is True
