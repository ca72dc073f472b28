"""Queries of the tallies."""

from __future__ import annotations

from typing import Any

from django.db.models import IntegerField, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from annotation.tallies.models import Tally


def counts(benchmark_id: int, *by: str, **filters: Any) -> dict[Any, int]:
    """Count a benchmark's rows of a table, grouped by properties; one statement that reads few rows.

    Args:
        benchmark_id: The benchmark.
        by: The properties to group by. The keys are the values of one property or tuples of several.
        filters: Lookups as for a query set: ``of``, the table (``item``, ``package``, ``seat`` or ``image``), and
            properties.

    Returns:
        The numbers above zero.
    """
    rows = Tally.objects.filter(benchmark_id=benchmark_id, **filters).order_by().values_list(*by)
    sums = rows.annotate(total=Sum("n"))
    return {key[0] if len(key) == 1 else tuple(key): total for *key, total in sums if total}


def benchmark_counts() -> dict[str, Coalesce]:
    """The numbers of a benchmark's pictures, items and packages, as expressions on its row."""
    return {
        "images": _total(of="image"),
        "accepted_images": _total(of="image", state="accepted"),
        "items": _total(of="item"),
        "accepted_items": _total(of="item", state="accepted"),
        "packages": _total(of="package"),
    }


def _total(**filters: str) -> Coalesce:
    # A subquery for each, because joins of several tables would multiply rows.
    rows = Tally.objects.filter(benchmark=OuterRef("pk"), **filters).order_by().values("benchmark")
    return Coalesce(Subquery(rows.annotate(total=Sum("n")).values("total"), output_field=IntegerField()), 0)
