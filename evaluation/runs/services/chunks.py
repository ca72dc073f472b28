"""Chunks of a run: cut once, claimed by one worker at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q

from curation.core import jobs
from evaluation.runs import access, queries
from evaluation.runs.models import Chunk, Run
from evaluation.sets.models import ItemSet
from evaluation.sets.rules import in_chunks

# Revisions cut in one transaction, which bounds how long the run is locked and how much memory a cut takes.
_CUT_AT_ONCE = 8_192


def cut(run: Run, revisions: Sequence[queries.Revision]) -> int:
    """Cut revisions into chunks of the run's round; return how many. Call it under the run's lock."""
    size = settings.EMBED_ITEMS_AT_ONCE
    shares = [revisions[start : start + size] for start in range(0, len(revisions), size)]
    return add_chunks(run, [[list(revision) for revision in share] for share in shares])


def add_chunks(run: Run, shares: Sequence[Sequence[Any]]) -> int:
    """Add chunks of the run's round, each of what its row names; return how many. Call it under the run's lock."""
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
    """Cut what was never tried and is in no chunk: revisions, or entries of the run's set; return how many chunks."""
    run = access.lock_run_for_worker(run_id)
    if run.state != Run.State.OPEN:
        return 0
    return cut(run, queries.pending_revisions(run, _CUT_AT_ONCE)) if run.set_id is None else cut_entries(run)


def cut_entries(run: Run) -> int:
    """Cut the entries of a run's set that were added since the last cut; return how many chunks they make.

    Call it under the run's lock. Entries that ended before are not asked.
    """
    # Read once: an entry that is added in this moment waits for the next cut.
    size = ItemSet.objects.values_list("size", flat=True).get(runs=run)
    entries = queries.uncut_entries(run, up_to=size)
    run.cut_to = size
    run.expected += len(entries)
    run.save(update_fields=["cut_to", "expected"])
    return add_chunks(run, in_chunks(entries))


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
