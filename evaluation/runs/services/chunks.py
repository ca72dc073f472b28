"""Chunks of a run: cut once, claimed by one worker at a time."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max, Q

from curation.core import jobs
from evaluation.runs import access, queries
from evaluation.runs.models import Chunk, Run
from evaluation.sets.models import ItemSet


def add_chunks(run: Run, shares: Sequence[Sequence[int]]) -> int:
    """Add chunks of the run's round, each of some entries by number; return how many. Call it under the run's lock."""
    newest = Chunk.objects.filter(run=run).aggregate(no=Max("no"))["no"] or 0
    Chunk.objects.bulk_create(
        [
            Chunk(run=run, no=no, round=run.round, entries=list(share), size=len(share))
            for no, share in enumerate(shares, newest + 1)
        ],
        batch_size=1_000,
    )
    return len(shares)


@transaction.atomic
def cut_pending(run_id: int) -> int:
    """Cut the entries of an open run's set that are in no chunk; return how many chunks they make."""
    run = access.lock_run_for_worker(run_id)
    if run.state != Run.State.OPEN:
        return 0
    return cut_entries(run)


def cut_entries(run: Run) -> int:
    """Cut the entries of a run's set that were added since the last cut; return how many chunks they make.

    Call it under the run's lock. Entries that ended before are not asked.
    """
    # Read once: an entry that is added in this moment waits for the next cut.
    size = ItemSet.objects.values_list("size", flat=True).get(runs=run)
    shares = queries.uncut_entries(run, up_to=size)
    run.cut_to = size
    run.expected += sum(map(len, shares))
    run.save(update_fields=["cut_to", "expected"])
    return add_chunks(run, shares)


def claim_chunk(run_id: int) -> Chunk | None:
    """Claim the first chunk of an open run that waits, or that failed and may be tried again here."""
    # Another worker may succeed where one failed: its copy of the model's files may be the broken one.
    retryable = Q(state=Chunk.State.FAILED) & (~Q(worker=jobs.worker_name()) | ~jobs.failed_lately())
    rows = Chunk.objects.filter(jobs.claimable() | retryable, run_id=run_id, run__state=Run.State.OPEN)
    return jobs.claim(rows.order_by("no"))


def is_finished(chunk: Chunk) -> bool:
    """Whether our claim on the chunk ended well, asked after a commit whose answer got lost."""
    ours = Q(pk=chunk.pk, worker=chunk.worker, attempt=chunk.attempt)
    return Chunk.objects.filter(ours, state=Chunk.State.DONE).exists()


def requeue_failed(run: Run) -> int:
    """Let workers try the failed chunks at once; return how many."""
    failed = Chunk.objects.filter(run=run, state=Chunk.State.FAILED)
    return failed.update(state=Chunk.State.QUEUED, attempt=0, error_code="", error_params={}, finished_at=None)
