"""The status of a run, and which vectors may be stored."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

# The length of a unit vector in half precision differs from 1 by less than this.
_UNIT_TOLERANCE = 1e-2
# A run without a heartbeat for longer than this is silent; workers send two within it.
SILENT_AFTER: Final = timedelta(seconds=30)
# The pace of a run is computed from what was done within this time.
PACE_WINDOW: Final = timedelta(minutes=2)
#: Characters of the answer that a person reads in a reply.
LONGEST_OVERRIDE: Final = 500

RunStatus: TypeAlias = Literal["queued", "no_worker", "running", "silent", "paused", "cancelled", "failed", "done"]
RUN_STATUSES: Final[tuple[RunStatus, ...]] = (
    *("queued", "no_worker", "running", "silent"),
    *("paused", "cancelled", "failed", "done"),
)


class RunProgress(NamedTuple):
    """What is known about a run at one moment.

    Attributes:
        state: Of the row: open, paused, cancelled or closed.
        remaining: Entries without an answer.
        heartbeat_at: The last heartbeat of a worker that holds a chunk of the run, None if no worker does.
        failed: Whether a chunk failed and no worker holds another.
        worker_alive: Whether any worker of the queue is alive.
    """

    state: str
    remaining: int
    heartbeat_at: datetime | None
    failed: bool
    worker_alive: bool


def run_status(run: RunProgress, now: datetime, lease: timedelta) -> tuple[RunStatus, int | None]:
    """The status of a run, and for silent ones the seconds since the last heartbeat.

    Decisions of people come first, then whether anything remains. A worker without a heartbeat makes the run silent
    while its lease keeps others from its chunk.
    """
    if run.state in ("paused", "cancelled"):
        return ("paused" if run.state == "paused" else "cancelled"), None
    if run.state == "closed" or run.remaining == 0:
        return "done", None
    if run.heartbeat_at is not None:
        silence = now - run.heartbeat_at
        if silence <= SILENT_AFTER:
            return "running", None
        if run.worker_alive or silence <= lease:
            return "silent", int(silence.total_seconds())
    if run.failed:
        return "failed", None
    return ("queued" if run.worker_alive else "no_worker"), None


class Pace(NamedTuple):
    """Entries a minute, and seconds until none remains."""

    per_minute: float
    seconds_left: int


def pace(*, done: int, since: datetime | None, remaining: int, now: datetime) -> Pace | None:
    """The pace of a run; None if nothing was done lately.

    Args:
        done: Entries done within :data:`PACE_WINDOW`, by all workers together.
        since: When the first of these was started.
        remaining: Entries without an answer.
        now: The moment.
    """
    if not done or since is None:
        return None
    seconds = max((now - since).total_seconds(), 0.001)
    return Pace(round(done * 60 / seconds, 1), math.ceil(remaining * seconds / done))


def vector_error(vector: npt.NDArray[np.float32]) -> str:
    """The error code of a vector that cannot be scored, else empty."""
    if vector.ndim != 1 or vector.size == 0 or not np.isfinite(vector).all():
        return "vector_not_finite"
    if abs(float(np.linalg.norm(vector.astype(np.float64))) - 1.0) > _UNIT_TOLERANCE:
        return "vector_not_unit"
    return ""


def to_bytes(vector: npt.NDArray[np.float32]) -> bytes:
    """A vector as it is stored: little-endian float32, the same on every machine."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()


def from_bytes(stored: bytes | memoryview) -> npt.NDArray[np.float32]:
    """A stored vector."""
    return np.frombuffer(stored, dtype="<f4")
