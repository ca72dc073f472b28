"""The sweep: it opens the runs that protocols request, and wakes workers for all runs with work."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import lru_cache

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from annotation.releases.models import Release
from curation.benchmarks.models import ProtocolVersion
from curation.core.errors import DomainError
from evaluation.runs import queries
from evaluation.runs.models import Run
from evaluation.runs.queries import RequestedRun
from evaluation.runs.rules import Chosen
from evaluation.runs.services.set_runs import RUNNABLE, newest_system, open_set_run
from evaluation.runs.services.sweeping import cancel_runs_of_withdrawn_releases, wake_all
from evaluation.sets.models import ItemSet
from evaluation.sets.services import follow_accepted, release_set, rolling_set
from evaluation.suites.rules import SUITES, Suite

log = logging.getLogger(__name__)


def sweep_predictions() -> list[int]:
    """Open the runs that protocols request and wake workers for each run with work; return a run id per message.

    Called after each acceptance and every 15 s; a superfluous call changes nothing.
    """
    open_runs_over_accepted_work()
    open_runs_over_releases()
    cancel_runs_of_withdrawn_releases()
    return wake_all()


def open_runs_over_accepted_work() -> None:
    """Let the sets of accepted work follow it, and open and close the runs over them that protocols request.

    A suite whose kind the protocol does not have, or not yet, has no set. A set without entries has no run yet,
    because they decide how they can be asked. A run that no protocol requests any longer is closed; its answers stay.
    One that a person started, or cancelled, stays as it is.
    """
    suites = _suites_of_items()
    requested = [request for request in queries.requested_runs() if request.suite in suites]
    protocols = ProtocolVersion.objects.in_bulk({request.protocol_id for request in requested})
    sets: dict[tuple[int, str], ItemSet] = {}
    kept: list[int] = []
    for request in requested:
        suite, protocol = suites[request.suite], protocols[request.protocol_id]
        if suite.kind not in protocol.content["kinds"]:
            continue
        of = (request.benchmark_id, request.suite)
        if of not in sets:
            sets[of] = rolling_set(request.benchmark_id, suite, protocol)
            follow_accepted(sets[of].pk)
            sets[of].refresh_from_db()
        if sets[of].size and (run := _open(sets[of], request)):
            kept.append(run)
    unended = Run.objects.filter(
        set__origin=ItemSet.Origin.ROLLING, started_by=None, state__in=[Run.State.OPEN, Run.State.PAUSED]
    )
    unended.exclude(pk__in=kept).update(state=Run.State.CLOSED)


def open_runs_over_releases() -> None:
    """Open the runs over releases that the protocols of these request and that never were.

    First a job makes the sets. A release is tested by what its own version of the protocol says, so that a system that
    is added later does not answer all earlier releases, which may cost money.
    """
    for name, suite in _suites_of_items().items():
        tested = Run.objects.filter(set__release=OuterRef("pk"), suite=name, started_by=None)
        rows = Release.objects.filter(
            ~Exists(tested),
            state__in=RUNNABLE,
            frozen_at__isnull=False,
            benchmark__state="open",
            kinds__kind=suite.kind,
            protocol__content__evaluation__suites__contains=[name],
        )
        for release in rows.select_related("protocol"):
            systems = release.protocol.content["evaluation"]["systems"]
            if not systems:
                continue
            with transaction.atomic():
                row = release_set(release, name)
                if row.state != ItemSet.State.READY:
                    continue
                answered = set(
                    Run.objects.filter(set=row).values_list("system__slug", flat=True)
                )  # people started some
                for slug in systems:
                    if slug not in answered:
                        _open(row, RequestedRun(release.benchmark_id, release.protocol_id, slug, name))


def _suites_of_items() -> Mapping[str, Suite]:
    """The suites whose entries are made of people's items."""
    return {name: suite for name, suite in SUITES.items() if suite.kind}


@lru_cache(maxsize=1_024)
def _log_once(sentence: str) -> None:
    """Log what every sweep comes upon again, once in the life of a process."""
    log.info(sentence)


def _open(row: ItemSet, request: RequestedRun) -> int | None:
    """Return the run over a set that a protocol requests; if there is none, open it.

    It is in the suite's first setting whose prompts have a value in every question. One that was cancelled is not
    opened again.
    """
    system = newest_system(request.system)
    if system is None:
        log.warning("benchmark %s requests %s: unknown", request.benchmark_id, request.system)
        return None
    existing = Run.objects.filter(set=row, system=system, started_by=None).exclude(state=Run.State.CLOSED).first()
    if existing is not None:
        return existing.pk
    for setting in SUITES[row.suite].settings:
        try:
            with transaction.atomic():
                chosen = Chosen(setting=setting.name)
                run, _ = open_set_run(row, system, chosen, protocol_id=request.protocol_id, started_by=None)
        except IntegrityError:
            return None  # another sweep has just opened it
        except DomainError as error:
            run_of = f"A run of {request.system} over set {row.pk} in the setting {setting.name}"
            _log_once(f"{run_of} cannot be opened: {error}")
        else:
            return run.pk
    return None
