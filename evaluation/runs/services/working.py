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
from evaluation.backends.base import Embedder, OnServer
from evaluation.backends.registry import BACKENDS
from evaluation.runs import access, queries
from evaluation.runs.models import Chunk, Failure, Feature, Prediction, Run
from evaluation.runs.services import chunks, replying
from evaluation.runs.services.embedding import ChunkResult, abandoned, describe_embedder, loaded, predict
from evaluation.sets.models import ItemSet
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
    compute = _embed if run.set_id is None else _ask

    def step() -> None:
        with _heartbeat(chunk, queue):
            # What loading takes, the next chunk does not, so it says nothing of the pace.
            if chunk.attempt <= jobs.MAX_ATTEMPTS:
                _retry_while_database_away(lambda: _load(run))
            started = time.perf_counter()
            write = compute(run, chunk, first)
            ms = round((time.perf_counter() - started) * 1000)
            if not _retry_while_database_away(lambda: _finish(chunk, ms, write)):
                raise jobs.LeaseLost

    return jobs.carry_out(chunk, step)


def _load(run: Run) -> None:
    if run.set_id is None:
        loaded(run.system)
    else:
        replying.load(run)


def _embed(run: Run, chunk: Chunk, first: bool) -> Callable[[], None]:
    """Embed a chunk's pictures and texts; return what writes the vectors."""
    embedder = loaded(run.system)
    if first:
        _retry_while_database_away(lambda: note_environment(run, describe_embedder(run, embedder)))
    if isinstance(embedder, OnServer):
        embedder.confirm()
    result = _compute(run, chunk, embedder)
    return lambda: _write(result)


def _ask(run: Run, chunk: Chunk, first: bool) -> Callable[[], None]:
    """Ask a chunk's questions; return what writes the replies."""
    if chunk.attempt > jobs.MAX_ATTEMPTS:
        log.error("%s: worker after worker died, its entries count as failed", chunk)
        replies = _retry_while_database_away(lambda: replying.abandoned(run, chunk))
    else:
        replies = _retry_while_database_away(lambda: replying.answer_chunk(run, chunk))
        if first:
            _retry_while_database_away(lambda: note_environment(run, replying.describe(run)))
    return lambda: replying.write(run.pk, chunk, replies)


def _compute(run: Run, chunk: Chunk, embedder: Embedder) -> ChunkResult:
    inputs = _retry_while_database_away(lambda: queries.chunk_inputs(run, chunk))
    if chunk.attempt > jobs.MAX_ATTEMPTS:
        log.error("%s: worker after worker died, its inputs count as failed", chunk)
        return abandoned(run, inputs, round_=chunk.round)
    return _retry_while_database_away(lambda: predict(run, embedder, inputs, round_=chunk.round))


def _finish(chunk: Chunk, ms: int, write: Callable[[], None]) -> bool:
    """Write a chunk's rows and mark it done, all or nothing; return whether they are in the database."""
    with transaction.atomic():
        if not jobs.finish(chunk, ms=ms, log=""):
            # An earlier try may have been committed though its answer got lost.
            return chunks.is_finished(chunk)
        write()
    return True


def _write(result: ChunkResult) -> None:
    result = _without_destroyed(result)
    Feature.objects.bulk_create(result.features, ignore_conflicts=True)
    Prediction.objects.bulk_create(result.predictions)
    Failure.objects.bulk_create(result.failures)


def _without_destroyed(result: ChunkResult) -> ChunkResult:
    """Leave out what was computed from pictures in which something was covered meanwhile, and lock the others.

    Their revisions are pending again. Features of destroyed files are left out too; erasing has been here before.
    """
    renditions = {p.value["rendition"]: p for p in result.predictions if p.value}
    destroyed = queries.lock_pictures(renditions.keys())
    if not destroyed:
        return result
    gone = {(renditions[one].item_id, renditions[one].revision_no) for one in destroyed}
    vectors = {bytes(vector) for one in destroyed if (vector := renditions[one].vector) is not None}
    return ChunkResult(
        [p for p in result.predictions if (p.item_id, p.revision_no) not in gone],
        [f for f in result.failures if (f.item_id, f.revision_no) not in gone],
        [f for f in result.features if bytes(f.vector) not in vectors],
    )


@transaction.atomic
def _close_if_finished(run_id: int) -> None:
    """Close a run over a release or a set if nothing is left; a rolling run waits for what is accepted next."""
    run = access.lock_run_for_worker(run_id)
    if run.is_rolling or run.state != Run.State.OPEN:
        return
    if not queries.unfinished_chunks(run_id, 1) and not _is_pending(run):
        # By the database's clock, as the time of a report with which it is compared.
        run.state, run.ended_at = Run.State.CLOSED, jobs.database_now()
        run.save(update_fields=["state", "ended_at"])


def _is_pending(run: Run) -> bool:
    """Whether a run has work in no chunk: revisions, or the entries of its set, which may not be made yet."""
    if run.set is None:
        return bool(queries.pending_revisions(run, 1, unticked=True))
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
