"""The only ways to get at runs."""

from __future__ import annotations

from django.db.models import QuerySet

from curation.people import access as people
from curation.people.models import Person
from evaluation.runs.models import Run


def acceptance_runs_visible_to(person: Person, slug: str, operation: str) -> QuerySet[Run]:
    """The rolling runs of a benchmark.

    Raises:
        NotFound: No such benchmark, or the person takes no part in it.
        OperationNotAllowed: None of their roles opens the operation.
    """
    benchmark = people.benchmark_for(person, slug, operation)
    return Run.objects.filter(benchmark=benchmark, release=None, state=Run.State.OPEN).select_related("system")


def run_for_worker(run_id: int) -> Run:
    """The run a job names; jobs are made by the application itself."""
    return Run.objects.select_related("system").get(pk=run_id)
