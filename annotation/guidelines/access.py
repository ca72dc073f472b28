"""Access to guidelines."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.guidelines.models import Guideline
from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.people.access import benchmark_for
from curation.people.models import Person


def benchmark_with(person: Person, slug: str, operation: str, kind: str, *, lock: bool = False) -> Benchmark:
    """Fetch the benchmark if the person may do the operation in it and its protocol has the kind.

    With ``lock``, new versions are published one after the other.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, slug, operation)
    if lock:
        rows = Benchmark.objects.select_related("protocol").select_for_update(of=("self",), no_key=True)
        benchmark = rows.get(pk=benchmark.pk)
    if kind not in kinds_of(benchmark):
        raise NotFound
    return benchmark


def kinds_of(benchmark: Benchmark) -> list[str]:
    """The kinds of work of the benchmark's protocol."""
    return list(benchmark.protocol.content["kinds"]) if benchmark.protocol else []


def guidelines_of(benchmark: Benchmark, kind: str) -> QuerySet[Guideline]:
    """The versions of a kind's guidelines, newest first."""
    return Guideline.objects.filter(benchmark=benchmark, kind=kind).order_by("-version")
