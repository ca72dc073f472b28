"""The pair track: one person writes on accepted work, and a second one finds what is meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db.models import Q, QuerySet

from annotation.bases.errors import BaseChanged
from annotation.items.models import Item, ItemRevision
from annotation.items.queries import context_of
from annotation.items.tracks import Held, Place, Track
from annotation.judging.queries import unseen_of_panels
from annotation.judging.services import drop_judging
from annotation.pair.services.rounds import open_round
from annotation.peer import access
from annotation.peer.states import PAIR as TABLE
from annotation.seats import services as seats
from curation.benchmarks.models import Benchmark
from curation.people.models import Person


class _Pairs:
    name = Item.Track.PAIR.value
    table = TABLE
    by_team = False
    chooses_slots = True
    takes_imported_drafts = False  # a person would not find it: drafts are opened by their author alone

    def opens(self, person: Person) -> Q:
        return access.pair_items_opened_to(person)

    def shows_picture(self, person: Person) -> Q:
        return access.pair_pictures_shown_to(person)

    def annotated(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return rows

    def place(self, item: Any) -> Place | None:
        return None

    def actions(self, person: Person, item: Any) -> list[str]:
        row = access.team_items(person.pk, Item.Track.PAIR).get(pk=item.pk)
        return access.actions(person, access.involvement(person, row))

    def unseen_verdicts(self, person: Person, benchmark_id: int, kind: str) -> Q:
        return unseen_of_panels(person)

    def lock(self, person: Person, item_id: int, operation: str) -> Held:
        involved = access.lock_item_for(person, item_id, operation, track=Item.Track.PAIR)
        action = access.check_action(person, involved, operation)
        item, base = involved.item, involved.item.base_of
        if operation == "item_submit" and not base["current"]:
            raise BaseChanged
        return Held(
            item,
            item.benchmark.protocol_id,
            context_of(item.benchmark.protocol_id, item.kind, **item.facts, base=base["content"]),
            item.guidelines,
            place=involved,
            ids={"base_id": base["item_id"]},
            action=action,
        )

    def written(self, held: Held, revision: ItemRevision) -> None:
        open_round(held.item)

    def imported(self, item: Item, revision: ItemRevision) -> None:
        open_round(item)

    def excluded(self, item: Item) -> None:
        seats.delete_open_seats([item.pk])
        drop_judging(item)

    def complete_import(
        self, *, actor: Person, benchmark: Benchmark, kind: str, data: Mapping[str, Any], heartbeat: Callable[[], None]
    ) -> None:
        return None


TRACK: Final[Track] = _Pairs()
