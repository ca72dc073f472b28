"""Reads of the audit log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.db.models import QuerySet

from curation.benchmarks.models import Benchmark
from curation.core.models import AuditEvent
from curation.core.pages import cut_page, in_blocks
from curation.people import access
from curation.people.models import Person, Team
from curation.people.rules import AUDIT_DATA, AuditData
from curation.people.shapes import AuditPage, AuditRow

AUDIT_COLUMNS: Final = (
    "id",
    "at",
    "actor_id",
    "actor",
    "action",
    "target_type",
    "target_id",
    "label",
    "state_from",
    "state_to",
    "data",
)


def audit_page(
    person: Person, benchmark_slug: str, *, page_size: int, cursor: str | None = None, **filters: Any
) -> AuditPage:
    """List a benchmark's decisions, newest first, with the current names of people and teams.

    Where the protocol hides colleagues' names, a reader who does not administer sees only their own.

    Args:
        person: The reader.
        benchmark_slug: The benchmark.
        page_size: Rows a page.
        cursor: ``next`` of the previous page.
        filters: See ``AuditFilters``.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = access.benchmark_for(person, benchmark_slug, "audit_list")
    rows = _filtered(person, benchmark, filters)
    events, facts = cut_page(rows, by="-id", cursor=cursor, page_size=page_size)
    return {**facts, "results": _audit_rows(person, events, _only_visible_id(person, benchmark))}


def audit_cells(person: Person, benchmark_slug: str, **filters: Any) -> Iterator[list[Any]]:
    """Every decision of a benchmark that matches ``filters``, oldest first, as the cells of ``AUDIT_COLUMNS``.

    Raises:
        NotFound, OperationNotAllowed: At once, not at the first row.
    """
    benchmark = access.benchmark_for(person, benchmark_slug, "audit_file")
    only_visible_id = _only_visible_id(person, benchmark)
    blocks = in_blocks(_filtered(person, benchmark, filters), by="id")
    return (_cells(row) for events in blocks for row in _audit_rows(person, events, only_visible_id))


def _only_visible_id(person: Person, benchmark: Benchmark) -> int | None:
    """The only person whose name the reader may see; None: everyone's."""
    content = benchmark.protocol.content if benchmark.protocol else None
    return None if access.names_visible(person, benchmark.pk, content) else person.pk


def _cells(row: AuditRow) -> list[Any]:
    actor = row["actor"]
    return [
        row["id"],
        row["at"].isoformat(),
        actor["id"] if actor else "",
        actor["name"] if actor else "",
        row["action"],
        row["target_type"],
        row["target_id"],
        row["label"],
        row["state_from"],
        row["state_to"],
        json.dumps(row["data"], ensure_ascii=False, sort_keys=True),
    ]


def _filtered(reader: Person, benchmark: Benchmark, filters: dict[str, Any]) -> QuerySet[AuditEvent]:
    columns = {"since": "at__gte", "until": "at__lt"}
    conditions = {columns.get(name, name): value for name, value in filters.items() if value is not None}
    rows = AuditEvent.objects.filter(benchmark_id=benchmark.pk, **conditions)
    # Filtering by a colleague would reveal what they did.
    by_other = conditions.get("actor_id", reader.pk) != reader.pk
    return rows.none() if by_other and _only_visible_id(reader, benchmark) is not None else rows


def _audit_rows(reader: Person, events: Sequence[AuditEvent], only_visible_id: int | None) -> list[AuditRow]:
    """Add names to the ids: the log itself has none, because a name in it could not be erased.

    What is hidden from the reader elsewhere, such as verdicts of a review that goes on, is left out of the data.

    Args:
        reader: The reader.
        events: Rows of the log.
        only_visible_id: See :func:`_only_visible_id`.
    """
    visible_ids = {e.actor_id for e in events if e.actor_id is not None}
    visible_ids |= {e.target_id for e in events if e.target_type == "person"}
    if only_visible_id is not None:
        visible_ids &= {only_visible_id}
    names = dict(Person.objects.filter(pk__in=visible_ids).values_list("pk", "name"))
    team_ids = {e.target_id for e in events if e.target_type == "team"}
    teams = dict(Team.objects.filter(pk__in=team_ids).values_list("pk", "name"))
    data = _visible_data(reader, events)
    return [_audit_row(event, names, teams, data.get(event.pk, event.data)) for event in events]


def _visible_data(reader: Person, events: Sequence[AuditEvent]) -> dict[int, dict[str, Any]]:
    """The data to show instead of the entries' own, by entry's id, as the rules that rooms registered say."""
    by_rule: dict[AuditData, list[AuditEvent]] = {}
    for event in events:
        if event.action in AUDIT_DATA:
            by_rule.setdefault(AUDIT_DATA[event.action], []).append(event)
    displayed: dict[int, dict[str, Any]] = {}
    for rule, theirs in by_rule.items():
        displayed.update(rule(reader, theirs))
    return displayed


def _audit_row(event: AuditEvent, names: dict[int, str], teams: dict[int, str], data: dict[str, Any]) -> AuditRow:
    labels = {"person": names, "team": teams}.get(event.target_type)
    actor_id = event.actor_id
    return {
        "id": event.pk,
        "at": event.at,
        "actor": {"id": actor_id, "name": names[actor_id]} if actor_id in names and actor_id is not None else None,
        "action": event.action,
        "target_type": event.target_type,
        "target_id": event.target_id,
        "label": event.label if labels is None else labels.get(event.target_id, ""),
        "state_from": event.state_from,
        "state_to": event.state_to,
        "data": data,
    }
