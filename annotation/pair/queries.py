"""What a second person gets to see of an item, and what they answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import OuterRef, Subquery

from annotation.items.models import Item, ItemRevision
from annotation.items.queries import picture, tree_of, with_pictures
from annotation.judging.models import Judging
from annotation.judging.rules import CLICKS
from annotation.kinds.registry import TEXTS_TO_FIND
from annotation.kinds.tree import TextNode, groups
from annotation.pair.models import Click
from annotation.pair.rules import in_order
from annotation.pair.shapes import Clicking, ClickingPool, ClickRoundRow, ClickRounds
from annotation.peer import access
from annotation.peer.queries.offers import shows_names, waiting_for
from annotation.seats import rules
from annotation.seats.models import Seat
from curation.benchmarks.models import Benchmark
from curation.images.models import hidden_from
from curation.people.access import benchmark_for, brief_for
from curation.people.models import Person


def clicking_pool(person: Person, benchmark_slug: str, *, kind: str) -> ClickingPool:
    """Show the text that the person looks for next, and how many other items wait for a second person.

    Raises:
        KindNotInProtocol, TrackNotInProtocol, NotFound, OperationNotAllowed.
    """
    benchmark = benchmark_for(person, benchmark_slug, "clicking_show", kind)
    access.track_of(benchmark, kind, of=(Item.Track.PAIR,))
    return _pool(person, benchmark, kind)


def claimed_clicking(person: Person, claimed: tuple[Benchmark, str]) -> ClickingPool:
    """The pool after the person claimed an item."""
    return _pool(person, *claimed)


def _pool(person: Person, benchmark: Benchmark, kind: str) -> ClickingPool:
    seat = Seat.objects.filter(
        benchmark=benchmark, kind=kind, purpose=CLICKS, holder=person, state=Seat.State.HELD
    ).first()
    may = access.clicks_on(person, benchmark.pk, kind)
    waiting = waiting_for(person, benchmark, kind, Item.Track.PAIR, ()).filter(state=Seat.State.FREE) if may else None
    return {
        "kind": kind,
        "waiting": waiting.count() if waiting is not None else 0,
        "lease_seconds": rules.LEASE_SECONDS,
        "heartbeat_seconds": rules.HEARTBEAT_SECONDS,
        "item": _clicking(person, seat) if seat else None,
    }


def _clicking(person: Person, seat: Seat) -> Clicking | None:
    """The next text of a held item, without anything that says what it means."""
    newest = ItemRevision.objects.filter(item_id=OuterRef("pk"), no=OuterRef("revision_no"))
    opened = Judging.objects.filter(item_id=OuterRef("pk"), purpose=CLICKS, closed_at=None)
    rows: Any = with_pictures(Item.objects.select_related("image", "benchmark"), "image_id").annotate(
        content=Subquery(newest.values("content")),
        judging_id=Subquery(opened.values("pk")),
        seed=Subquery(opened.values("round__seed")),
    )
    item = rows.exclude(hidden_from(person.pk, "image_id")).filter(pk=seat.item_id).first()
    if item is None or item.seed is None or seat.lease_until is None:
        return None
    texts = TEXTS_TO_FIND[item.kind](item.content)
    done = Click.objects.filter(judging_id=item.judging_id, person=person).count()
    key = in_order(bytes(item.seed), person.pk, texts)[done]
    shown = picture(item.image, item.renditions)
    tree = tree_of(item.benchmark.protocol_id, item.kind)
    node = next(node for _, node in groups(tree) if isinstance(node, TextNode))
    return {
        "id": item.pk,
        "seat": seat.pk,
        "lease_until": seat.lease_until,
        "image": {
            "id": shown["id"],
            "view_url": shown["view_url"],
            "clean_url": shown["clean_url"],
            "width": shown["width"],
            "height": shown["height"],
            "redaction_no": shown["redaction_no"],
        },
        "position": done + 1,
        "count": len(texts),
        "text": texts[key],
        "language": {"lang": node.lang, "dir": node.dir},
    }


def click_rounds(person: Person, item_id: int) -> ClickRounds:
    """Show the answers that second people gave about an item, to its makers and to those who see every item.

    Raises:
        NotFound, OperationNotAllowed.
    """
    row = access.team_items(person.pk, Item.Track.PAIR).filter(pk=item_id).first()
    item = access.check_reach(person, row, "item_clicks").item
    show_names = shows_names(person, item)
    of: dict[int, list[Click]] = {}
    for row in Click.objects.filter(judging__item=item).select_related("person").order_by("person_id", "position"):
        of.setdefault(row.judging_id, []).append(row)
    judgings = Judging.objects.filter(item=item, purpose=CLICKS).order_by("-no")
    contents = dict(ItemRevision.objects.filter(item=item).values_list("no", "content"))
    rounds = [
        _round(
            person,
            judging,
            of.get(judging.pk, []),
            TEXTS_TO_FIND[item.kind](contents[judging.revision_no]),
            show_names=show_names,
        )
        for judging in judgings
        if judging.outcome  # open rounds are not shown
    ]
    return {"rounds": rounds}


def _round(
    viewer: Person, judging: Judging, clicks: list[Click], texts: Mapping[str, str], *, show_names: bool
) -> ClickRoundRow:
    by = clicks[-1].person if clicks else None
    return {
        "no": judging.no,
        "revision_no": judging.revision_no,
        "outcome": judging.outcome,
        "by": brief_for(viewer, {"id": by.pk, "name": by.name} if by else None, show_names=show_names),
        "clicks": [
            {
                "position": row.position,
                "key": row.key,
                "text": texts[row.key],
                "answer": row.answer,
                "x": row.x,
                "y": row.y,
                "hit": row.hit,
                "correct": row.correct,
            }
            for row in clicks
        ],
    }
