"""The preview of a bulk action: its rows are listed, and what a single operation would refuse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.bulk.errors import BulkTooMany
from annotation.bulk.models import Bulk, BulkTarget
from annotation.bulk.rules import ACTIONS, MOST_TARGETS, PREPARED_AT_ONCE, STALE_AFTER
from annotation.bulk.services.action import READ_AT_ONCE, Checked
from annotation.bulk.services.registry import CARRIED_OUT
from annotation.bulk.states import TABLE
from curation.benchmarks.models import Benchmark
from curation.core import jobs
from curation.core.transitions import advance
from curation.people.access import benchmark_for, require
from curation.people.models import Person

RUN_BULK: Final = "annotation.run_bulk"


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

    The rows are those of the list that the person sees: those with ``ids``, or all that match its ``filters``. If they
    are more than ``PREPARED_AT_ONCE``, a job checks them. The person's earlier previews that were not applied are
    deleted.

    Raises:
        BulkTooMany: More than ``MOST_TARGETS`` rows match.
        NotFound, OperationNotAllowed.
        DomainError: What the single operation raises for any row, such as an unknown category.
    """
    rule, carried_out = ACTIONS[action], CARRIED_OUT[action]
    benchmark = benchmark_for(actor, benchmark_slug, "bulk_prepare")
    require(actor, benchmark.pk, rule.operation)
    rows = carried_out.rows(actor, benchmark, ids=ids, filters=dict(filters or {}), limit=MOST_TARGETS + 1)
    if len(rows) > MOST_TARGETS:
        raise BulkTooMany(maximum=MOST_TARGETS)
    _delete_previews(actor, benchmark)
    selection = {"ids": len(ids)} if ids is not None else {"filters": dict(filters or {})}
    bulk = Bulk(benchmark=benchmark, action=action, filter=selection, params=dict(params), by=actor)
    if len(rows) <= PREPARED_AT_ONCE:
        bulk.save()
        _add_targets(bulk, carried_out.check(actor, benchmark, rows, params))
        return bulk
    for _ in carried_out.check(actor, benchmark, rows[:1], params):
        pass  # raises now what would fail the job
    bulk.state, bulk.chosen = Bulk.State.PREPARING, rows
    bulk.save()
    job = jobs.enqueue(
        task=RUN_BULK,
        args={"bulk_id": bulk.pk},
        dedupe_key=f"bulk {bulk.pk}",
        benchmark_id=benchmark.pk,
        actor_id=actor.pk,
    )
    bulk.job_id = job.pk
    bulk.save(update_fields=["job_id"])
    return bulk


def prepare_block(bulk: Bulk, actor: Person) -> bool:
    """Check the next rows of a preview; return whether to continue. Called with the row of the action locked."""
    block, bulk.chosen = bulk.chosen[:READ_AT_ONCE], bulk.chosen[READ_AT_ONCE:]
    _add_targets(bulk, CARRIED_OUT[bulk.action].check(actor, bulk.benchmark, block, bulk.params))
    if not bulk.chosen:
        advance(bulk, "finish_preview", table=TABLE)
    bulk.save(update_fields=["chosen", "state"])
    return bool(bulk.chosen)


def fail_preview(bulk: Bulk, error_code: str) -> None:
    """Give up a preview that cannot be made. Called with the row of the action locked."""
    advance(bulk, "fail_preview", table=TABLE)
    bulk.error_code, bulk.chosen = error_code, []
    bulk.save(update_fields=["state", "error_code", "chosen"])


@transaction.atomic
def sweep_previews() -> int:
    """Delete everyone's previews that can no longer be applied because of their age; return how many."""
    return _delete(Bulk.objects.filter(created_at__lt=timezone.now() - STALE_AFTER), skip_locked=True)


def _delete_previews(actor: Person, benchmark: Benchmark) -> None:
    """Delete a person's previews that were not applied; one that is being applied at this moment stays."""
    _delete(Bulk.objects.filter(by=actor, benchmark=benchmark))


def _delete(rows: QuerySet[Bulk], *, skip_locked: bool = False) -> int:
    previews = rows.filter(state__in=Bulk.PREVIEWS).select_for_update(no_key=True, skip_locked=skip_locked)
    locked = list(previews.values_list("pk", flat=True))
    Bulk.objects.filter(pk__in=locked).delete()
    return len(locked)


def _add_targets(bulk: Bulk, checked: Iterable[Checked]) -> None:
    BulkTarget.objects.bulk_create((_target(bulk, each) for each in checked), batch_size=2_000)


def _target(bulk: Bulk, checked: Checked) -> BulkTarget:
    target = BulkTarget(bulk=bulk, target_id=checked.target_id, label=checked.label, was=checked.was)
    if checked.refusal is not None:
        target.outcome, target.code = BulkTarget.Outcome.REFUSED, checked.refusal.code
        target.params = checked.refusal.params
    return target
