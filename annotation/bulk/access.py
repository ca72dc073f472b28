"""Access to bulk actions: people who may do the action to a single row."""

from __future__ import annotations

from annotation.bulk.models import Bulk
from annotation.bulk.rules import ACTIONS
from annotation.bulk.states import TABLE
from curation.core.errors import NotFound
from curation.core.transitions import available_actions
from curation.people.access import require
from curation.people.models import Person


def bulk_for(person: Person, bulk_id: int, operation: str, *, lock: bool = False) -> Bulk:
    """Fetch a bulk action, if the person may do ``operation`` and its action.

    Raises:
        NotFound, OperationNotAllowed.
    """
    rows = Bulk.objects.select_related("benchmark__protocol")
    if lock:
        rows = rows.select_for_update(of=("self",), no_key=True)
    bulk = rows.filter(pk=bulk_id).first()
    if bulk is None:
        raise NotFound
    require(person, bulk.benchmark_id, operation)
    require(person, bulk.benchmark_id, ACTIONS[bulk.action].operation)
    return bulk


def actions(person: Person, bulk: Bulk) -> list[str]:
    """The operations that the person may do on a bulk action now."""
    rule = ACTIONS[bulk.action]

    def may(operation: str) -> bool:
        possible = operation != "bulk_undo" or rule.undoable
        return possible and all(person.may(bulk.benchmark_id, name) for name in (operation, rule.operation))

    return available_actions(TABLE, bulk.state, may=may)
