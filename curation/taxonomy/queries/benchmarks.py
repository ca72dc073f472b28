"""Reads of benchmarks, their categories and what they can start from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curation.benchmarks.errors import PresetUnknown
from curation.benchmarks.models import Benchmark
from curation.benchmarks.queries import preset as read_preset
from curation.benchmarks.queries import presets
from curation.benchmarks.rules import planned_parts, work_of
from curation.core.errors import NotFound, OperationNotAllowed
from curation.core.folding import fold, words_of
from curation.core.shapes import localised_text
from curation.people import access
from curation.people.models import Person
from curation.people.queries import roles_in
from curation.people.rules import operations_of, planned_capabilities
from curation.taxonomy.models import Category
from curation.taxonomy.queries.lists import axes_of, category_list
from curation.taxonomy.rules import COUNTS, KINDS_IN_USE
from curation.taxonomy.shapes import (
    BenchmarkAnswer,
    BenchmarkRow,
    PresetAnswer,
    PresetRow,
)


def categories_with(benchmark: Benchmark, search: str) -> list[Category]:
    """The categories with all words of a search in their names, their slug or their pinyin, in order; one statement."""
    words = words_of(search)
    if not words:
        return []
    rows = benchmark.categories.order_by("number")
    names = {row: fold(" ".join([row.slug, *row.name.values(), *row.search])) for row in rows}
    return [row for row, folded in names.items() if all(word in folded for word in words)]


def preset_rows(person: Person) -> list[PresetRow]:
    """List the presets that a benchmark can start from."""
    return [_preset_row(protocol.content) for protocol in presets().values()]


def _preset_row(content: Mapping[str, Any]) -> PresetRow:
    meta = content["meta"]
    return {
        "name": meta["name"],
        "title": meta["title"],
        "summary": meta["summary"],
        "kinds": list(content["kinds"]),
        "planned_kinds": list(content.get("planned", {})),
    }


def preset_page(person: Person, preset: str) -> PresetAnswer:
    """Show a preset with its file's text.

    Raises:
        OperationNotAllowed: The person creates no benchmarks.
        NotFound: There is none of that name.
    """
    if not person.may(None, "preset_show"):
        raise OperationNotAllowed(operation="preset_show")
    try:
        protocol = read_preset(preset)
    except PresetUnknown as error:
        raise NotFound from error
    return {
        "name": protocol.name,
        "source": protocol.source,
        "source_sha256": protocol.source_sha256,
        "content": protocol.content,
        "planned": planned_in(protocol.content),
        "fields": [
            {"slug": field.slug, "name": localised_text(field.name.model_dump(by_alias=True))}
            for field in category_list(protocol.content["taxonomy"]["list"]).fields
        ],
    }


def benchmark_rows(person: Person) -> list[BenchmarkRow]:
    """List the benchmarks the person takes part in, oldest first, with counts.

    One statement.
    """
    rows: Any = access.benchmarks_known_to(person).annotate(**{f"n_{name}": count for name, count in COUNTS.items()})
    return [
        {
            "slug": b.slug,
            "title": b.title,
            "roles": roles_in(person, b.pk),
            "counts": {name: getattr(b, f"n_{name}") for name in COUNTS},
        }
        for b in rows.order_by("pk")
    ]


def benchmark_page(person: Person, benchmark_slug: str) -> BenchmarkAnswer:
    """Show a benchmark's protocol, its categories and what the reader may do there.

    Raises:
        NotFound: No such benchmark, or the person takes no part in it.
    """
    return benchmark_answer(person, access.benchmark_for(person, benchmark_slug, "benchmark_show"))


def benchmark_answer(person: Person, benchmark: Benchmark) -> BenchmarkAnswer:
    """Answer with a benchmark as its reader sees it."""
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
            "planned": planned_in(version.content) if version else [],
        },
        "categories": [
            {
                "id": category.pk,
                "slug": category.slug,
                "name": category.name,
                "short": category.short_name,
                "definition": category.definition,
                "field": {"slug": category.field, "name": category.field_name},
                "group": category.distance,
                "search": category.search,
            }
            for category in Category.objects.filter(benchmark=benchmark).order_by("number")
        ],
        "axes": axes_of(benchmark),
    }


def kinds_in_use(benchmark: Benchmark) -> dict[str, str]:
    """Return the kinds of which the benchmark has items, with the track of each under the current protocol.

    The parts of the protocol that these items depend on cannot change (:meth:`Change.is_locked`).
    """
    content = benchmark.protocol.content if benchmark.protocol else {}
    return {kind: work_of(content, kind).track for kinds in KINDS_IN_USE for kind in kinds(benchmark)}


def planned_in(content: Mapping[str, Any]) -> list[str]:
    """List the planned parts of a protocol, planned capabilities of its roles included: ``capabilities.verify``."""
    planned = set(planned_capabilities())
    capabilities = {
        text.partition(":")[0] for role in content.get("roles", []) for text in role.get("capabilities", [])
    }
    return sorted(planned_parts(content) + [f"capabilities.{name}" for name in capabilities & planned])
