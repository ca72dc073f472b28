"""What admins do with runs: start, pause, resume and cancel them, retry failures."""

from __future__ import annotations

from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.releases import access as releases
from curation.core.decisions import Decision
from curation.core.errors import ActionNotAllowed, NotFound
from curation.core.transitions import advance
from curation.people.access import benchmark_for
from curation.people.models import Person
from evaluation.runs import access, queries, states
from evaluation.runs.errors import NothingToRetry, SuiteNotForRelease, SystemNotForSuite
from evaluation.runs.models import Run
from evaluation.runs.rules import Chosen
from evaluation.runs.services.chunks import add_chunks, requeue_failed
from evaluation.runs.services.set_runs import RUNNABLE, StartedRun, newest_system, open_set_run
from evaluation.runs.services.sweeping import wake_workers
from evaluation.sets.services import release_set
from evaluation.suites.rules import SUITES
from evaluation.systems import queries as system_queries


@transaction.atomic
def start_run(
    *, actor: Person, benchmark_slug: str, system_slug: str, suite_name: str, release_id: int, client_key: UUID
) -> StartedRun:
    """Test a system, in its newest revision here, on a frozen or published release.

    If a run of the same system, suite and settings on the release is open or paused, that one is returned.

    Raises:
        SystemNotForSuite: The system is not here, or cannot do what the suite asks.
        SuiteNotForRelease: There is no such suite for a kind of the release.
        ActionNotAllowed: The release is not frozen, or withdrawn.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(actor, benchmark_slug, "run_start")
    # The lock makes a repeated request wait for its first try.
    release = releases.lock_release_for(actor, release_id, "run_start")
    if release.benchmark_id != benchmark.pk:
        raise NotFound
    decision = Decision(actor_id=actor.pk, action="run_start", client_key=client_key, benchmark_id=benchmark.pk)
    request = {"release": release_id, "suite": suite_name, "system": system_slug}
    if earlier := decision.earlier(**request):
        return StartedRun(earlier.target_id, created=False)
    if release.state not in RUNNABLE:
        raise ActionNotAllowed(action="run_start", state=release.state)
    suite = SUITES.get(suite_name)
    kinds = [own.kind for own in release.kinds.all()]
    if suite is None or suite.kind not in kinds:
        raise SuiteNotForRelease(suite=suite_name, kind=", ".join(kinds))
    system = newest_system(system_slug)
    if system is None:
        raise SystemNotForSuite(system=system_slug, suite=suite_name)
    row = release_set(release, suite.name, actor_id=actor.pk)
    run, is_new = open_set_run(row, system, Chosen(), protocol_id=release.protocol_id, started_by=actor)
    if is_new:
        decision.row = run
        decision.record(**request)
    return StartedRun(run.pk, created=is_new)


@transaction.atomic
def pause_run(*, actor: Person, run_id: int, client_key: UUID) -> Run:
    """Pause a run: workers stop after their present chunk.

    Raises:
        ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    run, decision = _lock(actor, run_id, "run_pause", client_key)
    if not decision.is_repeat():
        _move(run, "pause", decision)
    return run


@transaction.atomic
def resume_run(*, actor: Person, run_id: int, client_key: UUID) -> Run:
    """Resume a paused run.

    Raises:
        ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    run, decision = _lock(actor, run_id, "run_resume", client_key)
    if not decision.is_repeat():
        _move(run, "resume", decision)
        _wake_workers(run)
    return run


@transaction.atomic
def cancel_run(*, actor: Person, run_id: int, client_key: UUID) -> Run:
    """Cancel a run; its answers stay, and another run may be started in its place.

    Raises:
        ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    run, decision = _lock(actor, run_id, "run_cancel", client_key)
    if not decision.is_repeat():
        run.ended_at = timezone.now()
        _move(run, "cancel", decision)
    return run


@transaction.atomic
def retry_run(*, actor: Person, run_id: int, client_key: UUID) -> Run:
    """Retry what the system could not answer, as the run's next round, and at once the chunks that failed.

    Raises:
        NothingToRetry: Nothing failed that is not being retried already.
        ActionNotAllowed: The run was cancelled, another like it is open, or the release was withdrawn.
        ClientKeyReused, NotFound, OperationNotAllowed.
    """
    run, decision = _lock(actor, run_id, "run_retry", client_key)
    if decision.is_repeat():
        return run
    if run.release and run.release.state not in RUNNABLE:
        raise ActionNotAllowed(action="run_retry", state=run.release.state)
    state_from = advance(run, "retry", table=states.TABLE)
    entries = queries.failed_entries(run)
    if not requeue_failed(run) and not entries:
        raise NothingToRetry
    if entries:
        run.round += 1
        add_chunks(run, entries)
    run.ended_at = None
    try:
        with transaction.atomic():
            run.save(update_fields=["state", "round", "ended_at"])
    except IntegrityError as error:
        raise ActionNotAllowed(action="run_retry", state=state_from) from error
    # An open run stays open, but the table has a row for that, and the log an entry with its states.
    decision.record_transition(state_from, run.state, round=run.round, entries=sum(map(len, entries)))
    _wake_workers(run)
    return run


def _wake_workers(run: Run) -> None:
    queue = system_queries.queue_of(run.system.backend)
    wake_workers(run.pk, queue, living=queries.workers_by_queue()[queue].living)


def _lock(actor: Person, run_id: int, operation: str, client_key: UUID) -> tuple[Run, Decision]:
    """Lock a run for a person's decision about it."""
    run = access.lock_run_for(actor, run_id, operation)
    return run, Decision(actor_id=actor.pk, action=operation, row=run, client_key=client_key)


def _move(run: Run, action: str, decision: Decision) -> None:
    advance(run, action, table=states.TABLE)
    run.save(update_fields=["state", "ended_at"])
    decision.record()
