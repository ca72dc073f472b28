"""The job that makes a large preview of a bulk action, applies or undoes one, in blocks of rows.

A block and its outcomes are one transaction, so the next worker continues after a crash and does nothing twice. Each
row goes through the service of the single operation, which checks everything again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.db import transaction

from annotation.bulk.errors import BulkTargetChanged
from annotation.bulk.models import Bulk, BulkTarget
from annotation.bulk.rules import ACTIONS, BLOCK
from annotation.bulk.services.action import Action, key_of
from annotation.bulk.services.preparing import RUN_BULK, fail_preview, prepare_block
from annotation.bulk.services.registry import CARRIED_OUT
from annotation.bulk.states import TABLE
from curation.core.errors import DomainError, StaleRow
from curation.core.jobs import Lease
from curation.core.transitions import advance
from curation.people.access import require
from curation.people.models import Person

__all__ = ["RUN_BULK", "end_failed", "run_bulk"]
Outcome = BulkTarget.Outcome


class _Pass(NamedTuple):
    """What a job does to the rows: which ones, and their outcomes afterwards."""

    name: str
    takes: str
    succeeds: str
    fails: str
    end: str


_PASSES: Final[Mapping[str, _Pass]] = {
    Bulk.State.RUNNING: _Pass("apply", Outcome.PENDING, Outcome.DONE, Outcome.REFUSED, "finish"),
    Bulk.State.UNDOING: _Pass("undo", Outcome.DONE, Outcome.UNDONE, Outcome.KEPT, "finish_undo"),
}


def run_bulk(lease: Lease) -> None:
    """Make the preview of a bulk action, apply it or undo it; safe to run twice.

    :func:`end_failed` follows where it fails for good.

    Raises:
        LeaseLost.
    """
    while _run_block(lease):
        pass


def end_failed(job_id: int) -> None:
    """Stop the bulk action of a job that failed for good, also of one whose worker was killed at the last attempt."""
    with transaction.atomic():
        bulk = Bulk.objects.select_for_update(no_key=True).filter(job_id=job_id).first()
        if bulk is not None and bulk.state == Bulk.State.PREPARING:
            fail_preview(bulk, "internal_error")
        elif bulk is not None and bulk.state in _PASSES:
            _end(bulk, bulk.by, _PASSES[bulk.state], "stop", "internal_error")


@transaction.atomic
def _run_block(lease: Lease) -> bool:
    """Work on the next rows; return whether to continue."""
    bulk = Bulk.objects.select_for_update(no_key=True).filter(pk=lease.args["bulk_id"]).first()
    if bulk is None or bulk.job_id != lease.job.pk:  # a preview was deleted, or the action has another job
        return False
    if bulk.state == Bulk.State.PREPARING:
        return _prepare_block(lease, bulk)
    work = _PASSES.get(bulk.state)
    if work is None:
        return False
    total = bulk.targets.exclude(outcome=Outcome.REFUSED).count()
    remaining = bulk.targets.filter(outcome=work.takes).count()
    lease.progress(total - remaining, total)
    actor = Person.objects.get(pk=bulk.by_id)  # read in each block, with the roles held now
    action = CARRIED_OUT[bulk.action]
    try:
        require(actor, bulk.benchmark_id, ACTIONS[bulk.action].operation)
    except DomainError as error:
        _end(bulk, actor, work, "stop", error.code)
        return False
    targets = list(bulk.targets.filter(outcome=work.takes).order_by("target_id")[:BLOCK])
    if not targets:
        _end(bulk, actor, work, work.end, "")
        return False
    for target in targets:
        _carry_out(work, action, actor, bulk, target)
    BulkTarget.objects.bulk_update(targets, ["outcome", "code", "params"])
    return True


def _prepare_block(lease: Lease, bulk: Bulk) -> bool:
    checked = bulk.targets.count()
    lease.progress(checked, checked + len(bulk.chosen))
    actor = Person.objects.get(pk=bulk.by_id)
    try:
        require(actor, bulk.benchmark_id, ACTIONS[bulk.action].operation)
        with transaction.atomic():
            return prepare_block(bulk, actor)
    except DomainError as error:
        fail_preview(bulk, error.code)
        return False


def _carry_out(work: _Pass, action: Action, actor: Person, bulk: Bulk, target: BulkTarget) -> None:
    call: Any = action.undo if work.name == "undo" else action.apply
    key = key_of(target, work.name)
    try:
        with transaction.atomic():
            call(actor, target, bulk.params, key)
    except StaleRow:
        target.outcome, target.code, target.params = work.fails, BulkTargetChanged.code, {}
    except DomainError as error:
        target.outcome, target.code, target.params = work.fails, error.code, error.params
    else:
        target.outcome = work.succeeds


def _end(bulk: Bulk, actor: Person, work: _Pass, action: str, error_code: str) -> None:
    CARRIED_OUT[bulk.action].notify(bulk, actor, work.succeeds)
    # An undo that was stopped and is started again notifies of what it still undid.
    bulk.targets.filter(outcome=work.succeeds).update(notified_of=work.succeeds)
    advance(bulk, action, table=TABLE)
    bulk.error_code = error_code
    bulk.save(update_fields=["state", "error_code"])
