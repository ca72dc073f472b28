"""Keeping the index of texts in step with the revisions."""

from __future__ import annotations

from typing import Any, Final

from django.db import connection, transaction
from django.db.models import F

from annotation.items.models import ItemRevision
from annotation.items.queries import tree_of
from annotation.kinds.texts import text_groups, texts_at
from annotation.search.models import TextQueue
from annotation.search.rules import grams
from curation.core.folding import fold

BATCH: Final = 200  # items a transaction
PER_SWEEP: Final = 2_000  # items a sweep, about two seconds; the next sweep continues

# Of two sweeps at once, the one with the newer revision decides.
_STORE: Final = """
    insert into annotation_itemtext (item_id, benchmark_id, kind, revision_no, text, grams)
    values (%s, %s, %s, %s, %s, %s)
    on conflict (item_id) do update
    set revision_no = excluded.revision_no, text = excluded.text, grams = excluded.grams
    where annotation_itemtext.revision_no <= excluded.revision_no
"""


def sweep() -> int:
    """Index the items in the queue, at most ``PER_SWEEP``; return how many rows of the queue were handled.

    Safe to run twice at once and to stop anywhere: rows leave the queue in the transaction that indexes their items.
    """
    handled = 0
    while handled < PER_SWEEP:
        batch = _index_batch()
        handled += batch
        if batch < BATCH:
            break
    return handled


@transaction.atomic
def _index_batch() -> int:
    queue = TextQueue.objects.select_for_update(skip_locked=True).order_by("pk")
    queued = dict(queue.values_list("pk", "item_id")[:BATCH])
    TextQueue.objects.filter(pk__in=queued).delete()
    # Sorted, so that two sweeps lock rows in the same order.
    newest = ItemRevision.objects.filter(item__in=set(queued.values()), no=F("item__revision_no")).order_by("item")
    rows = newest.values_list(
        "item_id", "item__benchmark_id", "item__kind", "no", "protocol_id", "item__team__language", "content"
    )
    stored = [_indexed(*row) for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(_STORE, stored)
    return len(queued)


def _indexed(
    item_id: int, benchmark_id: int, kind: str, no: int, protocol_id: int, language: str | None, content: dict[str, Any]
) -> tuple[Any, ...]:
    tree = tree_of(protocol_id, kind, language or "")
    texts = [fold(text) for group in text_groups(tree) for text in texts_at(content, group)]
    return item_id, benchmark_id, kind, no, "\n".join(texts), grams(texts)
