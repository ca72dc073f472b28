"""Reads of a benchmark's protocol versions, and the check of a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import F, Q, QuerySet

from curation.benchmarks.models import Benchmark, ProtocolVersion
from curation.benchmarks.queries import check_protocol, pairs_of
from curation.benchmarks.rules import (
    Protocol,
    ProtocolWarning,
    changes,
    consent_sha256,
    role_changes,
    warnings_of,
)
from curation.benchmarks.rules.marked_yaml import FileInvalid, Problem
from curation.core.errors import NotFound, OperationNotAllowed
from curation.people import access
from curation.people.models import Person
from curation.people.shapes import pair_row, person_brief
from curation.taxonomy.queries.approval import needs_second
from curation.taxonomy.queries.benchmarks import kinds_in_use, planned_in
from curation.taxonomy.queries.lists import check_lists
from curation.taxonomy.shapes import (
    ComparisonAnswer,
    FaultRow,
    ProtocolAnswer,
    ProtocolChange,
    ProtocolCheckAnswer,
    ProtocolEffect,
    ProtocolRow,
    RoleChangeRow,
    WarningRow,
)


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
    return _protocol_answer(version_of(benchmark, version))


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
    newer, older = version_of(benchmark, version), version_of(benchmark, other)
    return {
        "version": newer.version,
        "other": older.version,
        "changes": change_rows(benchmark, older.content, newer.content),
        "role_changes": role_change_rows(older.content, newer.content),
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
        check_lists(benchmark, protocol)
    except FileInvalid as error:
        return {
            "faults": [_fault_row(problem) for problem in error.reported],
            "fault_count": len(error.problems),
            "title": None,
            "planned": [],
            "warnings": [],
            "effect": None,
        }
    return {
        "faults": [],
        "fault_count": 0,
        "title": protocol.content["meta"]["title"],
        "planned": planned_in(protocol.content),
        "warnings": warning_rows(protocol.warnings),
        "effect": _effect(person, benchmark, benchmark.protocol, protocol)
        if benchmark and benchmark.protocol
        else None,
    }


def _effect(person: Person, benchmark: Benchmark, current: ProtocolVersion, protocol: Protocol) -> ProtocolEffect:
    return {
        "base_version": current.version,
        "changes": change_rows(benchmark, current.content, protocol.content),
        "role_changes": role_change_rows(current.content, protocol.content),
        "needs_second": needs_second(person, benchmark, protocol.content, protocol.source_sha256),
        "asks_consent_again": consent_sha256(protocol.content) not in {"", current.consent_sha256},
        "is_same_text": protocol.source_sha256 == current.source_sha256,
    }


def change_rows(benchmark: Benchmark, before: Any, after: Any) -> list[ProtocolChange]:
    """The differences between two contents as rows."""
    in_use = kinds_in_use(benchmark)
    return [
        {"path": change.path, "before": change.before, "after": change.after, "is_locked": change.is_locked(in_use)}
        for change in changes(before, after)
    ]


def role_change_rows(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[RoleChangeRow]:
    """What two contents change about the capabilities of roles, as rows."""
    return [
        {"role": change.role, "name": change.name, "gained": list(change.gained), "lost": list(change.lost)}
        for change in role_changes(before, after)
    ]


def warning_rows(warnings: Iterable[ProtocolWarning]) -> list[WarningRow]:
    """Warnings as rows."""
    return [{"code": w.code, "params": dict(w.params), "line": w.line, "path": w.path} for w in warnings]


def version_of(benchmark: Benchmark, version: int) -> ProtocolVersion:
    """A version of a benchmark's protocol by its number.

    Raises:
        NotFound.
    """
    row = _versions(benchmark).filter(version=version).first()
    if row is None:
        raise NotFound
    return row


def _fault_row(problem: Problem) -> FaultRow:
    return {
        "line": problem.line,
        "key": problem.key,
        "message": f"expected {problem.expected}",
        "code": problem.code,
        "params": dict(problem.params),
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
        "pairs": [pair_row(pair) for pair in pairs_of(version.content)],
        "warnings": warning_rows(warnings_of(version.content, version.source)),
    }


def _versions(benchmark: Benchmark) -> QuerySet[ProtocolVersion]:
    return (
        ProtocolVersion.objects.filter(benchmark=benchmark)
        .annotate(title=F("content__meta__title"), is_current=Q(pk=F("benchmark__protocol_id")))
        .select_related("created_by")
        .order_by("-version")
    )
