"""Who may read and change which runs."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from curation.core.errors import NotFound
from curation.people import access as people
from curation.people.models import Person
from evaluation.runs.models import Run


def runs_visible_to(person: Person, slug: str, operation: str) -> QuerySet[Run]:
    """A benchmark's runs: rolling ones that its protocol requests, and every run over a release.

    Raises:
        NotFound: No such benchmark, or the person takes no part in it.
        OperationNotAllowed: None of their roles opens the operation.
    """
    benchmark = people.benchmark_for(person, slug, operation)
    requested = Q(release=None, state__in=[Run.State.OPEN, Run.State.PAUSED])
    rows = Run.objects.filter(requested | Q(release__isnull=False), benchmark=benchmark)
    return rows.select_related("system", "release", "started_by")


def run_for(person: Person, run_id: int, operation: str, *, lock: bool = False) -> Run:
    """One run with its system, release and benchmark.

    Raises:
        NotFound: There is none, or the person takes no part in its benchmark.
        OperationNotAllowed: No role of theirs opens the operation.
    """
    rows = Run.objects.select_related("system", "release", "started_by")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    run = rows.filter(pk=run_id).first()
    if run is None:
        raise NotFound
    people.require(person, run.benchmark_id, operation)
    return run


def lock_run_for(person: Person, run_id: int, operation: str) -> Run:
    """As :func:`run_for`, with the row locked until the transaction ends."""
    return run_for(person, run_id, operation, lock=True)


def run_for_worker(run_id: int) -> Run:
    """The run that a message names; messages are sent by the application itself."""
    return Run.objects.select_related("system").get(pk=run_id)


def lock_run_for_worker(run_id: int) -> Run:
    """As :func:`run_for_worker`, with the row locked until the transaction ends."""
    return Run.objects.select_for_update(no_key=True).get(pk=run_id)
