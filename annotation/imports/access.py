"""Which imports a person may see."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.imports.models import Import
from curation.benchmarks.models import Benchmark
from curation.core.errors import NotFound
from curation.people.access import require
from curation.people.models import Person


def imports_visible_to(person: Person, benchmark: Benchmark, operation: str) -> QuerySet[Import]:
    """A benchmark's imports, when the operation is open to the person."""
    require(person, benchmark.pk, operation)
    return Import.objects.filter(benchmark=benchmark).select_related("created_by", "team")


def import_for(person: Person, import_id: int, operation: str) -> Import:
    """One import with its benchmark.

    Raises:
        NotFound: There is none, or the person takes no part in its benchmark.
        OperationNotAllowed: No role of theirs opens the operation.
    """
    imported = Import.objects.select_related("benchmark__protocol", "created_by", "team").filter(pk=import_id).first()
    if imported is None:
        raise NotFound
    require(person, imported.benchmark_id, operation)
    return imported
