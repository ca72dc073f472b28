"""Who may read and change which runs."""

from __future__ import annotations

from django.db.models import QuerySet

from curation.core.errors import NotFound
from curation.people import access as people
from curation.people.models import Person
from evaluation.runs.models import Run
from evaluation.sets import access as sets
from evaluation.sets.models import ItemSet
from evaluation.suites.rules import SUITES


def runs_visible_to(person: Person, slug: str, operation: str) -> QuerySet[Run]:
    """A benchmark's runs.

    Raises:
        NotFound: No such benchmark, or the person takes no part in it.
        OperationNotAllowed: None of their roles opens the operation.
    """
    benchmark = people.benchmark_for(person, slug, operation)
    return Run.objects.filter(benchmark=benchmark).select_related("system", "set__release", "started_by")


def run_for(person: Person, run_id: int, operation: str, *, lock: bool = False) -> Run:
    """One run with its system, set and release.

    Raises:
        NotFound: There is none, or the person takes no part in its benchmark.
        OperationNotAllowed: No role of theirs opens the operation.
    """
    rows = Run.objects.select_related("system", "set__release", "started_by")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    run = rows.filter(pk=run_id).first()
    if run is None:
        raise NotFound
    people.require(person, run.benchmark_id, operation)
    return run


def set_of_runs_for(person: Person, set_id: int, operation: str) -> ItemSet:
    """The item set whose runs are shown.

    Raises:
        NotFound: There is none, or the person takes no part in its benchmark.
        OperationNotAllowed: No role of theirs opens the operation.
    """
    return sets.set_for(person, set_id, operation)


def run_of_questions_for(person: Person, run_id: int, operation: str) -> Run:
    """As :func:`run_for`, for a run whose answers profiles read; retrieval's vectors are searched instead.

    Raises:
        NotFound: There is none, or the person takes no part in its benchmark.
        OperationNotAllowed: No role of theirs opens the operation.
    """
    run = run_for(person, run_id, operation)
    if SUITES[run.suite].is_retrieval:
        raise NotFound
    return run


def lock_run_for(person: Person, run_id: int, operation: str) -> Run:
    """As :func:`run_for`, with the row locked until the transaction ends."""
    return run_for(person, run_id, operation, lock=True)


def run_for_worker(run_id: int) -> Run:
    """The run that a message names; messages are sent by the application itself."""
    return Run.objects.select_related("system", "set__release").get(pk=run_id)


def lock_run_for_worker(run_id: int) -> Run:
    """As :func:`run_for_worker`, with the row locked until the transaction ends."""
    return Run.objects.select_for_update(no_key=True).get(pk=run_id)
