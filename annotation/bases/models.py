"""The accepted work that an item rests on."""

from __future__ import annotations

from typing import Final

import pgtrigger
from django.db import models
from django.db.models import F, Q

from annotation.items.models import Item

BASE_NOT_ACCEPTED: Final = "item_base_accepted"
# An item rests on what is accepted at that moment. The lock waits for those who change it, and they for this one.
_ON_ACCEPTED = pgtrigger.Trigger(
    name="base_accepted",
    operation=pgtrigger.Insert | pgtrigger.UpdateOf("base_no"),  # type: ignore[no-untyped-call]
    when=pgtrigger.Before,
    func=(
        "perform from annotation_item i where i.id = new.base_item_id and i.accepted_no = new.base_no for share; "
        "if not found then raise exception using errcode = 'check_violation', "
        f"constraint = '{BASE_NOT_ACCEPTED}', message = '{BASE_NOT_ACCEPTED}'; end if; return new;"
    ),
)


class ItemBase(models.Model):
    """The accepted revision ``base_no`` of another item, on which an item rests.

    ``path`` is the field of its content that the item is about, such as ``captions.2`` of a dialogue; empty: all of it.
    Where it was drawn, ``seed`` repeats the draw.

    ``current`` says whether that revision is the accepted one now; a trigger of items keeps it. While it is not, the
    item is neither judged nor released, and :mod:`annotation.pair.services.following` binds it to the next accepted
    revision, returns it or excludes it.
    """

    item = models.OneToOneField(Item, on_delete=models.PROTECT, primary_key=True, related_name="base")
    # A composite foreign key (migration) ties the two to a revision.
    base_item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="dependents")
    base_no = models.PositiveIntegerField()
    path = models.CharField(max_length=64, blank=True, default="", db_default="")
    seed = models.BinaryField(max_length=16, null=True)
    current = models.BooleanField(default=True, db_default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(item=F("base_item")), name="item_base_is_another"),
        ]
        indexes = [models.Index(fields=["base_item", "item"], condition=Q(current=False), name="item_base_moved")]
        triggers = [_ON_ACCEPTED, pgtrigger.ReadOnly(name="base_stays", fields=["item", "base_item", "path", "seed"])]
