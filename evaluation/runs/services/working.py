"""A worker at a run: chunk after chunk until nothing is left, somebody stops it, or it dies."""

from __future__ import annotations

import logging
import os
import platform
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any, TypeVar

import psutil
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models.functions import Now
from django.utils import timezone

from curation.core import jobs
from curation.core.models import Job, WorkerSeen
from evaluation.backends.base import Embedder
from evaluation.backends.registry import BACKENDS
from evaluation.runs import access, queries
from evaluation.runs.models import Chunk, Failure, Feature, Prediction, Run
from evaluation.runs.rules import MOST_CHUNK_ATTEMPTS
from evaluation.runs.services import chunks
from evaluation.runs.services.embedding import Answered, facts_of, given_up, loaded, predict
from evaluation.runs.services.sweeping import EMBED
from evaluation.systems import services as system_services

log = logging.getLogger(__name__)
Result = TypeVar("Result")

# Between two signs of life while a chunk is computed or a model loaded.
PULSE_SECONDS = 15.0
# A worker that computes at one chunk, or loads, for longer than this is taken for stuck: it gives no more signs.
STUCK_AFTER_SECONDS = 1800.0
# For how long a worker waits for a database that went away, with what it has computed in its hands.
PATIENCE_SECONDS = 90.0

# Set while this process works at a run, so that what stands under its name is not taken for a dead one's.
_at_work = threading.Event()


def embed_accepted(lease: jobs.Lease, *, stop: Callable[[], bool] = lambda: False) -> None:
    """Predict everything a run has left, together with whoever else works at it; a job's handler.

    Args:
        lease: The job.
        stop: Whether this worker was told to end; looked at between chunks.

    Raises:
        LeaseLost: Somebody else works on the job.
        SystemFilesChanged: The model on disk is not the one that was added.
        PictureStoreUnreachable: The pictures' folder is away.
        ModelServerChanged, ModelServerUnreachable, ModelServerRefused, ModelNotServed, ModelServerAnswerUnfit,
            ModelServerUnknown: A model server holds something else than was added, or cannot be asked.
    """
    _at_work.set()
    try:
        _work(lease, stop)
    finally:
        _at_work.clear()


def _work(lease: jobs.Lease, stop: Callable[[], bool]) -> None:
    run = access.run_for_worker(lease.args["run_id"])
    lease.progress(0, queries.left_in_chunks(run.pk))
    embedder: Embedder | None = None
    done = 0
    while not stop() and (chunk := _patiently(lambda: _next(run))) is not None:
        try:
            with _pulse(lease, chunk):
                if embedder is None:
                    embedder = loaded(run.system)
                    note_environment(run, embedder)
                system_services.confirm_system(run.system, embedder)
                done = _answer(lease, run, embedder, chunk, done)
        except Exception:
            # A fault of the model, the pictures' folder or the job: nobody has to wait for this chunk's lease.
            _patiently(lambda: chunks.give_back(chunk))
            raise
    _patiently(lambda: _close(run.pk))


def _next(run: Run) -> Chunk | None:
    chunk = chunks.take(run.pk)
    # What was accepted since the last cut. When somebody else cuts at this moment we wait for the lock, then find it.
    if chunk is None and chunks.cut_what_is_new(run.pk):
        chunk = chunks.take(run.pk)
    return chunk


def _answer(lease: jobs.Lease, run: Run, embedder: Embedder, chunk: Chunk, done: int) -> int:
    started = time.perf_counter()
    works = _patiently(lambda: queries.works(run, chunk))
    if chunk.attempt > MOST_CHUNK_ATTEMPTS:
        log.error("chunk %s of run %s took down %s workers", chunk.no, run.pk, chunk.attempt - 1)
        answered = Answered([], given_up(run, works, round_=chunk.round), [])
    else:
        answered = _patiently(lambda: predict(run, embedder, works, round_=chunk.round))
    _hold_here()
    ms = round((time.perf_counter() - started) * 1000)
    done += chunk.size
    if not _patiently(lambda: _write(lease, chunk, answered, ms, done)):
        log.warning("chunk %s of run %s was taken over; its answers are thrown away", chunk.no, run.pk)
        return done - chunk.size
    return done


def _write(lease: jobs.Lease, chunk: Chunk, answered: Answered, ms: int, done: int) -> bool:
    """Write a chunk's rows and mark it done, all or nothing; whether they are there."""
    with transaction.atomic():
        if not chunks.finish(chunk, ms):
            # An earlier try may have gone through without our hearing of it.
            return chunks.was_finished(chunk)
        Feature.objects.bulk_create(answered.features, ignore_conflicts=True)
        Prediction.objects.bulk_create(answered.predictions)
        Failure.objects.bulk_create(answered.failures)
        # In the same transaction: a worker that lost its job meanwhile writes nothing.
        lease.progress(done, done + queries.left_in_chunks(chunk.run_id))
    return True


@transaction.atomic
def _close(run_id: int) -> None:
    """Close a run over a release of which nothing is left; a rolling one waits for what is accepted next."""
    run = access.lock_run_for_worker(run_id)
    if run.release_id is None or run.state != Run.State.OPEN:
        return
    if not queries.unfinished_chunks(run_id, 1) and not queries.pending(run, 1):
        run.state, run.ended_at = Run.State.CLOSED, timezone.now()
        run.save(update_fields=["state", "ended_at"])


def _patiently(work: Callable[[], Result]) -> Result:
    """Do something with the database; while it is away, wait for it and do it again.

    Whatever is handed in must bear to be done twice. Inside of somebody else's transaction it is tried once.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
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
def _pulse(lease: jobs.Lease, chunk: Chunk) -> Iterator[None]:
    """Renew a chunk and its job from beside while this thread computes: large models take minutes on a processor."""
    over = threading.Event()

    def beat() -> None:
        until = time.monotonic() + STUCK_AFTER_SECONDS
        try:
            while not over.wait(PULSE_SECONDS) and time.monotonic() < until:
                try:
                    if not _still_ours(lease, chunk):
                        return
                except (OperationalError, InterfaceError) as error:
                    log.warning("no sign of life could be given: %s", error)
                    connection.close()
        finally:
            connection.close()

    beside = threading.Thread(target=beat, name="pulse", daemon=True)
    beside.start()
    try:
        yield
    finally:
        over.set()
        beside.join()


def _still_ours(lease: jobs.Lease, chunk: Chunk) -> bool:
    ours = Job.objects.filter(pk=lease.job.pk, state=Job.State.RUNNING, attempt=lease.job.attempt)
    ours.update(heartbeat_at=Now(), lease_until=Now() + jobs.LEASE)
    jobs.worker_seen(lease.job.queue)
    return chunks.renew(chunk)


def _hold_here() -> None:
    """Stand still between computing and committing while tests want it, which is where a kill hurts most.

    Only where ``LANTERN_TEST_HOLD`` names a folder: the process leaves its number there and goes on once the file
    ``hold`` is gone.
    """
    if settings.TEST_HOLD is None:
        return
    (settings.TEST_HOLD / f"at-{os.getpid()}").touch()
    while (settings.TEST_HOLD / "hold").exists():
        time.sleep(0.005)
    (settings.TEST_HOLD / f"at-{os.getpid()}").unlink(missing_ok=True)


@transaction.atomic
def note_environment(run: Run, embedder: Embedder) -> None:
    """Add to the run's record what it is carried out with, once for each that differs (W-E3)."""
    now: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "packages": {name: version(name) for name in BACKENDS[run.system.backend].packages},
        **facts_of(run, embedder),
    }
    locked = access.lock_run_for_worker(run.pk)
    seen = locked.environment.get("workers", [])
    if any({k: v for k, v in one.items() if k != "since"} == now for one in seen):
        return
    locked.environment = {"workers": [*seen, {**now, "since": timezone.now().isoformat()}]}
    locked.save(update_fields=["environment"])


def show_worker(queue: str) -> None:
    """Say that this process serves a queue of runs, and take over what dead ones of the same machine have left.

    Their leases would run out by themselves; on the same machine there is no need to wait for that. One that wears
    this process's number died before it, as happens where a container was started anew.
    """
    jobs.worker_seen(queue)
    own = jobs.worker_name()
    host = own.rpartition(":")[0]
    seen = WorkerSeen.objects.filter(queue=queue, name__startswith=f"{host}:").values_list("name", flat=True)
    gone = [name for name in seen if name != own and not psutil.pid_exists(int(name.rpartition(":")[2]))]
    stale = gone if _at_work.is_set() else [*gone, own]
    chunks.take_from(stale)
    left = Job.objects.filter(queue=queue, state=Job.State.RUNNING, worker__in=stale)
    # A run's job is not handed on but given up: the next sweep notes another, so that no count of attempts runs out.
    left.filter(task=EMBED).update(state=Job.State.CANCELLED, lease_until=None, finished_at=Now())
    left.update(lease_until=Now())
    if gone:
        WorkerSeen.objects.filter(queue=queue, name__in=gone).delete()
