"""What the audit log shows of verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from annotation.judging.models import Verdict
from annotation.kinds.registry import KINDS
from annotation.quality.queries.sheets import unseen_verdicts
from curation.core.models import AuditEvent
from curation.people.models import Person

# Actions of ``annotation.judging.services.write_verdict``, with the stage of the verdict.
VERDICT_ACTIONS: Final = {"item_review": "review", "item_inspect": "inspection"}


def data_of_unseen_verdicts(reader: Person, events: Sequence[AuditEvent]) -> dict[int, dict[str, Any]]:
    """The data to show of entries about verdicts that the reader must not see yet: without outcome and reasons.

    Args:
        reader: The reader.
        events: Entries of one benchmark about verdicts.

    Returns:
        The data by entry's id. Entries that are missing in it are shown as they are.
    """
    verdicts = Verdict.objects.filter(item_id__in={e.target_id for e in events})
    benchmark_ids = {e.benchmark_id for e in events if e.benchmark_id is not None}
    unseen: set[tuple[Any, ...]] = set()
    for benchmark_id in benchmark_ids:
        rows = verdicts.filter(unseen_verdicts(reader, benchmark_id, KINDS), item__benchmark_id=benchmark_id)
        unseen |= set(rows.values_list("item_id", "revision_no", "stage", "judge_id", "round"))
    # Entries of earlier versions have no round: they are hidden with any verdict of the judge on the revision.
    unseen |= {(*verdict[:-1], None) for verdict in unseen}
    return {
        e.pk: {name: value for name, value in e.data.items() if name not in ("outcome", "reasons")}
        for e in events
        if (e.target_id, e.data["revision_no"], VERDICT_ACTIONS[e.action], e.actor_id, e.data.get("round")) in unseen
    }
