"""Parts of the sweep: withdrawn releases, and waking workers."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotation.releases.models import Release
from curation.core import jobs
from curation.core.decisions import Decision
from evaluation.runs import queries
from evaluation.runs.models import Run

EMBED = "evaluation.embed_accepted"
# Workers that may share one run, so that one run does not take all workers of a large installation.
MAX_WORKERS = 8
_UNENDED = (Run.State.OPEN, Run.State.PAUSED)


def wake_all() -> list[int]:
    """Wake workers for each run with work; return a run id per message."""
    pending = queries.pending_runs()
    if not pending:
        return []
    workers = queries.workers_by_queue()
    full = jobs.crowded_queues(run.queue for run in pending)
    return [
        run.run_id
        for run in pending
        if run.queue not in full
        for _ in range(wake_workers(run.run_id, run.queue, living=workers[run.queue].living))
    ]


def cancel_runs_of_withdrawn_releases() -> None:
    """Cancel the runs over withdrawn releases; their answers stay, and the rest is not computed."""
    withdrawn = Run.objects.filter(set__release__state=Release.State.WITHDRAWN, state__in=_UNENDED)
    unended = withdrawn.select_related("system", "set__release")
    for unlocked in unended:
        with transaction.atomic():
            run = unended.select_for_update(of=("self",), no_key=True).filter(pk=unlocked.pk).first()
            if run is None or run.release is None:
                continue  # another sweep has cancelled it
            decision = Decision(actor_id=None, action="run_cancel", row=run, client_key=None)
            run.state, run.ended_at = Run.State.CANCELLED, timezone.now()
            run.save(update_fields=["state", "ended_at"])
            decision.record(withdrawn=run.release.label)


def wake_workers(run_id: int, queue: str, *, living: int) -> int:
    """After commit, send a message for each worker that the run can use and does not have; return how many.

    Args:
        run_id: Which run.
        queue: Whose workers.
        living: How many workers of the queue are alive. If none is, one message waits for the first.
    """
    most = max(1, min(living, MAX_WORKERS))
    # A run without chunks needs one worker, which cuts them; the next sweep wakes the others.
    needed = max(1, queries.unfinished_chunks(run_id, most)) - queries.running_chunks(run_id)
    for _ in range(needed):
        transaction.on_commit(lambda: jobs.send(EMBED, queue=queue, run_id=run_id))
    return max(0, needed)
