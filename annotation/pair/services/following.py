"""What becomes of items when the accepted work that they rest on is changed or excluded; beat runs it."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from annotation.bases.models import ItemBase
from annotation.items import services as items
from annotation.items.models import Item, ItemRevision
from annotation.judging.services import drop_judging
from annotation.kinds.content import looks_equal
from annotation.peer.states import TABLES
from annotation.seats import services as seats
from curation.core.decisions import Decision
from curation.people.services import notify

BATCH = 100  # items per transaction, which bounds how long its locks last
_WRITTEN = (Item.State.MADE, Item.State.ACCEPTED)


def follow_bases() -> int:
    """Follow the bases that were accepted anew or excluded; return how many items were bound, returned or excluded.

    While a base is only reopened nothing happens: its items wait, neither judged nor released.
    """
    followed = 0
    while moved := _follow(_waiting()):
        followed += moved
    return followed


def _waiting() -> QuerySet[ItemBase]:
    """Items whose base moved and where it is known what becomes of them.

    Those on withdrawn pictures are excluded with all other work on these, and readmitted with it.
    """
    settled = Q(base_item__accepted_no__isnull=False)
    settled |= Q(base_item__state=Item.State.EXCLUDED) & ~Q(base_item__excluded_for=Item.Excluded.PICTURE)
    return ItemBase.objects.filter(settled, current=False).exclude(item__state=Item.State.EXCLUDED)


@transaction.atomic
def _follow(rows: QuerySet[ItemBase]) -> int:
    """Follow a batch; items that someone works on at this moment are left for the next run.

    Bases are locked before the items that rest on them, as everywhere.
    """
    batch = dict(rows.order_by("base_item_id", "item_id").values_list("item_id", "base_item_id")[:BATCH])
    unlocked = Item.objects.select_for_update(no_key=True, skip_locked=True).order_by("pk")
    bases = {base.pk: base for base in unlocked.filter(pk__in=set(batch.values()))}
    dependents = unlocked.filter(pk__in=[pk for pk, base_id in batch.items() if base_id in bases])
    followed = 0
    for item in dependents.select_related("benchmark").select_for_update(of=("self",), no_key=True, skip_locked=True):
        link = ItemBase.objects.get(item=item)
        followed += _follow_one(item, link, bases[link.base_item_id])
    return followed


def _follow_one(item: Item, link: ItemBase, base: Item) -> bool:
    """Follow the locked base of a locked item; return whether something changed."""
    if link.current or item.state == Item.State.EXCLUDED:
        return False
    if base.state == Item.State.EXCLUDED:
        [former] = items.exclude([item], "exclude_with_base", Item.Excluded.BASE, table=TABLES[item.track])
        _leave(item, former, "item_exclude", base)
        return True
    if base.accepted_no is None:
        return False
    former_content, content = (_content(base, no, link.path) for no in (link.base_no, base.accepted_no))
    is_equal = looks_equal(former_content, content)
    link.base_no, link.current = base.accepted_no, True
    link.save(update_fields=["base_no", "current"])
    if not is_equal and item.state in _WRITTEN:
        [former] = items.send_back([item], "return_with_base", table=TABLES[item.track])
        _leave(item, former, "item_return", base)
    return True


def _content(base: Item, no: int, path: str) -> Any:
    """A revision's content, or the part of it that the item is about."""
    content: Any = ItemRevision.objects.values_list("content", flat=True).get(item=base, no=no)
    for step in path.split(".") if path else ():
        content = content[int(step)] if isinstance(content, list) else content[step]
    return content


def _leave(item: Item, former: str, action: str, base: Item) -> None:
    """Take an item out of judging, record why, and notify the author of its newest revision."""
    seats.delete_open_seats([item.pk])
    drop_judging(item)
    decision = Decision(actor_id=None, action=action, row=item, client_key=None)
    decision.record_transition(former, item.state, base_id=base.pk)
    author = ItemRevision.objects.filter(item=item, no=item.revision_no).values_list("author_id", flat=True).first()
    if author is not None:
        notify(
            person_ids=[author],
            code="item_base_changed",
            params={"item": item.label, "base": base.label},
            actor_id=None,
            benchmark_id=item.benchmark_id,
            target_type="item",
            target_id=item.pk,
        )
