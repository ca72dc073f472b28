"""Access to public pages: everybody reads what was opened; heads decide about it."""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection

from annotation.tallies.models import PUBLIC
from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.people.access import benchmark_for
from curation.people.models import Person
from evaluation.publication.models import Publication

# Whether the pages are open, and the version of what they show, in one statement.
_OPEN = """
    select b.id, coalesce(
               (select sum(t.n) from annotation_tally t where t.benchmark_id = b.id and t.of = %(public)s), 0)
      from curation_benchmark b join evaluation_publication p on p.benchmark_id = b.id
     where b.slug = %(slug)s and p.is_open
"""


class Published(NamedTuple):
    """Open pages of a benchmark; ``version`` grows with every change of what they show."""

    benchmark_id: int
    version: int


def published_for(slug: str) -> Published:
    """The open pages of a benchmark, for anybody.

    Raises:
        NotFound: There is no such benchmark, or its pages are closed; nobody learns which.
    """
    with connection.cursor() as cursor:
        cursor.execute(_OPEN, {"public": PUBLIC, "slug": slug})
        row = cursor.fetchone()
    if row is None:
        raise NotFound
    return Published(row[0], int(row[1]))


def publication_for(
    person: Person, slug: str, operation: str, *, lock: bool = False
) -> tuple[Benchmark, Publication | None]:
    """A benchmark and its public pages, None if nobody set them up; ``lock`` locks the benchmark.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, slug, operation)
    if lock:
        Benchmark.objects.select_for_update(of=("self",), no_key=True).get(pk=benchmark.pk)
    return benchmark, Publication.objects.filter(benchmark=benchmark).first()
