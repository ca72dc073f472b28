"""Background work: rows with lease, heartbeat and progress. Broker messages only wake workers.

A lost message costs one sweep (15 s); a killed worker costs its lease (60 s) and the step it was in. What a worker
does must be safe to do twice, because a lease can expire while its holder still lives.

Leases and heartbeats use the database's clock alone, so machines whose clocks differ agree on them. A lease further
in the future than ``LEASE`` counts as expired: the database's clock was set back since it was written.

A row with a lease is a :class:`Job`, or a chunk of a run (``evaluation/runs``); both are claimed and ended here.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, TypeVar

from celery import current_app
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import BooleanField, Case, Count, ExpressionWrapper, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce, Now
from kombu.exceptions import OperationalError as BrokerUnreachable

from curation.core.broker import DEFAULT, crowded
from curation.core.errors import DomainError, StorageFull, StorageUnavailable
from curation.core.models import Job, Leased, WorkerSeen
from curation.core.stores.space import DISKS, Disk, writable_bytes
from curation.core.text import storable

LEASE = timedelta(seconds=60)
HEARTBEAT = timedelta(seconds=15)
# The least pause between two attempts, less than between two sweeps.
RETRY_AFTER = timedelta(seconds=10)
# By how much a clock may be corrected before anything written earlier counts as expired or as future.
CLOCK_SLACK = timedelta(seconds=5)
# Enough for a service that restarts, few enough for a job that kills its worker each time.
MAX_ATTEMPTS = 5
# A live worker reports every 15 seconds (the sweeps and reports that beat sends), so that it has missed three.
WORKER_SILENT_AFTER = timedelta(seconds=50)
# How long the sweeps leave failed work alone, so that a broken system does not fill the tables and logs.
COOL_DOWN = timedelta(minutes=10)
# Jobs of each queue that one sweep wakes; the next one takes the rest.
SWEPT_AT_ONCE = 200

log = logging.getLogger(__name__)
Row = TypeVar("Row", bound=Leased)


class LeaseLost(Exception):
    """Another worker claimed the row: stop without writing anything more."""


class Postponed(Exception):
    """A step waits for something outside: a sweep tries it again, and the attempt does not count."""


# --- Leases -----------------------------------------------------------------------------------------------------------


def claimable() -> Q:
    """Rows that wait, or whose holder let its lease expire."""
    return Q(state=Leased.State.QUEUED) | (Q(state=Leased.State.RUNNING) & lease_expired())


def lease_expired() -> Q:
    """Rows whose ``lease_until`` has passed, or is further ahead than any lease: the clock was set back since."""
    return Q(lease_until__lt=Now()) | Q(lease_until__gt=Now() + LEASE + CLOCK_SLACK)


def failed_lately() -> Q:
    """Rows that failed within :data:`COOL_DOWN`."""
    return Q(state=Leased.State.FAILED, finished_at__gt=Now() - COOL_DOWN, finished_at__lte=Now() + CLOCK_SLACK)


@transaction.atomic
def claim(rows: QuerySet[Row]) -> Row | None:
    """Take the lease of the first of ``rows``; None if there is none.

    A row that another worker is claiming at this moment is skipped, so workers neither wait for one another nor get
    the same row.
    """
    row = rows.select_for_update(of=("self",), skip_locked=True).first()
    if row is None:
        return None
    # The attempts of failed work are counted from one again.
    row.attempt = 1 if row.state == Leased.State.FAILED else row.attempt + 1
    row.state, row.worker = Leased.State.RUNNING, worker_name()
    QuerySet(type(row)).filter(pk=row.pk).update(
        state=row.state,
        worker=row.worker,
        attempt=row.attempt,
        heartbeat_at=Now(),
        lease_until=Now() + LEASE,
        error_code="",
        error_params={},
        finished_at=None,
    )
    return row


def renew(row: Leased, **fields: Any) -> bool:
    """Renew the lease and write ``fields``; return False if the row is no longer ours."""
    return bool(_held(row).update(heartbeat_at=Now(), lease_until=Now() + LEASE, **fields))


def finish(row: Leased, state: str = Leased.State.DONE, **fields: Any) -> bool:
    """End the work on a row and write ``fields``; return False if the row is no longer ours."""
    return bool(_held(row).update(state=state, lease_until=None, finished_at=Now(), **fields))


def carry_out(row: Leased, step: Callable[[], None]) -> str:
    """Run ``step`` for a claimed row and store the result; return the state, ``"lost"`` if the lease was lost.

    A step may call :func:`finish` itself, in the transaction that writes its result.
    """
    try:
        with _heartbeat(row):
            step()
    except LeaseLost:
        return "lost"
    except Postponed as wait:
        return _requeue(row, wait, attempt=max(1, row.attempt - 1))
    except DomainError as error:
        log.warning("%s failed: %s: %s", row, error.code, error)
        # A full disk waits for a person, however long; an unavailable store usually recovers without one.
        if isinstance(error, StorageFull):
            # The attempt does not count. Not 0, which would mean that the job was never tried and needs no pause.
            attempt = max(1, row.attempt - 1)
            return _requeue(row, error, attempt=attempt, error_code=error.code, error_params=error.params)
        if isinstance(error, StorageUnavailable) and row.attempt < MAX_ATTEMPTS:
            return _requeue(row, error)
        return _fail(row, error.code, str(error), error.params)
    except Exception as error:
        log.exception("%s failed, attempt %s", row, row.attempt)
        _close_broken_connection()
        if row.attempt >= MAX_ATTEMPTS:
            return _fail(row, "internal_error", traceback.format_exc()[-4000:])
        return _requeue(row, error)
    finish(row, log="")
    return Leased.State.DONE


@contextmanager
def _heartbeat(row: Leased) -> Iterator[None]:
    """Renew the lease from a thread, so that a step of any length keeps it as long as this process lives.

    A step that never ends is stopped by the time limit of its task (``config/celery.py``).
    """
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(HEARTBEAT.total_seconds()):
            try:
                if not renew(row):
                    return
                if isinstance(row, Job):
                    worker_seen(row.queue)  # a step may wait for minutes, while no page must say that no worker runs
            except DatabaseError as error:
                log.warning("the lease of %s was not renewed: %s", row, error)
            finally:
                connection.close()  # of this thread

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(timeout=HEARTBEAT.total_seconds())


def _held(row: Leased) -> QuerySet[Any]:
    return QuerySet(type(row)).filter(pk=row.pk, state=Leased.State.RUNNING, worker=row.worker, attempt=row.attempt)


def _requeue(row: Leased, error: Exception, **fields: Any) -> str:
    """Leave the row to the next sweep, and store the reason."""
    reason = storable(f"{type(error).__name__}: {error}"[:4000])
    _held(row).update(state=Leased.State.QUEUED, lease_until=None, log=reason, **fields)
    return Leased.State.QUEUED


def _fail(row: Leased, code: str, note: str, params: dict[str, Any] | None = None) -> str:
    finish(row, Leased.State.FAILED, error_code=code, error_params=storable(params or {}), log=storable(note))
    return Leased.State.FAILED


def _close_broken_connection() -> None:
    # After a restart of the database the old connection only raises; the next query opens a new one.
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


# --- Jobs -------------------------------------------------------------------------------------------------------------


def enqueue(
    *,
    task: str,
    args: dict[str, Any],
    dedupe_key: str,
    queue: str = DEFAULT,
    benchmark_id: int | None = None,
    actor_id: int | None = None,
) -> Job:
    """Add a job and wake a worker after commit.

    While a job with the same ``dedupe_key`` is open, that job is returned, so a repeated request starts no second one.
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


def open_jobs(dedupe_keys: Iterable[str]) -> dict[str, Job]:
    """The jobs of these keys that have not ended, by key."""
    keys = list(dedupe_keys)
    rows = Job.objects.filter(dedupe_key__in=keys, state__in=[Job.State.QUEUED, Job.State.RUNNING])
    return {job.dedupe_key: job for job in rows} if keys else {}


def wake(job: Job) -> None:
    """Send the message that wakes a worker for the job; without a broker the next sweep sends it."""
    send(job.task, queue=job.queue, job_id=job.pk)


def send(task: str, *, queue: str = DEFAULT, **kwargs: Any) -> None:
    """Send a wake-up message; if the broker is unavailable, log that and continue, because a sweep sends it again."""
    try:
        # No ``expires``: it compares the clocks of two machines, and the broker keeps expired messages anyway.
        current_app.send_task(task, kwargs=kwargs, queue=queue, retry=False)
    except (BrokerUnreachable, OSError) as error:
        log.warning("broker unreachable, the sweep will wake %s: %s", task, error)


class Lease:
    """A job that this process holds."""

    def __init__(self, job: Job) -> None:
        self.job = job

    @property
    def args(self) -> dict[str, Any]:
        """The arguments given to :func:`enqueue`."""
        return dict(self.job.args)

    def progress(self, done: int, total: int) -> None:
        """Report how far the work is and renew the lease.

        Raises:
            LeaseLost: The job is no longer ours.
        """
        if not renew(self.job, done=done, total=total):
            raise LeaseLost
        self.job.done, self.job.total = done, total
        worker_seen(self.job.queue)


def run(job_id: int, step: Callable[[Lease], None]) -> str:
    """Claim the job, run ``step``, store the result; return the state.

    Returns ``"lost"`` when another worker holds it, it has ended or it waits for space: a superfluous wake-up is
    harmless.
    """
    job = claim(Job.objects.filter(claimable(), pk=job_id).exclude(_waits_for_space()))
    return "lost" if job is None else run_claimed(job, step)


def claim_fairly(task: str, most_of_one_person: int, most: int | None = None) -> Job | None:
    """Take the lease of a job of ``task``: of the person with the fewest running, the oldest; None if there is none.

    Args:
        task: The jobs to choose from.
        most_of_one_person: No job is taken of a person who has this many running, so that other people's find a worker.
        most: No job is taken while this many are running; None: no limit.
    """
    held = Job.objects.filter(~claimable(), task=task, state=Job.State.RUNNING)
    running = held.filter(actor_id=OuterRef("actor_id")).order_by().values("actor_id").values(n=Count("pk"))
    # A job that failed waits for a sweep, as other jobs do: the messages of others must not use up its attempts.
    rested = Q(attempt=0) | Q(heartbeat_at__lt=Now() - RETRY_AFTER)
    waiting = Job.objects.filter(claimable(), rested, task=task).exclude(_waits_for_space())
    waiting = waiting.annotate(of_person=Coalesce(Subquery(running), 0))
    with transaction.atomic(), connection.cursor() as cursor:
        # One claim at a time, because two at once would not see each other's job as running.
        cursor.execute("select pg_advisory_xact_lock(hashtext(%s))", [f"claim {task}"])
        if most is not None and held.count() >= most:
            return None
        return claim(waiting.filter(of_person__lt=most_of_one_person).order_by("of_person", "pk"))


def _waits_for_space() -> Q:
    """Jobs that found a disk of this machine full and need more than may be written to it now.

    After :data:`COOL_DOWN` they are tried anyway: not every quota shows in the free space.
    """
    needs_more = Q()
    for disk in DISKS:
        free = _writable_bytes(disk)
        more = Q(error_params__needed__gt=free)
        needs_more |= Q(error_params__disk=disk) & (more if free else more | Q(error_params__needed=None))
    return needs_more & Q(error_code=StorageFull.code, heartbeat_at__gt=Now() - COOL_DOWN)


def _writable_bytes(disk: Disk) -> int:
    try:
        return writable_bytes(disk)
    except StorageUnavailable:
        return 0


def run_claimed(job: Job, step: Callable[[Lease], None]) -> str:
    """Run ``step`` for a job that was claimed, store the result; return the state."""
    worker_seen(job.queue)
    if job.attempt > MAX_ATTEMPTS:
        return _fail(job, "job_gave_up", "", {"attempts": MAX_ATTEMPTS})
    return carry_out(job, lambda: step(Lease(job)))


def sweep() -> int:
    """Wake the oldest open jobs of each queue that no worker holds, unless the queue is crowded; return how many.

    By queue, so that many jobs of one, such as checks of pictures, do not hide a lost message of another. Jobs that
    wait for space come last, so that they do not hide others of their queue, those that were tried longest ago first.
    """
    for_space = Q(error_code=StorageFull.code)
    last_try = Case(When(for_space, then="heartbeat_at"))
    waiting = Job.objects.filter(claimable()).order_by(last_try.asc(nulls_first=True), "pk")
    queues = set(waiting.order_by().values_list("queue", flat=True).distinct())
    woken = 0
    for queue in sorted(queues - crowded_queues(queues)):
        for job in waiting.filter(queue=queue)[:SWEPT_AT_ONCE]:
            wake(job)
            woken += 1
    return woken


def crowded_queues(queues: Iterable[str]) -> set[str]:
    """The queues in which so many messages wait that a sweep adds none."""
    return {queue for queue in set(queues) if crowded(current_app, queue)}


def cooling_down(dedupe_keys: Iterable[str]) -> set[str]:
    """The keys whose newest job failed within :data:`COOL_DOWN`."""
    newest = (
        Job.objects.filter(dedupe_key__in=list(dedupe_keys))
        .annotate(lately=ExpressionWrapper(failed_lately(), output_field=BooleanField()))
        .order_by("dedupe_key", "-pk")
        .distinct("dedupe_key")
    )
    return {key for key, lately in newest.values_list("dedupe_key", "lately") if lately}


# --- Workers ----------------------------------------------------------------------------------------------------------


def worker_name() -> str:
    """The name of this process: host and process id."""
    return f"{socket.gethostname()}:{os.getpid()}"


def worker_seen(queue: str) -> None:
    """Record that a worker of ``queue`` is alive."""
    seen = WorkerSeen(queue=queue, name=worker_name(), seen_at=Now())
    WorkerSeen.objects.bulk_create(
        [seen], update_conflicts=True, unique_fields=["queue", "name"], update_fields=["seen_at"]
    )


def last_seen(queue: str) -> dict[str, Any]:
    """Whether a worker of ``queue`` is alive: ``{"alive": bool, "last_seen": datetime | None}``."""
    alive = ExpressionWrapper(seen_lately(), output_field=BooleanField())
    rows = WorkerSeen.objects.filter(queue=queue).annotate(alive=alive).order_by("-alive", "-seen_at")
    living, newest = rows.values_list("alive", "seen_at").first() or (False, None)
    return {"alive": living, "last_seen": newest}


def seen_lately() -> Q:
    """Workers seen a short while ago; a time in the future is from before the clock was set back."""
    return Q(seen_at__gt=Now() - WORKER_SILENT_AFTER, seen_at__lte=Now() + CLOCK_SLACK)


def database_now() -> datetime:
    """The database's time, for what is compared with leases outside of it."""
    with connection.cursor() as cursor:
        cursor.execute("select statement_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now
