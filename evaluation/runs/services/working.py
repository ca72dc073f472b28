"""A worker on a run: it computes chunk after chunk until none is left, the run is stopped, or the process dies."""

from __future__ import annotations

import logging
import platform
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any, TypeVar

import psutil
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from curation.core import jobs
from curation.core.models import Job, WorkerSeen
from evaluation.backends.registry import BACKENDS
from evaluation.runs import access, queries
from evaluation.runs.models import Chunk, Run
from evaluation.runs.services import chunks, embedding, replying
from evaluation.runs.services.replying import Replies
from evaluation.sets.models import ItemSet
from evaluation.suites.rules import SUITES
from evaluation.systems.queries import queue_of

log = logging.getLogger(__name__)
Result = TypeVar("Result")

# Between two heartbeats while a chunk is computed or a model loaded.
HEARTBEAT_SECONDS = 15.0
# A worker that spends longer than this on one chunk, or on loading, counts as stuck: it sends no more heartbeats.
STUCK_AFTER_SECONDS = 1800.0
# How long a worker waits for a database that went away, before it gives up what it has computed.
DATABASE_PATIENCE_SECONDS = 90.0

# Set while this process works on a run, so that its own lease is not mistaken for that of a dead predecessor.
_working = threading.Event()


def embed_accepted(run_id: int, *, stop: Callable[[], bool] = lambda: False) -> str:
    """Predict what remains of a run, together with other workers.

    Args:
        run_id: Which run.
        stop: Whether this worker has to end; called between chunks.

    Returns:
        ``"done"`` when there is nothing more to do here, else how the chunk ended that stopped this worker:
        ``"failed"``, or ``"queued"`` when the next sweep tries it again.
    """
    _working.set()
    try:
        return _work(access.run_for_worker(run_id), stop)
    finally:
        _working.clear()


def _work(run: Run, stop: Callable[[], bool]) -> str:
    queue, first = queue_of(run.system.backend), True
    while not stop() and (chunk := _retry_while_database_away(lambda: _next_chunk(run, queue))) is not None:
        state = _predict_chunk(run, chunk, queue, first=first)
        first = False
        # A chunk that another worker took over is that worker's business; any other failure would hit the next too.
        if state not in (Chunk.State.DONE, "lost"):
            return state
    _retry_while_database_away(lambda: _close_if_finished(run.pk))
    return Chunk.State.DONE


def _next_chunk(run: Run, queue: str) -> Chunk | None:
    jobs.worker_seen(queue)
    chunk = chunks.claim_chunk(run.pk)
    # Cut what was accepted since the last cut. If another worker is cutting, wait for its lock, then find its chunks.
    if chunk is None and chunks.cut_pending(run.pk):
        chunk = chunks.claim_chunk(run.pk)
    return chunk


def _predict_chunk(run: Run, chunk: Chunk, queue: str, *, first: bool) -> str:
    def step() -> None:
        with _heartbeat(chunk, queue):
            # What loading takes, the next chunk does not, so it says nothing of the pace.
            if chunk.attempt <= jobs.MAX_ATTEMPTS:
                _retry_while_database_away(lambda: _load(run))
            started = time.perf_counter()
            replies = _answer(run, chunk, first=first)
            ms = round((time.perf_counter() - started) * 1000)
            if not _retry_while_database_away(lambda: _finish(run, chunk, ms, replies)):
                raise jobs.LeaseLost

    return jobs.carry_out(chunk, step)


def _load(run: Run) -> None:
    if _embeds(run):
        embedding.loaded(run.system)
    else:
        replying.load(run)


def _embeds(run: Run) -> bool:
    """Whether vectors of pictures and texts are made, instead of replies."""
    return SUITES[run.suite].is_retrieval


def _answer(run: Run, chunk: Chunk, *, first: bool) -> Replies:
    """The rows of a chunk's entries; with the first chunk of this worker its software and model are recorded."""
    if chunk.attempt > jobs.MAX_ATTEMPTS:
        log.error("%s: worker after worker died, its entries count as failed", chunk)
        abandoned = embedding.abandoned if _embeds(run) else replying.abandoned
        return _retry_while_database_away(lambda: abandoned(run, chunk))
    answer_chunk = embedding.embed_chunk if _embeds(run) else replying.answer_chunk
    replies = _retry_while_database_away(lambda: answer_chunk(run, chunk))
    if first:
        describe = embedding.describe if _embeds(run) else replying.describe
        _retry_while_database_away(lambda: note_environment(run, describe(run)))
    return replies


def _finish(run: Run, chunk: Chunk, ms: int, replies: Replies) -> bool:
    """Write a chunk's rows and mark it done, all or nothing; return whether they are in the database."""
    with transaction.atomic():
        if not jobs.finish(chunk, ms=ms, log=""):
            # An earlier try may have been committed though its answer got lost.
            return chunks.is_finished(chunk)
        replying.write(run, chunk, replies)
    return True


@transaction.atomic
def _close_if_finished(run_id: int) -> None:
    """Close a run if nothing is left; a rolling run waits for what is accepted next."""
    run = access.lock_run_for_worker(run_id)
    if run.is_rolling or run.state != Run.State.OPEN:
        return
    if not queries.unfinished_chunks(run_id, 1) and not _is_pending(run):
        # By the database's clock, as the time of a report with which it is compared.
        run.state, run.ended_at = Run.State.CLOSED, jobs.database_now()
        run.save(update_fields=["state", "ended_at"])


def _is_pending(run: Run) -> bool:
    """Whether a run has entries in no chunk, or its set's are not made yet."""
    return run.set.state == ItemSet.State.WAITING or (
        run.set.origin != ItemSet.Origin.FILE and run.set.size > run.cut_to
    )


def _retry_while_database_away(work: Callable[[], Result]) -> Result:
    """Do something with the database; while it is away, wait and do it again.

    ``work`` must be safe to do twice. Inside a caller's transaction it is tried once.
    """
    deadline = time.monotonic() + DATABASE_PATIENCE_SECONDS
    pause = 0.25
    while True:
        try:
            return work()
        except (OperationalError, InterfaceError) as error:
            if connection.in_atomic_block or time.monotonic() > deadline:
                raise
            log.warning("the database is away, trying again in %s s: %s", pause, error)
            connection.close()
        time.sleep(pause)
        pause = min(pause * 2, 4.0)


@contextmanager
def _heartbeat(chunk: Chunk, queue: str) -> Iterator[None]:
    """Renew a chunk's lease from a second thread: large models take minutes for a chunk on a processor."""
    over = threading.Event()

    def beat() -> None:
        until = time.monotonic() + STUCK_AFTER_SECONDS
        try:
            while not over.wait(HEARTBEAT_SECONDS) and time.monotonic() < until:
                try:
                    jobs.worker_seen(queue)
                    if not jobs.renew(chunk):
                        return
                except (OperationalError, InterfaceError) as error:
                    log.warning("no heartbeat could be written: %s", error)
                    connection.close()
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@transaction.atomic
def note_environment(run: Run, facts: Mapping[str, Any]) -> None:
    """Add this worker's software and model to the run's record, once for each that differs."""
    environment: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "packages": {name: version(name) for name in BACKENDS[run.system.backend].packages},
        **facts,
    }
    locked = access.lock_run_for_worker(run.pk)
    known = locked.environment.get("workers", [])
    if any({k: v for k, v in worker.items() if k != "since"} == environment for worker in known):
        return
    locked.environment = {"workers": [*known, {**environment, "since": timezone.now().isoformat()}]}
    locked.save(update_fields=["environment"])


def report_worker(queue: str) -> None:
    """Record that this process serves a queue of runs, and requeue what dead processes of the same machine held.

    Their leases would expire by themselves; on the same machine there is no need to wait for that. A process that had
    this one's number died before it, as happens when a container is restarted.
    """
    jobs.worker_seen(queue)
    own = jobs.worker_name()
    host = own.rpartition(":")[0]
    seen = WorkerSeen.objects.filter(queue=queue, name__startswith=f"{host}:").values_list("name", flat=True)
    dead = [name for name in seen if name != own and not psutil.pid_exists(int(name.rpartition(":")[2]))]
    stale = dead if _working.is_set() else [*dead, own]
    for rows in (Job.objects.filter(queue=queue), Chunk.objects.all()):
        rows.filter(state=Job.State.RUNNING, worker__in=stale).update(state=Job.State.QUEUED, lease_until=None)
    if dead:
        WorkerSeen.objects.filter(queue=queue, name__in=dead).delete()
