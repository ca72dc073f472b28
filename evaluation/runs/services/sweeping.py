"""Parts of the sweep: runs that read items themselves, withdrawn releases, and waking workers."""

from __future__ import annotations

import logging

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from annotation.releases.models import Release
from curation.core import jobs
from curation.core.decisions import Decision
from evaluation.runs import queries
from evaluation.runs.models import Run
from evaluation.suites.rules import SUITES, settings_digest
from evaluation.systems import queries as system_queries
from evaluation.systems import services as system_services

log = logging.getLogger(__name__)

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
    withdrawn = Q(release__state=Release.State.WITHDRAWN) | Q(set__release__state=Release.State.WITHDRAWN)
    unended = Run.objects.filter(withdrawn, state__in=_UNENDED).select_related("system", "release", "set__release")
    for unlocked in unended:
        with transaction.atomic():
            run = unended.select_for_update(of=("self",), no_key=True).filter(pk=unlocked.pk).first()
            if run is None or run.over_release is None:
                continue  # another sweep has cancelled it
            decision = Decision(actor_id=None, action="run_cancel", row=run, client_key=None)
            run.state, run.ended_at = Run.State.CANCELLED, timezone.now()
            run.save(update_fields=["state", "ended_at"])
            decision.record(withdrawn=run.over_release.label)


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


def open_rolling_runs() -> None:
    """Open and close rolling runs according to the protocols.

    A run that no protocol requests any longer (another revision of the system was added, other settings) is closed;
    its predictions and scores stay. A paused run stays paused; a cancelled one is not opened again.
    """
    requested = queries.requested_runs()
    systems = system_queries.newest_by_slug(request.system for request in requested)
    if any(request.system not in systems for request in requested):
        system_services.ensure_fixture_systems()
        systems = system_queries.newest_by_slug(request.system for request in requested)
    requested_runs: dict[tuple[int, int, str, str], Run] = {}
    for request in requested:
        system, suite = systems.get(request.system), SUITES.get(request.suite)
        if suite is not None and not suite.on_site:
            continue  # asked through an item set
        if system is not None and suite is not None and suite.capability not in system.capabilities:
            continue
        if system is None or suite is None:
            log.warning("benchmark %s requests %s of %s: unknown", request.benchmark_id, request.suite, request.system)
            continue
        digest = settings_digest(suite.run_settings())
        requested_runs[system.pk, request.benchmark_id, suite.name, digest] = Run(
            system=system,
            benchmark_id=request.benchmark_id,
            suite=suite.name,
            protocol_id=request.protocol_id,
            settings=suite.run_settings(),
            settings_sha256=digest,
        )
    rolling = Run.objects.filter(release=None, set=None).exclude(state=Run.State.CLOSED)
    existing = {
        (run.system_id, run.benchmark_id, run.suite, run.settings_sha256): run for run in rolling.order_by("pk")
    }
    missing = [run for key, run in requested_runs.items() if key not in existing]
    unrequested = [run.pk for key, run in existing.items() if key not in requested_runs and run.state in _UNENDED]
    if missing:
        # If two sweeps run at once, the second one's row violates the constraint on rolling runs and is ignored.
        Run.objects.bulk_create(missing, ignore_conflicts=True)
    if unrequested:
        Run.objects.filter(pk__in=unrequested, state__in=_UNENDED).update(state=Run.State.CLOSED)
