"""Access to lists of addresses: people see their own."""

from __future__ import annotations

from django.db.models import QuerySet

from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.people.access import require
from curation.people.models import Person
from curation.url_lists.models import UrlList


def lists_of(person: Person, benchmark: Benchmark) -> QuerySet[UrlList]:
    """The person's own lists in a benchmark."""
    return UrlList.objects.filter(person=person, benchmark=benchmark)


def list_for(person: Person, list_id: int, operation: str, *, lock: bool = False) -> UrlList:
    """One of the person's own lists, with its benchmark and protocol.

    Raises:
        NotFound: The person has no such list.
        OperationNotAllowed: They may not upload there any more.
    """
    rows = UrlList.objects.select_related("benchmark__protocol")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    url_list = rows.filter(pk=list_id, person=person).first()
    if url_list is None:
        raise NotFound
    require(person, url_list.benchmark_id, operation)
    return url_list
