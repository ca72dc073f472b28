"""The benchmark behind the page for people outside the team: any whose public pages are open."""

from __future__ import annotations

from curation.benchmarks.models import Benchmark
from evaluation.publication.access import published_for
from evaluation.publication.models import Publication


def open_benchmark(slug: str) -> tuple[Benchmark, Publication]:
    """A benchmark whose public pages are open, for anybody.

    Raises:
        NotFound: There is none, or its pages are closed; nobody learns which.
    """
    published = published_for(slug)
    rows = Publication.objects.select_related("benchmark__protocol")
    publication = rows.get(benchmark_id=published.benchmark_id)
    return publication.benchmark, publication
