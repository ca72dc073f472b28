"""Opening the round in which a second person finds what a revision means."""

from __future__ import annotations

import os

from annotation.items.models import Item
from annotation.judging.rules import CLICKS
from annotation.judging.services import open_judging
from annotation.kinds.registry import TEXTS_TO_FIND
from annotation.pair.models import ClickRound
from annotation.pair.rules import SEED_BYTES
from annotation.seats import services as seats


def open_round(item: Item) -> None:
    """Open a round for a locked item's newest revision; one that is open is dropped.

    Kinds without texts to find, as dialogues, get none: they wait for a decision.
    """
    if item.kind not in TEXTS_TO_FIND:
        return
    seats.delete_open_seats([item.pk])
    opened = open_judging(item, form=[{"type": "pass"}], people=1, purpose=CLICKS)
    ClickRound.objects.create(judging=opened, seed=os.urandom(SEED_BYTES))
    seats.open_seats(
        benchmark_id=item.benchmark_id,
        kind=item.kind,
        purpose=CLICKS,
        group_id=opened.pk,
        round_no=opened.no,
        places=[(item.pk, 1)],
        people=1,
    )
