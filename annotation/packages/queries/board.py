"""How far a benchmark's work is."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Min, Q

from annotation.items.models import Item
from annotation.kinds.registry import KINDS
from annotation.packages.access import kinds_open_to
from annotation.packages.models import Package
from annotation.packages.queries.packages import is_stalled, stall_days
from annotation.seats import queries as seats
from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import Quota
from curation.images.models import Image
from curation.people.access import benchmark_for
from curation.people.models import Person
from curation.taxonomy.models import Category


def board(benchmark_id: int) -> list[dict[str, Any]]:
    """How many packages of each kind are in each state."""
    found: dict[str, dict[str, int]] = {}
    rows = Package.objects.filter(benchmark_id=benchmark_id).order_by().values_list("kind", "state")
    for kind, state, n in rows.annotate(n=Count("pk")):
        found.setdefault(kind, dict.fromkeys(Package.State.values, 0))[state] = n
    return [{"kind": kind, "states": states_} for kind, states_ in sorted(found.items())]


def progress(person: Person, slug: str) -> dict[str, Any]:
    """The progress board: items, packages and pictures against what is wanted, and seats; few statements at any size.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, slug, "board_show")
    content = benchmark.protocol.content if benchmark.protocol else {}
    wished = content.get("images", {}).get("quota")
    quota = Quota.model_validate(wished) if wished else None
    categories = _categories(benchmark, quota)
    wanted = quota.per_category_target * len(categories) if quota else None
    open_kinds = kinds_open_to(person, benchmark.pk, "board_show")
    kinds = [kind for kind in KINDS if kind in open_kinds and kind in content.get("kinds", {})]
    items, packages = _items(benchmark), _packages(benchmark)
    return {
        "stall_days": stall_days(benchmark),
        "kinds": [
            {
                "kind": kind,
                "items": dict.fromkeys(Item.State.values, 0) | items.get(kind, {}),
                "packages": dict.fromkeys(Package.State.values, _NONE) | packages.get(kind, {}),
                "accepted": items.get(kind, {}).get(Item.State.ACCEPTED, 0),
                "target": wanted,
            }
            for kind in kinds
        ],
        "pictures": {
            "accepted": Image.objects.filter(benchmark=benchmark, state=Image.State.ACCEPTED).count(),
            "minimum": quota.per_category_minimum * len(categories) if quota else None,
            "categories": categories,
        },
        "seats": [row for row in seats.counts(benchmark.pk) if row["kind"] in kinds],
    }


_NONE: dict[str, Any] = {"n": 0, "oldest_at": None, "stalled": 0}


def _items(benchmark: Benchmark) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    rows = Item.objects.filter(benchmark=benchmark).order_by().values_list("kind", "state")
    for kind, state, n in rows.annotate(n=Count("pk")):
        found.setdefault(kind, {})[state] = n
    return found


def _packages(benchmark: Benchmark) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    rows = Package.objects.filter(benchmark=benchmark).order_by().values_list("kind", "state")
    counted = rows.annotate(
        n=Count("pk"), oldest=Min("state_changed_at"), stalled=Count("pk", filter=is_stalled(benchmark))
    )
    for kind, state, n, oldest, stalled in counted:
        found.setdefault(kind, {})[state] = {"n": n, "oldest_at": oldest, "stalled": stalled}
    return found


def _categories(benchmark: Benchmark, quota: Quota | None) -> list[dict[str, Any]]:
    """Accepted pictures of each category in the order of the list, against what the protocol wants of each."""
    accepted = Count("images", filter=Q(images__state=Image.State.ACCEPTED))
    rows = Category.objects.filter(benchmark=benchmark).annotate(n=accepted).order_by("number")
    return [
        {
            "slug": category.slug,
            "name": category.name,
            "n": category.n,
            "minimum": quota.per_category_minimum if quota else None,
            "target": quota.per_category_target if quota else None,
        }
        for category in rows
    ]
