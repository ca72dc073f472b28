"""A benchmark's categories, made from a list and brought in line with another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.db.models import F, Max, ProtectedError

from curation.benchmarks.errors import CategoriesInUse
from curation.benchmarks.models import Benchmark
from curation.taxonomy.models import Category
from curation.taxonomy.rules import CategoryList


def add_categories(benchmark: Benchmark, wanted: CategoryList) -> None:
    """Make the categories of a new benchmark."""
    Category.objects.bulk_create(Category(benchmark=benchmark, **row) for row in _rows(wanted))


def replace_categories(benchmark: Benchmark, wanted: CategoryList) -> None:
    """Bring a benchmark's categories in line with another list; those of the same slug stay, pictures and all.

    Raises:
        CategoriesInUse: Pictures belong to categories that the new list does not have.
    """
    rows = {row["slug"]: row for row in _rows(wanted)}
    there = Category.objects.filter(benchmark=benchmark)
    _drop(there.exclude(slug__in=rows))
    # Numbers are unique, so all of them step aside before each takes its new place.
    highest = max(there.aggregate(n=Max("number"))["n"] or 0, len(rows))
    there.update(number=F("number") + highest)
    kept = set(there.values_list("slug", flat=True))
    for slug in kept:
        there.filter(slug=slug).update(**rows[slug])
    Category.objects.bulk_create(Category(benchmark=benchmark, **row) for slug, row in rows.items() if slug not in kept)


def _drop(gone: Any) -> None:
    try:
        with transaction.atomic():
            gone.delete()
    except ProtectedError as error:
        used = {getattr(row, "category_id", None) for row in error.protected_objects}
        used |= {getattr(row, "collected_for_id", None) for row in error.protected_objects}
        raise CategoriesInUse(slugs=sorted(gone.filter(pk__in=used - {None}).values_list("slug", flat=True))) from error


def _rows(wanted: CategoryList) -> Iterator[dict[str, Any]]:
    for field in wanted.fields:
        for entry in field.categories:
            yield {
                "slug": entry.slug,
                "name": entry.name.model_dump(by_alias=True),
                "field": field.slug,
                "field_name": field.name.model_dump(by_alias=True),
                "short_name": entry.short.model_dump(by_alias=True) if entry.short else None,
                "definition": entry.definition.model_dump(by_alias=True) if entry.definition else None,
                "distance": entry.group,
                "number": entry.number,
            }
