"""The progress of a benchmark's work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import connection

from annotation.items.models import Item
from annotation.items.queries import kinds_open_to
from annotation.kinds.registry import KINDS
from annotation.packages.models import Package
from annotation.packages.queries.packages import IN_PROGRESS, stall_days, stalled_since
from annotation.packages.shapes import BoardAnswer, BoardRow, CategoryProgress, StateOfPackages
from annotation.seats import queries as seats
from annotation.tallies import queries as tallies
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import Quota, work_of
from curation.images.models import Image
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.models import Category


def board(benchmark_id: int) -> list[BoardRow]:
    """Count the packages of each kind in each state."""
    by_kind = _by_kind(tallies.counts(benchmark_id, "kind", "state", of="package"))
    zeros = dict.fromkeys(Package.State.values, 0)
    return [{"kind": kind, "states": zeros | by_state} for kind, by_state in sorted(by_kind.items())]


def progress(person: Person, benchmark_slug: str) -> BoardAnswer:
    """Show the progress of items, packages, pictures and pools against the protocol's targets.

    The number of statements does not grow with the benchmark.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "board_show")
    content = benchmark.protocol.content if benchmark.protocol else {}
    quota_settings = content.get("images", {}).get("quota")
    quota = Quota.model_validate(quota_settings) if quota_settings else None
    open_kinds = kinds_open_to(person, benchmark.pk, "board_show")
    kinds = [kind for kind in KINDS if kind in open_kinds and kind in content.get("kinds", {})]
    work = tallies.counts(benchmark.pk, "of", "kind", "state", of__in=("item", "package"))
    items = _by_kind({(kind, state): n for (of, kind, state), n in work.items() if of == "item"})
    packages = _with_ages(benchmark, {(kind, state): n for (of, kind, state), n in work.items() if of == "package"})
    pictures = tallies.counts(benchmark.pk, "category_id", of="image", state=Image.State.ACCEPTED)
    categories = _categories(benchmark, quota, pictures)
    quotas = {
        subset["code"]: subset["quota"]["per_category_target"]
        for subset in content.get("images", {}).get("subsets", [])
        if subset.get("quota")
    }
    in_all = quota.per_category_target if quota else None
    per_category = {kind: quotas.get(work_of(content, kind).subset or "", in_all) for kind in kinds}
    return {
        "stall_days": stall_days(benchmark),
        "kinds": [
            {
                "kind": kind,
                "items": dict.fromkeys(Item.State.values, 0) | items.get(kind, {}),
                "packages": dict.fromkeys(Package.State.values, _NO_PACKAGES) | packages.get(kind, {}),
                "accepted": items.get(kind, {}).get(Item.State.ACCEPTED, 0),
                "target": None if target is None else target * len(categories),
            }
            for kind, target in per_category.items()
        ],
        "pictures": {
            "accepted": sum(pictures.values()),
            "minimum": quota.per_category_minimum * len(categories) if quota else None,
            "categories": categories,
        },
        "seats": [row for row in seats.counts(benchmark.pk) if row["kind"] in kinds],
    }


_NO_PACKAGES: Final[StateOfPackages] = {"n": 0, "oldest_at": None, "stalled": 0}


def _by_kind(counted: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    by_kind: dict[str, dict[str, int]] = {}
    for (kind, state), n in counted.items():
        by_kind.setdefault(kind, {})[state] = n
    return by_kind


# Reads only the first and the stalled entries of the index, so that it is fast at any number of packages.
_AGES = """
    select held.kind, held.state,
           (select min(p.state_changed_at) from annotation_package p
            where p.benchmark_id = %(benchmark)s and p.kind = held.kind and p.state = held.state),
           (select count(*) from annotation_package p
            where p.benchmark_id = %(benchmark)s and p.kind = held.kind and p.state = held.state
              and held.state = any(%(in_progress)s) and p.state_changed_at < %(stalled_since)s)
    from unnest(%(kinds)s::text[], %(states)s::text[]) held (kind, state)
"""


def _with_ages(benchmark: Benchmark, counted: Mapping[tuple[str, str], int]) -> dict[str, dict[str, StateOfPackages]]:
    parameters: dict[str, Any] = {
        "benchmark": benchmark.pk,
        "kinds": [kind for kind, _ in counted],
        "states": [state for _, state in counted],
        "in_progress": list(IN_PROGRESS),
        "stalled_since": stalled_since(benchmark),
    }
    by_kind: dict[str, dict[str, StateOfPackages]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_AGES, parameters)
        for kind, state, oldest, stalled in cursor.fetchall():
            by_kind.setdefault(kind, {})[state] = {"n": counted[kind, state], "oldest_at": oldest, "stalled": stalled}
    return by_kind


def _categories(benchmark: Benchmark, quota: Quota | None, accepted: Mapping[int, int]) -> list[CategoryProgress]:
    """Accepted pictures of each category, in the order of the list, against the protocol's targets."""
    rows = Category.objects.filter(benchmark=benchmark).order_by("number")
    return [
        {
            "slug": category.slug,
            "name": category.name,
            "n": accepted.get(category.pk, 0),
            "minimum": quota.per_category_minimum if quota else None,
            "target": quota.per_category_target if quota else None,
        }
        for category in rows
    ]
