"""What may be kept of a system's answer, and what a run shows itself to be doing. Values in, values out."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

# A unit vector in half precision is off by less than this.
_UNIT_WITHIN = 1e-2
# A worker renews its chunk three times within this; after it pages say for how long nothing was heard.
SILENT_AFTER: Final = timedelta(seconds=30)
# How long a chunk stays with a worker that says nothing more; then another may take it.
CHUNK_LEASE: Final = timedelta(seconds=60)
# Pace is told from what was done within this.
PACE_OVER: Final = timedelta(minutes=2)
# A chunk that was taken up so often and never finished takes its worker down with it: its inputs count as failed.
MOST_CHUNK_ATTEMPTS: Final = 5

Shown: TypeAlias = Literal["queued", "no_worker", "running", "silent", "paused", "cancelled", "failed", "done"]
SHOWN: Final[tuple[Shown, ...]] = (
    *("queued", "no_worker", "running", "silent"),
    *("paused", "cancelled", "failed", "done"),
)


class Standing(NamedTuple):
    """What is known about a run at one moment.

    Attributes:
        state: Of the row: open, paused, cancelled or closed.
        left: Revisions without an answer.
        at_work: Whether a worker holds a chunk or a job of the run.
        heard: When one of these was last heard of.
        job_failed: Whether the newest job failed and none is open.
        worker_alive: Whether any worker of the queue shows itself.
    """

    state: str
    left: int
    at_work: bool
    heard: datetime | None
    job_failed: bool
    worker_alive: bool


def shown(run: Standing, now: datetime) -> tuple[Shown, int | None]:
    """What a run is doing, and for silent ones the seconds since anything was heard.

    What people decided comes first, then whether anything is left; a worker that has gone silent is told as such for
    as long as its lease keeps others from its chunk.
    """
    if run.state in ("paused", "cancelled"):
        return ("paused" if run.state == "paused" else "cancelled"), None
    if run.state == "closed" or run.left == 0:
        return "done", None
    if run.at_work and run.heard is not None:
        quiet = now - run.heard
        if quiet <= SILENT_AFTER:
            return "running", None
        if run.worker_alive or quiet <= CHUNK_LEASE:
            return "silent", int(quiet.total_seconds())
    if run.job_failed:
        return "failed", None
    return ("queued" if run.worker_alive else "no_worker"), None


class Pace(NamedTuple):
    """Revisions a minute, and seconds until nothing is left."""

    per_minute: float
    seconds_left: int


def pace(*, done: int, since: datetime | None, left: int, now: datetime) -> Pace | None:
    """How fast a run goes, None while nothing was done lately.

    Args:
        done: Revisions done within :data:`PACE_OVER`, by all workers together.
        since: When the first of these was begun.
        left: Revisions without an answer.
        now: The moment.
    """
    if not done or since is None:
        return None
    seconds = max((now - since).total_seconds(), 0.001)
    return Pace(round(done * 60 / seconds, 1), math.ceil(left * seconds / done))


def fault_of(vector: npt.NDArray[np.float32]) -> str:
    """The code of what is wrong with a vector, empty when it can be scored."""
    if vector.ndim != 1 or vector.size == 0 or not np.isfinite(vector).all():
        return "vector_not_finite"
    if abs(float(np.linalg.norm(vector.astype(np.float64))) - 1.0) > _UNIT_WITHIN:
        return "vector_not_unit"
    return ""


def to_bytes(vector: npt.NDArray[np.float32]) -> bytes:
    """A vector as it is stored: little-endian float32, the same on every machine."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()


def from_bytes(stored: bytes | memoryview) -> npt.NDArray[np.float32]:
    """A stored vector."""
    return np.frombuffer(stored, dtype="<f4")
