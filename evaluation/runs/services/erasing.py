"""Erasing vectors that were computed from files which are destroyed: something in the picture was covered."""

from __future__ import annotations

from typing import Final

from django.db import connection, transaction

from curation.images.services import all_undone, mark_done

ERASE: Final = "evaluation.erase_vectors"
PLACE: Final = "vectors"


def erase_vectors() -> int:
    """Erase the vectors of destroyed files; return how many.

    The captions of accepted work are asked again as other entries, and those of releases on request.
    """
    erased = 0
    for batch in all_undone(PLACE):
        with transaction.atomic(), connection.cursor() as cursor:
            for one in batch:
                if one.rendition_id is not None:
                    cursor.execute("select erase_vectors(%s)", [one.rendition_id])
                    [(count,)] = cursor.fetchall()
                    erased += count
            mark_done(PLACE, batch)
    return erased
