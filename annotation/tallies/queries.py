"""Queries of the tallies."""

from __future__ import annotations

from typing import Any

from django.db.models import Sum

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
