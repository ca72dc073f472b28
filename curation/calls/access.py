"""Rows of calls that a person may see."""

from __future__ import annotations

from django.db.models import QuerySet

from curation.calls.models import Call
from curation.people.access import benchmark_for
from curation.people.models import Person


def calls_visible_to(person: Person, benchmark_slug: str, operation: str) -> QuerySet[Call]:
    """A benchmark's calls.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return Call.objects.filter(benchmark=benchmark_for(person, benchmark_slug, operation))
