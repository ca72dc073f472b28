"""Reads of benchmarks with their categories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import F, Q, QuerySet

from curation.benchmarks.errors import PresetUnknown
from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.queries import check_protocol, presets
from curation.benchmarks.queries import preset as read_preset
from curation.benchmarks.rules import Protocol, ProtocolWarning, changes, consent_sha256, planned_parts, warnings_of
from curation.benchmarks.rules.marked_yaml import FileInvalid, Problem
from curation.core.errors import NotFound, OperationNotAllowed
from curation.people import access
from curation.people.models import Person
from curation.people.queries import roles_in
from curation.people.rules import operations_of, planned_capabilities
from curation.people.shapes import person_brief
from curation.taxonomy.models import Category
from curation.taxonomy.rules import COUNTS, WORK_CHECKS, CategoryList, Pair, PairList, parse, parse_pairs
from curation.taxonomy.shapes import (
    BenchmarkAnswer,
    BenchmarkRow,
    ComparisonAnswer,
    FaultRow,
    PairRow,
    PresetAnswer,
    PresetRow,
    ProtocolAnswer,
    ProtocolChange,
    ProtocolCheckAnswer,
    ProtocolEffect,
    ProtocolRow,
    WarningRow,
)


def category_list(name: str) -> CategoryList:
    """Return a list of categories that ships with the software.

    Raises:
        FileInvalid: The file has faults.
        FileNotFoundError: There is none of that name; a checked protocol's name cannot lead out of the folder.
    """
    path = Path(settings.FIXTURES) / "taxonomies" / f"{name}.yaml"
    return parse(path.read_text(encoding="utf-8"), file=path.name)


def pair_list(name: str) -> PairList:
    """Return a list of pairs of country and language that ships with the software.

    Raises:
        FileInvalid: The file has faults.
        FileNotFoundError: There is none of that name; a checked protocol's name cannot lead out of the folder.
    """
    path = Path(settings.FIXTURES) / "taxonomies" / f"{name}.yaml"
    return parse_pairs(path.read_text(encoding="utf-8"), file=path.name)


def preset_rows(person: Person) -> list[PresetRow]:
    """List the presets that a benchmark can start from."""
    metas = [protocol.content["meta"] for protocol in presets().values()]
    return [{"name": meta["name"], "title": meta["title"], "summary": meta["summary"]} for meta in metas]


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
            }
            for category in Category.objects.filter(benchmark=benchmark).order_by("number")
        ],
    }


def work_has_begun(benchmark: Benchmark) -> bool:
    """Return whether the benchmark has work; then the parts of its protocol that work depends on cannot change."""
    return any(has_work(benchmark) for has_work in WORK_CHECKS)


def protocol_rows(person: Person, benchmark_slug: str) -> list[ProtocolRow]:
    """List a benchmark's protocol versions, newest first, without their long parts.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, benchmark_slug, "protocol_list")
    return [_protocol_row(version) for version in _versions(benchmark).defer("content", "source")]


def protocol_page(person: Person, benchmark_slug: str, version: int) -> ProtocolAnswer:
    """Show one protocol version with its file's text.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, benchmark_slug, "protocol_show")
    return _protocol_answer(_version(benchmark, version))


def adopted_protocol(person: Person, adopted: ProtocolVersion) -> ProtocolAnswer:
    """A version that the person has just adopted.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return protocol_page(person, adopted.benchmark.slug, adopted.version)


def compare_versions(person: Person, benchmark_slug: str, version: int, *, other: int) -> ComparisonAnswer:
    """Show what a version changed against another.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, benchmark_slug, "protocol_compare")
    newer, older = _version(benchmark, version), _version(benchmark, other)
    return {
        "version": newer.version,
        "other": older.version,
        "changes": _change_rows(older.content, newer.content),
        "asks_consent_again": newer.consent_sha256 not in {"", older.consent_sha256},
    }


def check_text(person: Person, text: str, benchmark_slug: str | None = None) -> ProtocolCheckAnswer:
    """Check a text as a protocol and, for a benchmark, what it would change there; nothing is stored.

    Raises:
        OperationNotAllowed: The person adopts no protocols anywhere.
        NotFound: There is no such benchmark for them.
    """
    if not person.may(None, "protocol_check"):
        raise OperationNotAllowed(operation="protocol_check")
    benchmark = access.benchmark_for(person, benchmark_slug, "protocol_adopt") if benchmark_slug else None
    try:
        protocol = check_protocol(text)
    except FileInvalid as error:
        faults = [_fault_row(problem) for problem in error.problems]
        return {"faults": faults, "title": None, "planned": [], "warnings": [], "effect": None}
    return {
        "faults": [],
        "title": protocol.content["meta"]["title"],
        "planned": planned_in(protocol.content),
        "warnings": _warning_rows(protocol.warnings),
        "effect": _effect(benchmark, benchmark.protocol, protocol) if benchmark and benchmark.protocol else None,
    }


def _effect(benchmark: Benchmark, current: ProtocolVersion, protocol: Protocol) -> ProtocolEffect:
    return {
        "base_version": current.version,
        "changes": _change_rows(current.content, protocol.content),
        "work_has_begun": work_has_begun(benchmark),
        "asks_consent_again": consent_sha256(protocol.content) not in {"", current.consent_sha256},
        "is_same_text": protocol.source_sha256 == current.source_sha256,
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
    }


def planned_in(content: Mapping[str, Any]) -> list[str]:
    """List the planned parts of a protocol, planned capabilities of its roles included: ``capabilities.verify``."""
    planned = set(planned_capabilities())
    capabilities = {
        text.partition(":")[0] for role in content.get("roles", []) for text in role.get("capabilities", [])
    }
    return sorted(planned_parts(content) + [f"capabilities.{name}" for name in capabilities & planned])


def pairs_of(content: Mapping[str, Any]) -> list[PairRow]:
    """List the pairs of country and language that a protocol's teams write for; empty if it names no list."""
    name = content.get("taxonomy", {}).get("pairs")
    return [_pair_row(pair) for pair in pair_list(name).pairs] if name else []


def _pair_row(pair: Pair) -> PairRow:
    row: Any = pair.model_dump(mode="json", by_alias=True)
    return {
        "slug": row["slug"],
        "country": row["country"],
        "language": row["language"],
        "continent": row["continent"],
        "script": row["script"],
    }


def _protocol_row(version: Any) -> ProtocolRow:
    """Return the row of a version from :func:`_versions`."""
    return {
        "version": version.version,
        "name": version.name,
        "title": version.title,
        "source_sha256": version.source_sha256,
        "created_at": version.created_at,
        "created_by": person_brief(version.created_by) if version.created_by else None,
        "is_current": version.is_current,
    }


def _protocol_answer(version: ProtocolVersion) -> ProtocolAnswer:
    return {
        **_protocol_row(version),
        "content": version.content,
        "source": version.source,
        "planned": planned_in(version.content),
        "pairs": pairs_of(version.content),
        "warnings": _warning_rows(warnings_of(version.content, version.source)),
    }


def _change_rows(before: Any, after: Any) -> list[ProtocolChange]:
    return [
        {"path": change.path, "before": change.before, "after": change.after, "is_locked": change.is_locked}
        for change in changes(before, after)
    ]


def _warning_rows(warnings: Iterable[ProtocolWarning]) -> list[WarningRow]:
    return [{"code": w.code, "params": dict(w.params), "line": w.line, "path": w.path} for w in warnings]


def _fault_row(problem: Problem) -> FaultRow:
    return {
        "line": problem.line,
        "key": problem.key,
        "message": f"expected {problem.expected}",
        "code": problem.code,
        "params": dict(problem.params),
    }


def _version(benchmark: Benchmark, version: int) -> ProtocolVersion:
    row = _versions(benchmark).filter(version=version).first()
    if row is None:
        raise NotFound
    return row


def _versions(benchmark: Benchmark) -> QuerySet[ProtocolVersion]:
    return (
        ProtocolVersion.objects.filter(benchmark=benchmark)
        .annotate(title=F("content__meta__title"), is_current=Q(pk=F("benchmark__protocol_id")))
        .select_related("created_by")
        .order_by("-version")
    )
