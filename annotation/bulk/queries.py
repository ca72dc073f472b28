"""Reads about bulk actions."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count

from annotation.bulk import access
from annotation.bulk.models import Bulk, BulkTarget
from annotation.bulk.rules import ACTIONS, EXAMPLES, REASONS
from annotation.bulk.shapes import BulkDetail, BulkReason
from curation.people.models import Person

Outcome = BulkTarget.Outcome


def bulk_detail(person: Person, bulk_id: int) -> BulkDetail:
    """Show a bulk action: how many rows it can change or changed, and why others not.

    Four statements.

    Raises:
        NotFound, OperationNotAllowed.
    """
    return bulk_answer(person, access.bulk_for(person, bulk_id, "bulk_show"))


def bulk_answer(person: Person, bulk: Bulk) -> BulkDetail:
    """Show a bulk action that the caller has read or changed."""
    rule = ACTIONS[bulk.action]
    counted = bulk.targets.order_by().values_list("outcome").annotate(n=Count("*"))
    counts: dict[str, int] = dict(counted)
    changeable = bulk.targets.exclude(outcome=Outcome.REFUSED).order_by("target_id")
    return {
        "id": bulk.pk,
        "action": bulk.action,
        "target": rule.target,
        "params": bulk.params,
        "state": bulk.state,
        "error_code": bulk.error_code,
        "undoable": rule.undoable,
        "rows": sum(counts.values()) + len(bulk.chosen),
        "counts": {
            "pending": counts.get(Outcome.PENDING, 0),
            "refused": counts.get(Outcome.REFUSED, 0),
            "done": counts.get(Outcome.DONE, 0),
            "undone": counts.get(Outcome.UNDONE, 0),
            "kept": counts.get(Outcome.KEPT, 0),
        },
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
