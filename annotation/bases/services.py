"""Letting items rest on accepted work."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from annotation.bases.errors import BaseChanged
from annotation.bases.models import BASE_NOT_ACCEPTED, ItemBase
from annotation.items.models import Item


def rest_on(item: Item, base: Item, *, path: str = "", seed: bytes | None = None) -> ItemBase:
    """Let a new item rest on the accepted revision of another, or on one field of it that a seed drew.

    Raises:
        BaseChanged: That revision is not accepted any more.
    """
    if base.accepted_no is None:
        raise BaseChanged
    try:
        with transaction.atomic():
            return ItemBase.objects.create(item=item, base_item=base, base_no=base.accepted_no, path=path, seed=seed)
    except IntegrityError as error:
        if BASE_NOT_ACCEPTED in str(error):
            raise BaseChanged from error
        raise
