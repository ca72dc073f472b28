"""Reads of benchmarks with their categories."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Aggregate, Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from curation.benchmarks.errors import PresetUnknown
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.queries import check_protocol, preset
from curation.benchmarks.rules import Protocol, ProtocolWarning, changes, consent_sha256, planned_parts, warnings_of
from curation.benchmarks.rules.marked_yaml import FileInvalid
from curation.core.errors import NotFound, OperationNotAllowed
from curation.people import access
from curation.people.models import Person
from curation.people.queries import roles_in
from curation.people.rules import operations_of, planned_capabilities
from curation.taxonomy.models import Category
from curation.taxonomy.rules import CategoryList, PairList, parse, parse_pairs

# What a list of benchmarks counts, by name. Pictures, items, packages and releases belong to rooms above, and so do the
# tallies of all but the last, which are few; only the relations that foreign keys leave on Benchmark are used.
_COUNTED: tuple[tuple[str, str, Aggregate, dict[str, str]], ...] = (
    ("images", "tallies", Sum("n"), {"of": "image"}),
    ("accepted_images", "tallies", Sum("n"), {"of": "image", "state": "accepted"}),
    ("items", "tallies", Sum("n"), {"of": "item"}),
    ("accepted_items", "tallies", Sum("n"), {"of": "item", "state": "accepted"}),
    ("packages", "tallies", Sum("n"), {"of": "package"}),
    ("releases", "releases", Count("pk"), {}),
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
    rows = rows.annotate(
        **{f"n_{name}": _count(relation, measure, wanted) for name, relation, measure, wanted in _COUNTED}
    )
    return [
        {
            "slug": b.slug,
            "title": b.title,
            "roles": roles_in(person, b.pk),
            "counts": {name: getattr(b, f"n_{name}") for name, *_ in _COUNTED},
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
            "planned": planned_in(version.content) if version else [],
        },
        "categories": list(categories_of(benchmark)),
    }


def work_has_begun(benchmark: Benchmark) -> bool:
    """Whether anything has been made to be written yet; what it rests on then stays as it is."""
    return bool(_rows_of("items").filter(benchmark=benchmark).exists())


def versions_of(person: Person, slug: str) -> QuerySet[ProtocolVersion]:
    """A benchmark's protocol versions, newest first, without their long parts.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, slug, "protocol_list")
    return _with_heads(ProtocolVersion.objects.filter(benchmark=benchmark)).defer("content", "source")


def version_page(person: Person, slug: str, version: int) -> ProtocolVersion:
    """One version with everything in it.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, slug, "protocol_show")
    return _version(benchmark, version)


def compare_versions(person: Person, slug: str, version: int, other: int) -> dict[str, Any]:
    """What ``version`` changed against ``other``.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, slug, "protocol_compare")
    newer, older = _version(benchmark, version), _version(benchmark, other)
    return {
        "version": newer.version,
        "other": older.version,
        "changes": changes(older.content, newer.content),
        "asks_consent_again": newer.consent_sha256 not in {"", older.consent_sha256},
    }


def check_text(person: Person, text: str, slug: str | None) -> dict[str, Any]:
    """What a protocol's text would be, and do to a benchmark; nothing is stored.

    Raises:
        OperationNotAllowed: The person adopts no protocols anywhere.
        NotFound: There is no such benchmark for them.
    """
    if not person.may(None, "protocol_check"):
        raise OperationNotAllowed(operation="protocol_check")
    benchmark = access.benchmark_for(person, slug, "protocol_adopt") if slug else None
    answer: dict[str, Any] = {"faults": [], "title": None, "planned": [], "warnings": [], "effect": None}
    try:
        protocol = check_protocol(text)
    except FileInvalid as error:
        return answer | {"faults": [problem.as_json() for problem in error.problems]}
    answer |= {
        "title": protocol.content["meta"]["title"],
        "planned": planned_in(protocol.content),
        "warnings": protocol.warnings,
    }
    if benchmark is None or benchmark.protocol is None:
        return answer
    current = benchmark.protocol
    asked = consent_sha256(protocol.content)
    return answer | {
        "effect": {
            "base_version": current.version,
            "changes": changes(current.content, protocol.content),
            "work_has_begun": work_has_begun(benchmark),
            "asks_consent_again": asked not in {"", current.consent_sha256},
            "is_same_text": protocol.source_sha256 == current.source_sha256,
        }
    }


def preset_page(person: Person, name: str) -> Protocol:
    """A preset with its file's text.

    Raises:
        OperationNotAllowed: The person creates no benchmarks.
        NotFound: There is none of that name.
    """
    if not person.may(None, "preset_show"):
        raise OperationNotAllowed(operation="preset_show")
    try:
        return preset(name)
    except PresetUnknown as error:
        raise NotFound from error


def planned_in(content: Mapping[str, Any]) -> list[str]:
    """What a protocol names that is not built yet, the capabilities of its roles included: ``capabilities.verify``."""
    waiting = set(planned_capabilities())
    held = {text.partition(":")[0] for role in content.get("roles", []) for text in role.get("capabilities", [])}
    return sorted(planned_parts(content) + [f"capabilities.{name}" for name in held & waiting])


def pairs_of(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The pairs of country and language that a protocol's teams write for; empty where it names no list."""
    name = content.get("taxonomy", {}).get("pairs")
    return [pair.model_dump(mode="json", by_alias=True) for pair in pair_list(name).pairs] if name else []


def warnings_in(version: ProtocolVersion) -> list[ProtocolWarning]:
    """What may surprise whoever works by a version, with the lines of its file."""
    return warnings_of(version.content, version.source)


def _version(benchmark: Benchmark, version: int) -> ProtocolVersion:
    found = _with_heads(ProtocolVersion.objects.filter(benchmark=benchmark, version=version)).first()
    if found is None:
        raise NotFound
    return found


def _with_heads(rows: QuerySet[ProtocolVersion]) -> QuerySet[ProtocolVersion]:
    return (
        rows.annotate(title=F("content__meta__title"), is_current=Q(pk=F("benchmark__protocol_id")))
        .select_related("created_by")
        .order_by("-version")
    )


def categories_of(benchmark: Benchmark) -> QuerySet[Category]:
    """A benchmark's categories in the order of its list."""
    return Category.objects.filter(benchmark=benchmark).order_by("number")


def _count(relation: str, measure: Aggregate, wanted: dict[str, str]) -> Coalesce:
    # A subquery for each: joining several relations at once would multiply rows.
    rows = _rows_of(relation).filter(benchmark=OuterRef("pk"), **wanted)
    counted = rows.order_by().values("benchmark").annotate(measured=measure).values("measured")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _rows_of(relation: str) -> Any:
    return Benchmark._meta.get_field(relation).related_model.objects  # type: ignore[union-attr]
