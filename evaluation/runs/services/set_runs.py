"""Opening runs over item sets."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from annotation.releases.models import Release
from curation.core.errors import ActionNotAllowed
from curation.people.models import Person
from evaluation.runs import queries
from evaluation.runs.errors import RunAsksNothing
from evaluation.runs.models import Run
from evaluation.runs.rules import Chosen
from evaluation.runs.services.chunks import cut_entries
from evaluation.runs.services.settings import Completer
from evaluation.runs.services.sweeping import wake_workers
from evaluation.sets.models import ItemSet
from evaluation.suites.rules import settings_digest
from evaluation.systems import queries as system_queries
from evaluation.systems import services as system_services
from evaluation.systems.models import System

#: States of a release whose questions are asked.
RUNNABLE: Final = (Release.State.FROZEN, Release.State.PUBLISHED)


class StartedRun(NamedTuple):
    """A run, and whether this request created it."""

    run_id: int
    created: bool


def require_runnable(row: ItemSet, operation: str) -> None:
    """Refuse runs over a withdrawn release.

    Raises:
        ActionNotAllowed.
    """
    if row.release and row.release.state not in RUNNABLE:
        raise ActionNotAllowed(action=operation, state=row.release.state)


def open_set_run(
    row: ItemSet, system: System, chosen: Chosen, *, protocol_id: int, started_by: Person | None
) -> tuple[Run, bool]:
    """Open a run over a set and wake workers for it; return it, and whether it is new. Call it in a transaction.

    If a run of the same system and setting on the set is open or paused, that one is returned.

    Raises:
        SystemNotForSuite, SystemGivesNoLogProbabilities: The system cannot answer in this way.
        RunSettingUnknown: The suite or the set has no such setting, way, side or scale.
        RunPromptMissing, RunPromptWithoutExamples: A prompt has no text in the language, no such version, or none for
            examples.
        RunExamplesUnfit, RunExamplesTooFew: They cannot be drawn.
        RunVariableMissing: A question has no value that its prompt needs.
        RunAsksNothing: The set has no question that the setting asks.
    """
    settings = Completer(row).complete(system, chosen)
    same = {"system": system, "set": row, "suite": row.suite, "settings_sha256": settings_digest(settings)}
    existing = Run.objects.filter(state__in=[Run.State.OPEN, Run.State.PAUSED], **same).first()
    if existing is not None:
        return existing, False
    return create_set_run(row, system, settings, protocol_id=protocol_id, started_by=started_by), True


def create_set_run(
    row: ItemSet, system: System, settings: dict[str, Any], *, protocol_id: int, started_by: Person | None
) -> Run:
    """Open a run in a complete setting and wake workers for it. Call it in a transaction.

    Raises:
        RunAsksNothing: The set has no question that the setting asks.
    """
    run = Run.objects.create(
        benchmark_id=row.benchmark_id,
        protocol_id=protocol_id,
        system=system,
        set=row,
        suite=row.suite,
        settings=settings,
        settings_sha256=settings_digest(settings),
        started_by=started_by,
    )
    if not cut_entries(run) and row.state == ItemSet.State.READY and row.origin != ItemSet.Origin.ROLLING:
        raise RunAsksNothing(setting=settings["setting"])
    queue = system_queries.queue_of(system.backend)
    wake_workers(run.pk, queue, living=queries.workers_by_queue()[queue].living)
    return run


def newest_system(slug: str) -> System | None:
    """Return the newest revision of a system that is here; None for an unknown one."""
    newest = system_queries.newest_by_slug([slug]).get(slug)
    if newest is None:
        system_services.ensure_fixture_systems()
        newest = system_queries.newest_by_slug([slug]).get(slug)
    return newest
