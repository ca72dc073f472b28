"""Reads of what is counted."""

from __future__ import annotations

from typing import Any

from django.db.models import Sum

from annotation.tallies.models import Tally


def counts(benchmark_id: int, *by: str, **wanted: Any) -> dict[Any, int]:
    """How many rows of a counted table a benchmark has, by some of its properties: one statement, few rows.

    Args:
        benchmark_id: The benchmark.
        by: Properties that make the keys: the value of one, a tuple of several.
        wanted: Filters as of a query set: ``of``, what is counted (``item``, ``package``, ``seat`` or ``image``), and
            properties.

    Returns:
        The numbers above zero.
    """
    rows = Tally.objects.filter(benchmark_id=benchmark_id, **wanted).order_by().values_list(*by)
    found = rows.annotate(total=Sum("n"))
    return {key[0] if len(key) == 1 else tuple(key): total for *key, total in found if total}
