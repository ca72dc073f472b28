"""Creating a benchmark's categories from a list, and replacing them by another list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.db.models import F, Max, ProtectedError

from curation.benchmarks.errors import CategoriesInUse
from curation.benchmarks.models import Benchmark
from curation.taxonomy.models import Category
from curation.taxonomy.rules import CategoryList, search_strings


def add_categories(benchmark: Benchmark, category_list: CategoryList) -> None:
    """Create the categories of a new benchmark."""
    Category.objects.bulk_create(Category(benchmark=benchmark, **row) for row in _rows(category_list))


def replace_categories(benchmark: Benchmark, category_list: CategoryList | None) -> None:
    """Replace a benchmark's categories by another list, or by none.

    Categories of the same slug keep their rows and pictures.

    Raises:
        CategoriesInUse: Pictures belong to categories that the new list lacks.
    """
    rows = {row["slug"]: row for row in _rows(category_list)} if category_list else {}
    existing = Category.objects.filter(benchmark=benchmark)
    _delete(existing.exclude(slug__in=rows))
    # Numbers are unique: all are raised above the new ones before each gets its own.
    highest = max([existing.aggregate(n=Max("number"))["n"] or 0, *(row["number"] for row in rows.values())])
    existing.update(number=F("number") + highest)
    kept = set(existing.values_list("slug", flat=True))
    for slug in kept:
        existing.filter(slug=slug).update(**rows[slug])
    Category.objects.bulk_create(Category(benchmark=benchmark, **row) for slug, row in rows.items() if slug not in kept)


def _delete(removed: Any) -> None:
    try:
        with transaction.atomic():
            removed.delete()
    except ProtectedError as error:
        used = {getattr(row, "category_id", None) for row in error.protected_objects}
        used |= {getattr(row, "collected_for_id", None) for row in error.protected_objects}
        raise CategoriesInUse(
            slugs=sorted(removed.filter(pk__in=used - {None}).values_list("slug", flat=True))
        ) from error


def _rows(category_list: CategoryList) -> Iterator[dict[str, Any]]:
    for field in category_list.fields:
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
                "search": search_strings(entry.slug, entry.name.model_dump(by_alias=True)),
            }
