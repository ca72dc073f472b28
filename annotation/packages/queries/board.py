"""How far a benchmark's work is."""

from __future__ import annotations

from typing import Any

from django.db.models import Count

from annotation.packages.models import Package


def board(benchmark_id: int) -> list[dict[str, Any]]:
    """How many packages of each kind are in each state."""
    found: dict[str, dict[str, int]] = {}
    rows = Package.objects.filter(benchmark_id=benchmark_id).order_by().values_list("kind", "state")
    for kind, state, n in rows.annotate(n=Count("pk")):
        found.setdefault(kind, dict.fromkeys(Package.State.values, 0))[state] = n
    return [{"kind": kind, "states": states_} for kind, states_ in sorted(found.items())]
