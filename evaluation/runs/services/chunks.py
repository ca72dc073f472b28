"""Chunks: cut once, taken by one worker at a time, given back by nobody but the clock.

Whoever takes a chunk holds it under a number, its attempt. What a holder writes goes through only while the chunk is
still its own under that number, so a worker that was thought dead and was not writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q
from django.db.models.functions import Now

from curation.core import jobs
from evaluation.runs import access, queries
from evaluation.runs.models import Chunk, Run
from evaluation.runs.rules import CHUNK_LEASE

# Revisions cut at once, which bounds the lock and the memory of a cut.
_CUT_AT_ONCE = 8_192


def cut(run: Run, revisions: Sequence[queries.Revision]) -> int:
    """Cut revisions into chunks of the run's round; return how many. Call it under the run's lock."""
    newest = Chunk.objects.filter(run=run).aggregate(no=Max("no"))["no"] or 0
    size = settings.EMBED_ITEMS_AT_ONCE
    shares = [revisions[start : start + size] for start in range(0, len(revisions), size)]
    Chunk.objects.bulk_create(
        [
            Chunk(run=run, no=no, round=run.round, entries=[list(revision) for revision in share], size=len(share))
            for no, share in enumerate(shares, newest + 1)
        ],
        batch_size=1_000,
    )
    return len(shares)


@transaction.atomic
def cut_what_is_new(run_id: int) -> int:
    """Cut what was never tried and lies in no chunk; return the number of chunks, none when nothing is left."""
    run = access.lock_run_for_worker(run_id)
    if run.state != Run.State.OPEN:
        return 0
    return cut(run, queries.pending(run, _CUT_AT_ONCE))


@transaction.atomic
def take(run_id: int) -> Chunk | None:
    """Take the first chunk that is free, or whose holder let its lease run out; None: there is none to take.

    A chunk in somebody's hands is passed over, so workers neither wait for one another nor take the same.
    """
    lapsed = Q(state=Chunk.State.HELD) & jobs.ran_out(CHUNK_LEASE)
    chunk = (
        Chunk.objects.filter(Q(state=Chunk.State.FREE) | lapsed, run_id=run_id, run__state=Run.State.OPEN)
        .select_for_update(of=("self",), skip_locked=True)
        .order_by("no")
        .first()
    )
    if chunk is None:
        return None
    chunk.state, chunk.holder, chunk.attempt = Chunk.State.HELD, jobs.worker_name(), chunk.attempt + 1
    Chunk.objects.filter(pk=chunk.pk).update(
        state=chunk.state, holder=chunk.holder, attempt=chunk.attempt, lease_until=Now() + CHUNK_LEASE
    )
    return chunk


def _ours(chunk: Chunk) -> Q:
    return Q(pk=chunk.pk, holder=chunk.holder, attempt=chunk.attempt)


def renew(chunk: Chunk) -> bool:
    """Say that its holder lives; whether it still is the holder."""
    held = Chunk.objects.filter(_ours(chunk), state=Chunk.State.HELD)
    return held.update(lease_until=Now() + CHUNK_LEASE) == 1


def finish(chunk: Chunk, ms: int) -> bool:
    """Mark a chunk as done, in the transaction that writes its answers; whether it was still ours."""
    held = Chunk.objects.filter(_ours(chunk), state=Chunk.State.HELD)
    return held.update(state=Chunk.State.DONE, lease_until=None, done_at=Now(), ms=ms) == 1


def was_finished(chunk: Chunk) -> bool:
    """Whether a transaction that ended without an answer had gone through."""
    return Chunk.objects.filter(_ours(chunk), state=Chunk.State.DONE).exists()


def give_back(chunk: Chunk) -> None:
    """Leave a chunk to the next who asks; its holder found that it cannot go on."""
    # The attempt is not counted against it: the chunk is not what stopped its holder.
    held = Chunk.objects.filter(_ours(chunk), state=Chunk.State.HELD)
    held.update(state=Chunk.State.FREE, lease_until=None, attempt=F("attempt") - 1)


def take_from(holders: Sequence[str]) -> int:
    """Free what processes held that are known to be gone, without waiting for their leases."""
    held = Chunk.objects.filter(state=Chunk.State.HELD, holder__in=list(holders))
    return held.update(state=Chunk.State.FREE, lease_until=None)
