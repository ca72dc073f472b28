"""Excluding many accepted items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from annotation.bulk.errors import BulkNotUndoable
from annotation.bulk.models import Bulk, BulkTarget
from annotation.bulk.services.action import Checked, in_blocks, targets_to_notify
from annotation.items.models import Item
from annotation.tracks import queries, services
from curation.benchmarks.models import Benchmark
from curation.people.models import Person
from curation.people.services import notify


class Exclude:
    """Excludes accepted items for good: their slots are free from then on, so it cannot be undone."""

    def rows(
        self, actor: Person, benchmark: Benchmark, *, ids: Sequence[int] | None, filters: dict[str, Any], limit: int
    ) -> list[int]:
        return queries.listed_item_ids(actor, benchmark, ids=ids, limit=limit, filters=queries.ItemFilters(**filters))

    def check(
        self, actor: Person, benchmark: Benchmark, ids: Sequence[int], params: Mapping[str, Any]
    ) -> Iterator[Checked]:
        for block in in_blocks(ids):
            for item in Item.objects.filter(pk__in=block).order_by("pk"):
                was = {"revision_no": item.revision_no}
                yield Checked(item.pk, item.label, was, services.exclusion_refusal(actor, item))

    def apply(self, actor: Person, target: BulkTarget, params: Mapping[str, Any], client_key: UUID) -> None:
        services.exclude_item(
            actor=actor,
            item_id=target.target_id,
            revision_no=target.was["revision_no"],
            reason=params["reason"],
            client_key=client_key,
            quietly=True,
        )

    def undo(self, actor: Person, target: BulkTarget, params: Mapping[str, Any], client_key: UUID) -> None:
        raise BulkNotUndoable(action="exclude")

    def notify(self, bulk: Bulk, actor: Person, outcome: str) -> None:
        of_person: dict[int, list[BulkTarget]] = defaultdict(list)
        targets = targets_to_notify(bulk, outcome)
        for block in in_blocks(range(len(targets))):
            some = targets[block[0] : block[-1] + 1]
            people = services.people_of_exclusions({t.target_id: t.was["revision_no"] for t in some})
            for target in some:
                for person in people.get(target.target_id, ()):
                    of_person[person].append(target)
        for person, theirs in of_person.items():
            notify(
                person_ids=[person],
                code="items_excluded",
                params={"item": theirs[0].label, "count": len(theirs), "comment": bulk.params["reason"]},
                actor_id=actor.pk,
                benchmark_id=bulk.benchmark_id,
                target_type="item",
                target_id=theirs[0].target_id,
            )
