"""Rows of calls that a person may see."""

from __future__ import annotations

from django.db.models import QuerySet

from curation.calls.models import Call
from curation.core.errors import NotFound
from curation.people.access import benchmark_for, require
from curation.people.models import Person


def calls_visible_to(person: Person, benchmark_slug: str, operation: str) -> QuerySet[Call]:
    """A benchmark's calls.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return Call.objects.filter(benchmark=benchmark_for(person, benchmark_slug, operation))


def call_visible_to(person: Person, call_id: int, operation: str) -> Call:
    """A call.

    Raises:
        NotFound, OperationNotAllowed.
    """
    call = Call.objects.filter(pk=call_id).first()
    if call is None:
        raise NotFound
    require(person, call.benchmark_id, operation)
    return call
