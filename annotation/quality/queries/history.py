"""An item's history."""

from __future__ import annotations

from django.db.models import Q

from annotation.items.models import Item
from annotation.judging.models import Verdict
from annotation.packages.access import brief_for, names_visible
from annotation.packages.models import PackageItem
from annotation.quality.queries.sheets import unseen_verdicts
from annotation.quality.shapes import HistoryAnswer
from curation.core.errors import NotFound
from curation.core.operations import Reach
from curation.people.access import require
from curation.people.models import Person


def history(person: Person, item_id: int) -> HistoryAnswer:
    """Show an item's revisions and verdicts, oldest first.

    Only people who may inspect see verdicts of an inspection that has not ended.

    Raises:
        NotFound, OperationNotAllowed.
    """
    item = Item.objects.select_related("image", "benchmark").filter(pk=item_id).first()
    if item is None:
        raise NotFound
    reach = require(person, item.benchmark_id, "item_history", item.kind)
    mine = PackageItem.objects.filter(item=item).filter(Q(package__assignee=person) | Q(package__reviewer=person))
    if reach is not Reach.ALL and not mine.exists():
        raise NotFound
    verdicts = Verdict.objects.filter(item=item).select_related("judge").order_by("pk")
    verdicts = verdicts.exclude(unseen_verdicts(person, item.benchmark_id, [item.kind]))
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
