"""The preview of a bulk action: its rows are listed, and what a single operation would refuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from annotation.bulk.errors import BulkTooMany
from annotation.bulk.models import Bulk, BulkTarget
from annotation.bulk.rules import ACTIONS, MOST_TARGETS
from annotation.bulk.services.action import Checked
from annotation.bulk.services.registry import CARRIED_OUT
from curation.benchmarks.models import Benchmark
from curation.people.access import benchmark_for, require
from curation.people.models import Person


@transaction.atomic
def prepare_bulk(
    *,
    actor: Person,
    benchmark_slug: str,
    action: str,
    params: Mapping[str, Any],
    ids: Sequence[int] | None = None,
    filters: Mapping[str, Any] | None = None,
) -> Bulk:
    """List the rows of a bulk action and check each, without changing any.

    The rows are those of the list that the person sees: those with ``ids``, or all that match its ``filters``. The
    person's earlier previews that were not applied are deleted.

    Raises:
        BulkTooMany: More than ``MOST_TARGETS`` rows match.
        NotFound, OperationNotAllowed.
        DomainError: What the single operation raises for any row, such as an unknown category.
    """
    rule, carried_out = ACTIONS[action], CARRIED_OUT[action]
    benchmark = benchmark_for(actor, benchmark_slug, "bulk_prepare")
    require(actor, benchmark.pk, rule.operation)
    found = carried_out.rows(actor, benchmark, ids=ids, filters=dict(filters or {}), limit=MOST_TARGETS + 1)
    if len(found) > MOST_TARGETS:
        raise BulkTooMany(maximum=MOST_TARGETS)
    _delete_previews(actor, benchmark)
    selection = {"ids": len(ids)} if ids is not None else {"filters": dict(filters or {})}
    bulk = Bulk.objects.create(benchmark=benchmark, action=action, filter=selection, params=dict(params), by=actor)
    checked = carried_out.check(actor, benchmark, found, params)
    BulkTarget.objects.bulk_create((_target(bulk, each) for each in checked), batch_size=2_000)
    return bulk


def _delete_previews(actor: Person, benchmark: Benchmark) -> None:
    """Delete a person's previews that were not applied; one that is being applied at this moment stays."""
    previews = Bulk.objects.filter(by=actor, benchmark=benchmark, state=Bulk.State.PREPARED)
    locked = list(previews.select_for_update(no_key=True).values_list("pk", flat=True))
    Bulk.objects.filter(pk__in=locked).delete()


def _target(bulk: Bulk, checked: Checked) -> BulkTarget:
    target = BulkTarget(bulk=bulk, target_id=checked.target_id, label=checked.label, was=checked.was)
    if checked.refusal is not None:
        target.outcome, target.code = BulkTarget.Outcome.REFUSED, checked.refusal.code
        target.params = checked.refusal.params
    return target
