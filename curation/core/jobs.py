"""Background work: rows with lease, heartbeat and progress. Broker messages only wake.

Leases and signs of life go by the database's clock alone, so machines whose clocks differ agree on them. Should that
clock itself be set back, a lease that lies further ahead than any can is taken for run out.

A lost message costs one sweep (15 s); a killed worker costs its lease (60 s) and the step it was in. A handler is a
function of a :class:`Lease`; it must be safe to run twice, because a lease can run out while its holder still lives.
"""

from __future__ import annotations

import logging
import os
import socket
import traceback
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from celery import current_app
from django.db import IntegrityError, connection, transaction
from django.db.models import BooleanField, ExpressionWrapper, F, Q
from django.db.models.functions import Now
from kombu.exceptions import OperationalError as BrokerUnreachable

from curation.core.broker import crowded
from curation.core.errors import DomainError, StorageUnavailable
from curation.core.models import Job, WorkerSeen

LEASE = timedelta(seconds=60)
# What a clock may be put right by without anything being taken for older or newer than it is.
CLOCK_SLACK = timedelta(seconds=5)
MOST_ATTEMPTS = 5
WORKER_SILENT_AFTER = timedelta(seconds=50)

log = logging.getLogger(__name__)


class LeaseLost(Exception):
    """Another worker took the job over, or somebody cancelled it: stop without writing anything more."""


def enqueue(
    *,
    task: str,
    args: dict[str, Any],
    dedupe_key: str,
    queue: str = "default",
    benchmark_id: int | None = None,
    actor_id: int | None = None,
) -> Job:
    """Note that work is to be done and wake a worker after commit.

    While a job with the same ``dedupe_key`` is open that one is returned, so pressing twice starts one job.
    """
    try:
        with transaction.atomic():
            job = Job.objects.create(
                task=task, args=args, dedupe_key=dedupe_key, queue=queue, benchmark_id=benchmark_id, actor_id=actor_id
            )
    except IntegrityError:
        job = Job.objects.get(dedupe_key=dedupe_key, state__in=[Job.State.QUEUED, Job.State.RUNNING])
    transaction.on_commit(lambda: wake(job))
    return job


def wake(job: Job) -> None:
    """Send the message that makes a worker look at the job; without a broker the sweep does it later."""
    send(job.task, queue=job.queue, job_id=job.pk)


def send(task: str, *, queue: str = "default", **kwargs: Any) -> None:
    """Send a wake-up that nobody depends on: when the broker is away, log it and go on."""
    try:
        # Without ``expires``: that compares the clocks of two machines, and the broker keeps the message all the same.
        current_app.send_task(task, kwargs=kwargs, queue=queue, retry=False)
    except (BrokerUnreachable, OSError) as error:
        log.warning("broker unreachable, the sweep will wake %s: %s", task, error)


class Lease:
    """A job in the hands of this process."""

    def __init__(self, job: Job) -> None:
        self.job = job

    @property
    def args(self) -> dict[str, Any]:
        """What :func:`enqueue` was given."""
        return dict(self.job.args)

    def progress(self, done: int, total: int) -> None:
        """Report how far the work is and renew the lease.

        Raises:
            LeaseLost: The job is no longer ours.
        """
        ours = Job.objects.filter(pk=self.job.pk, state=Job.State.RUNNING, attempt=self.job.attempt)
        if not ours.update(done=done, total=total, heartbeat_at=Now(), lease_until=Now() + LEASE):
            raise LeaseLost
        self.job.done, self.job.total = done, total
        worker_seen(self.job.queue)


def run(job_id: int, step: Callable[[Lease], None]) -> str:
    """Take the job's lease, run ``step``, write down how it ended; return the state.

    Returns ``"taken"`` when somebody else holds it or it is over: a wake-up too many is harmless.
    """
    taken = Job.objects.filter(_takeable(), pk=job_id).update(
        state=Job.State.RUNNING,
        attempt=F("attempt") + 1,
        heartbeat_at=Now(),
        lease_until=Now() + LEASE,
        worker=worker_name(),
    )
    if not taken:
        return "taken"
    job = Job.objects.get(pk=job_id)
    worker_seen(job.queue)
    try:
        if job.attempt > MOST_ATTEMPTS:
            return _finish(job, Job.State.FAILED, code="job_gave_up", params={"attempts": MOST_ATTEMPTS})
        step(Lease(job))
    except LeaseLost:
        return "taken"
    except DomainError as error:
        log.warning("job %s (%s) failed: %s: %s", job.pk, job.task, error.code, error)
        if isinstance(error, StorageUnavailable) and job.attempt < MOST_ATTEMPTS:
            return _back_to_queue(job, error)  # it passes by itself
        return _finish(job, Job.State.FAILED, code=error.code, params=error.params, note=str(error))
    except Exception as error:
        log.exception("job %s (%s) failed, attempt %s", job.pk, job.task, job.attempt)
        _close_broken_connection()
        if job.attempt >= MOST_ATTEMPTS:
            return _finish(job, Job.State.FAILED, code="internal_error", note=traceback.format_exc()[-4000:])
        return _back_to_queue(job, error)
    return _finish(job, Job.State.DONE)


def _back_to_queue(job: Job, error: Exception) -> str:
    """The sweep wakes it again; the reason is kept for whoever looks meanwhile."""
    _ours(job).update(state=Job.State.QUEUED, lease_until=None, log=f"{type(error).__name__}: {error}"[:4000])
    return Job.State.QUEUED


def ran_out(lease: timedelta) -> Q:
    """Rows whose ``lease_until`` is over, or cannot be: the clock was set back since it was written."""
    return Q(lease_until__lt=Now()) | Q(lease_until__gt=Now() + lease + CLOCK_SLACK)


def _takeable() -> Q:
    return Q(state=Job.State.QUEUED) | (Q(state=Job.State.RUNNING) & ran_out(LEASE))


def _ours(job: Job) -> Any:
    return Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, attempt=job.attempt)


def _finish(job: Job, state: str, *, code: str = "", params: dict[str, Any] | None = None, note: str = "") -> str:
    _ours(job).update(
        state=state, lease_until=None, finished_at=Now(), error_code=code, error_params=params or {}, log=note
    )
    return state


def _close_broken_connection() -> None:
    # After the database restarted the old connection only raises; a new one is opened on the next query.
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


def sweep() -> int:
    """Wake every open job that nobody holds, where its queue is not crowded already; return how many."""
    jobs = list(Job.objects.filter(_takeable()).order_by("pk")[:200])
    full = {queue for queue in {job.queue for job in jobs} if crowded(current_app, queue)}
    woken = [job for job in jobs if job.queue not in full]
    for job in woken:
        wake(job)
    return len(woken)


def worker_name() -> str:
    """This process as pages show it."""
    return f"{socket.gethostname()}:{os.getpid()}"


def worker_seen(queue: str) -> None:
    """Note that a worker of ``queue`` lives."""
    WorkerSeen.objects.bulk_create(
        [WorkerSeen(queue=queue, name=worker_name(), seen_at=Now())],
        update_conflicts=True,
        unique_fields=["queue", "name"],
        update_fields=["seen_at"],
    )


def last_seen(queue: str) -> dict[str, Any]:
    """Tell whether a worker of ``queue`` is alive: ``{"alive": bool, "last_seen": datetime | None}``."""
    alive = ExpressionWrapper(seen_lately(), output_field=BooleanField())
    rows = WorkerSeen.objects.filter(queue=queue).annotate(alive=alive).order_by("-alive", "-seen_at")
    living, newest = rows.values_list("alive", "seen_at").first() or (False, None)
    return {"alive": living, "last_seen": newest}


def seen_lately() -> Q:
    """Workers seen a short while ago; a sighting in the future is from before the clock was set back."""
    return Q(seen_at__gt=Now() - WORKER_SILENT_AFTER, seen_at__lte=Now() + CLOCK_SLACK)


def database_now() -> datetime:
    """The database's time, for what has to be compared with leases outside of it."""
    with connection.cursor() as cursor:
        cursor.execute("select statement_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now
