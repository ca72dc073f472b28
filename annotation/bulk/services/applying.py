"""Starting and undoing a prepared bulk action; a job does the work."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from annotation.bulk import access
from annotation.bulk.errors import BulkNotUndoable, BulkStale
from annotation.bulk.models import Bulk
from annotation.bulk.rules import ACTIONS, STALE_AFTER
from annotation.bulk.services.running import RUN_BULK
from annotation.bulk.states import TABLE
from curation.core import jobs
from curation.core.decisions import Decision
from curation.core.transitions import advance
from curation.people.models import Person


@transaction.atomic
def apply_bulk(*, actor: Person, bulk_id: int, client_key: UUID) -> Bulk:
    """Apply a bulk action to the rows of its preview, in the name of the actor.

    Raises:
        BulkStale: The preview is older than an hour.
        ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    bulk = access.bulk_for(actor, bulk_id, "bulk_apply", lock=True)
    decision = Decision(actor_id=actor.pk, action="bulk_apply", row=bulk, client_key=client_key)
    if decision.is_repeat():
        return bulk
    advance(bulk, "apply", table=TABLE)
    if timezone.now() - bulk.created_at > STALE_AFTER:
        raise BulkStale
    bulk.applied_by, bulk.applied_at = actor, timezone.now()
    return _start(bulk, actor, decision)


@transaction.atomic
def undo_bulk(*, actor: Person, bulk_id: int, client_key: UUID) -> Bulk:
    """Undo a bulk action on the rows that nobody changed since.

    Raises:
        BulkNotUndoable: Its action is for good.
        ActionNotAllowed, ClientKeyReused, NotFound, OperationNotAllowed.
    """
    bulk = access.bulk_for(actor, bulk_id, "bulk_undo", lock=True)
    decision = Decision(actor_id=actor.pk, action="bulk_undo", row=bulk, client_key=client_key)
    if decision.is_repeat():
        return bulk
    advance(bulk, "undo", table=TABLE)
    if not ACTIONS[bulk.action].undoable:
        raise BulkNotUndoable(action=bulk.action)
    return _start(bulk, actor, decision)


def _start(bulk: Bulk, actor: Person, decision: Decision) -> Bulk:
    job = jobs.enqueue(
        task=RUN_BULK,
        args={"bulk_id": bulk.pk},
        dedupe_key=f"bulk {bulk.pk} {decision.client_key}",  # the job before it may be ending at this moment
        benchmark_id=bulk.benchmark_id,
        actor_id=actor.pk,
    )
    bulk.by, bulk.job_id, bulk.error_code = actor, job.pk, ""
    bulk.save(update_fields=["state", "by", "applied_by", "applied_at", "job_id", "error_code"])
    decision.record(action=bulk.action, rows=bulk.targets.count())
    return bulk
