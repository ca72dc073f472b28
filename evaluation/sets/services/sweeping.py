"""Removal of files that no set needs."""

from __future__ import annotations

import time
from collections.abc import Sequence

from curation.core.stores import UNUSED_AFTER, store
from evaluation.sets.models import ItemSet, SetPicture
from evaluation.sets.services.creating import FOLDER
from evaluation.sets.services.reading import READ_ONCE


def sweep_files(*, now: float | None = None) -> int:
    """Remove files that no set needs, once they are a day old; return how many.

    A refused set needs none, and one that was read only its gold file and its pictures.
    """
    moment = (time.time() if now is None else now) - UNUSED_AFTER
    return store().remove_unused(FOLDER, _used_keys, moment)


def _used_keys(keys: Sequence[str]) -> set[str]:
    kept = ItemSet.objects.exclude(state=ItemSet.State.REFUSED)
    used = set(kept.filter(files__gold__key__in=list(keys)).values_list("files__gold__key", flat=True))
    unread = ItemSet.objects.filter(state=ItemSet.State.WAITING)
    for part in READ_ONCE:
        of_part = unread.filter(**{f"files__{part}__key__in": list(keys)})
        used |= set(of_part.values_list(f"files__{part}__key", flat=True))
    pictures = SetPicture.objects.filter(key__in=keys).exclude(set__state=ItemSet.State.REFUSED)
    return used | set(pictures.values_list("key", flat=True))
