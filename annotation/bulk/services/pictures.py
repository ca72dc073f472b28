"""Correcting the category or the licence of many pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from annotation.bulk.errors import BulkNoChange, BulkNothingBefore, BulkTargetChanged
from annotation.bulk.models import Bulk, BulkTarget
from annotation.bulk.services.action import Checked, in_blocks, key_of
from curation.benchmarks.models import Benchmark
from curation.images import queries, services
from curation.images.access import lock_image_for
from curation.images.models import Image
from curation.people.models import Person


class Correct:
    """Sets one field, ``category`` or ``licence``."""

    def __init__(self, name: str) -> None:
        self.name = name

    def rows(
        self, actor: Person, benchmark: Benchmark, *, ids: Sequence[int] | None, filters: dict[str, Any], limit: int
    ) -> list[int]:
        return queries.listed_image_ids(actor, benchmark, ids=ids, limit=limit, filters=queries.ImageFilters(**filters))

    def check(
        self, actor: Person, benchmark: Benchmark, ids: Sequence[int], params: Mapping[str, Any]
    ) -> Iterator[Checked]:
        value = params[self.name]
        for block in in_blocks(ids):
            images = Image.objects.filter(pk__in=block).select_related("category").order_by("pk")
            refusals = services.correction_refusals(actor, benchmark, images, **{self.name: value})
            for image in images:
                current = self._current(image)
                refusal = refusals.get(image.pk) or (BulkNoChange() if current == value else None)
                yield Checked(image.pk, image.label, {self.name: current}, refusal)

    def apply(self, actor: Person, target: BulkTarget, params: Mapping[str, Any], client_key: UUID) -> None:
        self._change(actor, target, target.was[self.name], params[self.name], client_key)

    def undo(self, actor: Person, target: BulkTarget, params: Mapping[str, Any], client_key: UUID) -> None:
        if not target.was[self.name]:
            raise BulkNothingBefore
        # Somebody may have corrected it twice since, back to the same value.
        if queries.last_correction_key(target.target_id, self.name) != key_of(target, "apply"):
            raise BulkTargetChanged
        self._change(actor, target, params[self.name], target.was[self.name], client_key)

    def notify(self, bulk: Bulk, actor: Person, outcome: str) -> None:
        """Nobody is notified, as after the correction of a single picture."""

    def _current(self, image: Image) -> str:
        if self.name == "licence":
            return image.licence
        return image.category.slug if image.category else ""

    def _change(self, actor: Person, target: BulkTarget, expected: str, value: str, client_key: UUID) -> None:
        if self._current(lock_image_for(actor, target.target_id, "image_correct")) != expected:
            raise BulkTargetChanged
        values = {"category": "", "licence": "", self.name: value}
        services.correct_image(
            actor=actor,
            image_id=target.target_id,
            client_key=client_key,
            category=values["category"],
            licence=values["licence"],
        )
