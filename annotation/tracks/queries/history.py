"""An item's history."""

from __future__ import annotations

from annotation.items.queries import names_visible
from annotation.judging.models import Verdict
from annotation.tracks.access import item_for
from annotation.tracks.registry import TRACKS
from annotation.tracks.shapes import HistoryAnswer
from curation.people.access import brief_for
from curation.people.models import Person


def history(person: Person, item_id: int) -> HistoryAnswer:
    """Show an item's revisions and verdicts, oldest first.

    Verdicts that the item's track keeps secret from the person are left out.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item = item_for(person, item_id, "item_history")
    verdicts = Verdict.objects.filter(item=item).select_related("judge").order_by("pk")
    verdicts = verdicts.exclude(TRACKS[item.track].unseen_verdicts(person, item.benchmark_id, item.kind))
    show_names = names_visible(person, item.benchmark_id, item.benchmark.protocol_id)
    return {
        "id": item.pk,
        "label": item.label,
        "kind": item.kind,
        "state": item.state,
        "revision_no": item.revision_no,
        "accepted_no": item.accepted_no,
        "revisions": [
            {
                "no": r.no,
                "author": brief_for(person, r.author, show_names=show_names),
                "origin": r.origin,
                "content": r.content,
                "reasons": r.reasons,
                "guideline_version": r.guideline.version if r.guideline else None,
                "active_ms": r.active_ms,
                "created_at": r.created_at,
            }
            for r in item.revisions.select_related("author", "guideline").order_by("no")
        ],
        "verdicts": [
            {
                "revision_no": v.revision_no,
                "stage": v.stage,
                "round": v.round,
                "outcome": v.outcome,
                "reasons": v.reasons,
                "comment": v.comment,
                "judge": brief_for(person, v.judge, show_names=show_names),
                "created_at": v.created_at,
            }
            for v in verdicts
        ],
    }
