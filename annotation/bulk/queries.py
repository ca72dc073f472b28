"""Reads about bulk actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count

from annotation.bulk import access
from annotation.bulk.models import Bulk, BulkTarget
from annotation.bulk.rules import ACTIONS, EXAMPLES, REASONS
from annotation.bulk.shapes import BulkCounts, BulkDetail, BulkGiven, BulkPage, BulkReason, BulkRow
from curation.core.pages import cut_page
from curation.people.access import benchmark_for, brief_for, names_visible
from curation.people.models import Person

Outcome = BulkTarget.Outcome


def bulk_detail(person: Person, bulk_id: int) -> BulkDetail:
    """Show a bulk action: how many rows it can change or changed, and why others not.

    Four statements, five if it assigns.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return bulk_answer(person, access.bulk_for(person, bulk_id, "bulk_show"))


def bulk_page(person: Person, benchmark_slug: str, *, page_size: int, cursor: str | None = None) -> BulkPage:
    """List the bulk actions that were applied in a benchmark and that the person could do, newest first.

    Raises:
        NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "bulk_list")
    names = [name for name, rule in ACTIONS.items() if person.may(benchmark.pk, rule.operation)]
    rows = Bulk.objects.filter(benchmark=benchmark, action__in=names).exclude(state__in=Bulk.PREVIEWS)
    bulks, facts = cut_page(rows.select_related("applied_by"), by="-id", cursor=cursor, page_size=page_size)
    counted = BulkTarget.objects.filter(bulk__in=[bulk.pk for bulk in bulks]).order_by()
    counts: dict[int, dict[str, int]] = {}
    for bulk_id, outcome, n in counted.values_list("bulk_id", "outcome").annotate(n=Count("*")):
        counts.setdefault(bulk_id, {})[outcome] = n
    people = _assigned_to(bulks)
    show_names = names_visible(person, benchmark.pk, benchmark.protocol.content if benchmark.protocol else None)
    results: list[BulkRow] = [
        {
            **_given(person, bulk, people, show_names=show_names),
            "id": bulk.pk,
            "state": bulk.state,
            "error_code": bulk.error_code,
            "counts": _counts(counts.get(bulk.pk, {})),
            "applied_by": brief_for(person, bulk.applied_by, show_names=show_names),
            "applied_at": bulk.applied_at,
            "available_actions": access.actions(person, bulk),
        }
        for bulk in bulks
    ]
    return {**facts, "results": results}


def _assigned_to(bulks: Iterable[Bulk]) -> dict[int, Person]:
    ids = [bulk.params["person"] for bulk in bulks if "person" in bulk.params]
    return Person.objects.in_bulk(ids) if ids else {}


def _given(person: Person, bulk: Bulk, people: Mapping[int, Person], *, show_names: bool) -> BulkGiven:
    return {
        "action": bulk.action,
        "target": ACTIONS[bulk.action].target,
        "person": brief_for(person, people.get(bulk.params.get("person", 0)), show_names=show_names),
        "value": str(bulk.params.get("category") or bulk.params.get("licence") or ""),
    }


def _counts(counts: dict[str, int]) -> BulkCounts:
    return {
        "pending": counts.get(Outcome.PENDING, 0),
        "refused": counts.get(Outcome.REFUSED, 0),
        "done": counts.get(Outcome.DONE, 0),
        "undone": counts.get(Outcome.UNDONE, 0),
        "kept": counts.get(Outcome.KEPT, 0),
    }


def bulk_answer(person: Person, bulk: Bulk) -> BulkDetail:
    """Show a bulk action that the caller has read or changed."""
    protocol = bulk.benchmark.protocol
    show_names = names_visible(person, bulk.benchmark_id, protocol.content if protocol else None)
    counted = bulk.targets.order_by().values_list("outcome").annotate(n=Count("*"))
    counts: dict[str, int] = dict(counted)
    changeable = bulk.targets.exclude(outcome=Outcome.REFUSED).order_by("target_id")
    return {
        **_given(person, bulk, _assigned_to([bulk]), show_names=show_names),
        "id": bulk.pk,
        "state": bulk.state,
        "error_code": bulk.error_code,
        "undoable": ACTIONS[bulk.action].undoable,
        "rows": sum(counts.values()) + len(bulk.chosen),
        "counts": _counts(counts),
        "examples": list(changeable.values_list("label", flat=True)[:EXAMPLES]),
        "reasons": _reasons(bulk),
        "created_at": bulk.created_at,
        "available_actions": access.actions(person, bulk),
    }


def _reasons(bulk: Bulk) -> list[BulkReason]:
    """The most frequent errors of rows that are not changed; after an undo, of those that are not changed back."""
    outcomes = [Outcome.KEPT] if bulk.state == Bulk.State.UNDONE else [Outcome.REFUSED, Outcome.KEPT]
    rows: Any = bulk.targets.filter(outcome__in=outcomes).order_by().values("code", "params")
    grouped = rows.annotate(n=Count("*"), labels=ArrayAgg("label", order_by="target_id")).order_by("-n", "code")
    return [
        {"code": row["code"], "params": row["params"], "count": row["n"], "examples": row["labels"][:EXAMPLES]}
        for row in grouped[:REASONS]
    ]
