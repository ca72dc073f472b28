"""Reads of benchmarks with their categories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from curation.benchmarks.models import Benchmark
from curation.benchmarks.rules import planned_parts
from curation.people import access
from curation.people.models import Person
from curation.people.queries import roles_in
from curation.people.rules import operations_of
from curation.taxonomy.models import Category
from curation.taxonomy.rules import CategoryList, PairList, parse, parse_pairs

# What a list of benchmarks counts: (name, relation to count, filter). Pictures, items, packages and releases belong to
# rooms above; only the relations that their foreign keys leave on Benchmark are used.
_COUNTED: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("images", "images", {}),
    ("accepted_images", "images", {"state": "accepted"}),
    ("items", "items", {}),
    ("accepted_items", "items", {"state": "accepted"}),
    ("packages", "packages", {}),
    ("releases", "releases", {}),
)


def category_list(name: str) -> CategoryList:
    """A list of categories that ships with the software.

    Raises:
        FileInvalid: The file has faults.
        FileNotFoundError: There is none of that name; a checked protocol's name cannot lead out of the folder.
    """
    path = Path(settings.FIXTURES) / "taxonomies" / f"{name}.yaml"
    return parse(path.read_text(encoding="utf-8"), file=path.name)


def pair_list(name: str) -> PairList:
    """A list of pairs of country and language that ships with the software.

    Raises:
        FileInvalid: The file has faults.
        FileNotFoundError: There is none of that name; a checked protocol's name cannot lead out of the folder.
    """
    path = Path(settings.FIXTURES) / "taxonomies" / f"{name}.yaml"
    return parse_pairs(path.read_text(encoding="utf-8"), file=path.name)


def benchmarks_with_counts(person: Person) -> list[dict[str, Any]]:
    """The benchmarks somebody takes part in, oldest first, with how much there is of everything; one statement."""
    rows = access.benchmarks_known_to(person)
    rows = rows.annotate(**{f"n_{name}": _count(relation, wanted) for name, relation, wanted in _COUNTED})
    return [
        {
            "slug": b.slug,
            "title": b.title,
            "roles": roles_in(person, b.pk),
            "counts": {name: getattr(b, f"n_{name}") for name, _, _ in _COUNTED},
        }
        for b in rows.order_by("pk")
    ]


def benchmark_page(person: Person, slug: str) -> dict[str, Any]:
    """All that pages of a benchmark need to know of it: protocol, categories, what the reader may do.

    Raises:
        NotFound: No such benchmark, or the person takes no part in it.
    """
    benchmark = access.benchmark_for(person, slug, "benchmark_show")
    return describe(person, benchmark)


def describe(person: Person, benchmark: Benchmark) -> dict[str, Any]:
    """A benchmark as its reader sees it."""
    version = benchmark.protocol
    return {
        "slug": benchmark.slug,
        "title": benchmark.title,
        "zone": benchmark.zone,
        "state": benchmark.state,
        "roles": roles_in(person, benchmark.pk),
        "operations": operations_of(person.grants, benchmark.pk),
        "protocol": {
            "version": version.version if version else 0,
            "name": version.name if version else "",
            "content": version.content if version else {},
            "planned": planned_parts(version.content) if version else [],
        },
        "categories": list(categories_of(benchmark)),
    }


def categories_of(benchmark: Benchmark) -> QuerySet[Category]:
    """A benchmark's categories in the order of its list."""
    return Category.objects.filter(benchmark=benchmark).order_by("number")


def _count(relation: str, wanted: dict[str, str]) -> Coalesce:
    # A subquery for each: joining several relations at once would multiply rows.
    field = Benchmark._meta.get_field(relation)
    rows = field.related_model.objects.filter(benchmark=OuterRef("pk"), **wanted)  # type: ignore[union-attr]
    return Coalesce(Subquery(rows.order_by().values("benchmark").annotate(n=Count("pk")).values("n")), 0)
