"""Finding what is left: runs that protocols ask for, and jobs for the workers that are there."""

from __future__ import annotations

import logging

from django.db import transaction
from django.utils import timezone

from annotation.releases.models import Release
from curation.core import audit, jobs
from curation.core.models import Job
from evaluation.runs import queries
from evaluation.runs.models import Run
from evaluation.suites.rules import SUITES, settings_digest
from evaluation.systems import queries as system_queries
from evaluation.systems import services as system_services

log = logging.getLogger(__name__)

EMBED = "evaluation.embed_accepted"


def sweep_predictions() -> list[int]:
    """Open the runs that protocols ask for and note jobs for each run with something left; return the jobs' ids.

    Called after each acceptance and every 15 s; a call too many changes nothing.
    """
    open_rolling_runs()
    give_up_withdrawn()
    waiting = queries.runs_with_work()
    if not waiting:
        return []
    serving = queries.workers()
    resting = queries.paused(key for run in waiting for key in queries.job_keys(run.run_id))
    return [
        job.pk
        for run in waiting
        for job in note_jobs(
            run.run_id,
            run.benchmark_id,
            queue=run.queue,
            living=serving[run.queue].living,
            resting=frozenset(resting),
        )
    ]


def give_up_withdrawn() -> None:
    """Give up the runs over releases that were withdrawn; what they answered stays, and nobody computes the rest."""
    going_on = Run.objects.filter(
        state__in=[Run.State.OPEN, Run.State.PAUSED], release__state=Release.State.WITHDRAWN
    ).select_related("system", "release")
    for found in going_on:
        with transaction.atomic():
            run = going_on.select_for_update(of=("self",), no_key=True).filter(pk=found.pk).first()
            if run is None or run.release is None:
                continue  # another sweep was here
            left = run.state
            run.state, run.ended_at = Run.State.CANCELLED, timezone.now()
            run.save(update_fields=["state", "ended_at"])
            audit.record(
                action="run_cancel",
                target_type="run",
                target_id=run.pk,
                label=f"{run.system.slug} {run.release.label}",
                actor_id=None,
                benchmark_id=run.benchmark_id,
                state_from=left,
                state_to=run.state,
                data={"withdrawn": run.release.label},
            )


def note_jobs(
    run_id: int,
    benchmark_id: int,
    *,
    queue: str,
    living: int,
    resting: frozenset[str] = frozenset(),
    actor_id: int | None = None,
) -> list[Job]:
    """Note a job of a run for each living worker, at least one and no more than there are chunks for.

    Args:
        run_id: Which run.
        benchmark_id: Where.
        queue: Whose workers carry it out.
        living: How many workers show themselves.
        resting: Keys of jobs that failed a short while ago and are left alone.
        actor_id: Who asked for it; None for the application itself.
    """
    most = max(1, min(living, queries.MOST_JOBS))
    # A run that was not cut yet gets one job, whose worker cuts it; the next sweep calls the others.
    wanted = max(1, queries.unfinished_chunks(run_id, most)) if most > 1 else 1
    keys = [key for key in queries.job_keys(run_id)[:wanted] if key not in resting]
    return [
        jobs.enqueue(
            task=EMBED,
            args={"run_id": run_id},
            dedupe_key=key,
            queue=queue,
            benchmark_id=benchmark_id,
            actor_id=actor_id,
        )
        for key in keys
    ]


def open_rolling_runs() -> None:
    """Bring the rolling runs in step with what the protocols ask for.

    A run that is no longer asked for (another revision of the system was added, other settings) is closed; its
    predictions and scores stay. One that somebody holds stays held; one that was given up stays away.
    """
    wishes = queries.wishes()
    systems = system_queries.newest_by_slug(w.system for w in wishes)
    if any(w.system not in systems for w in wishes):
        system_services.ensure_fixture_systems()
        systems = system_queries.newest_by_slug(w.system for w in wishes)
    wanted: dict[tuple[int, int, str, str], Run] = {}
    for wish in wishes:
        system = systems.get(wish.system)
        if system is None or wish.suite not in SUITES or SUITES[wish.suite].capability not in system.capabilities:
            log.warning("benchmark %s asks for %s of %s: not known", wish.benchmark_id, wish.suite, wish.system)
            continue
        suite = SUITES[wish.suite]
        digest = settings_digest(suite.settings())
        wanted[system.pk, wish.benchmark_id, suite.name, digest] = Run(
            system=system,
            benchmark_id=wish.benchmark_id,
            suite=suite.name,
            protocol_id=wish.protocol_id,
            settings=suite.settings(),
            settings_sha256=digest,
        )
    known = Run.objects.filter(release=None).exclude(state=Run.State.CLOSED)
    existing = {(run.system_id, run.benchmark_id, run.suite, run.settings_sha256): run for run in known.order_by("pk")}
    missing = [run for key, run in wanted.items() if key not in existing]
    going_on = (Run.State.OPEN, Run.State.PAUSED)
    over = [run.pk for key, run in existing.items() if key not in wanted and run.state in going_on]
    if missing:
        # Two sweeps at once: the second finds the constraint on rolling runs, and the row is there either way.
        Run.objects.bulk_create(missing, ignore_conflicts=True)
    if over:
        Run.objects.filter(pk__in=over, state__in=going_on).update(state=Run.State.CLOSED)
