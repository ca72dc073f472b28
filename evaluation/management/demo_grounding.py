"""The demo's expressions about accepted boxes: found by a second person, waiting for one, returned, and undecided."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final

from annotation.bases.queries import bases_for
from annotation.items.models import Item, ItemRevision
from annotation.kinds.grounding import KIND
from annotation.pair import services as pair
from annotation.pair.queries import clicking_pool
from annotation.peer import services as boards
from annotation.tracks import services as writing
from curation.benchmarks.models import Benchmark
from curation.people.models import Person
from fixtures import scenes

ACCEPTED: Final = 12
# What the visitors find, by who drew the boxes and writes about them: for each one item that waits for the other
# annotator, one that was returned, and one that two people failed.
PASSED, WAITING, RETURNED, UNDECIDED = "passed", "waiting", "returned", "undecided"


class DemoExpressions:
    """The expressions of the demo's benchmark; who drew a picture's boxes writes about them.

    Args:
        benchmark: The benchmark.
        people: Its people by log-in.
        seed_of: The scene of each picture.
        key: Makes the client key of a step.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        people: Mapping[str, Person],
        seed_of: Mapping[int, int],
        key: Callable[..., uuid.UUID],
    ) -> None:
        self._benchmark = benchmark
        self._people = people
        self._seed_of = seed_of
        self._key = key

    def fill(self) -> None:
        """Write about pictures with accepted boxes, and let second people look for the objects."""
        authors = {self._people[name].pk: name for name in ("annotator", "annotator2")}
        of: dict[str, list[Item]] = {name: [] for name in authors.values()}
        for boxes in bases_for(KIND.name).filter(benchmark=self._benchmark).order_by("number"):
            of[authors[ItemRevision.objects.get(item=boxes, no=1).author_id]].append(boxes)
        fates = [PASSED] * (ACCEPTED // 2) + [RETURNED, UNDECIDED, WAITING]
        # What waits comes last, because second people get what has waited longest.
        for n, fate in enumerate(fates):
            for name, other in (("annotator", "annotator2"), ("annotator2", "annotator")):
                self._carry(of[name][n], name, other, fate)

    def _carry(self, boxes: Item, name: str, other: str, fate: str) -> None:
        writer = self._people[name]
        item = boards.create_item(
            actor=writer,
            benchmark_slug=self._benchmark.slug,
            kind=KIND.name,
            image_id=boxes.image_id,
            client_key=self._key("expressions", boxes.number),
        )
        self._submit(item, boxes, writer)
        if fate in (PASSED, RETURNED, UNDECIDED):
            self._click(item, boxes, self._people[other], is_right=fate == PASSED)
        if fate == UNDECIDED:
            self._submit(item, boxes, writer)
            self._click(item, boxes, self._people["contributor"], is_right=False)

    def _content(self, boxes: Item) -> dict[str, Any]:
        scene = scenes.scene(self._seed_of[boxes.image_id])
        drawn = ItemRevision.objects.get(item=boxes, no=boxes.revision_no).content["boxes"]
        main = sorted(
            (box for box in drawn if box["category"] == scene.main_category),
            key=lambda box: box["box"][0] + box["box"][2] / 2,
        )
        rows = zip(main, scenes.expressions(scene), strict=False)
        return {"expressions": [{"key": box["key"], "text": text, "box": box["box"]} for box, text in rows][:4]}

    def _submit(self, item: Item, boxes: Item, writer: Person) -> None:
        item.refresh_from_db()
        writing.submit_item(
            actor=writer,
            item_id=item.pk,
            base_no=item.revision_no,
            content=self._content(boxes),
            reasons={},
            client_key=self._key("submit expressions", item.number, item.revision_no),
            track=Item.Track.PAIR,
        )

    def _click(self, item: Item, boxes: Item, who: Person, *, is_right: bool) -> None:
        """Answer every expression: with the middle of its box, or the first one with ``several``."""
        slug = self._benchmark.slug
        pair.claim_clicking(actor=who, benchmark_slug=slug, kind=KIND.name)
        places = {row["text"]: row["box"] for row in self._content(boxes)["expressions"]}
        while (held := clicking_pool(who, slug, kind=KIND.name)["item"]) is not None:
            left, top, width, height = places[held["text"]]
            middle: dict[str, Any] = {"answer": "point", "x": left + width / 2, "y": top + height / 2}
            pair.click(
                actor=who,
                item_id=item.pk,
                position=held["position"],
                client_key=self._key("click", item.number, who.username, held["position"]),
                **(middle if is_right or held["position"] > 1 else {"answer": "several"}),
            )


def fill(
    benchmark: Benchmark, people: Mapping[str, Person], seed_of: Mapping[int, int], key: Callable[..., uuid.UUID]
) -> None:
    """Write expressions about accepted boxes; see :class:`DemoExpressions`."""
    DemoExpressions(benchmark, people, seed_of, key).fill()
