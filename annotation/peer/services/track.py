"""The peer track: a team writes on its own pictures, and a colleague's star accepts an item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db.models import Q, QuerySet

from annotation.items.models import Item, ItemRevision
from annotation.items.queries import context_of, siblings_of
from annotation.items.tracks import Held, Place, Track
from annotation.peer import access
from annotation.peer.rules import PURPOSE
from annotation.peer.services.crediting import keep_credit
from annotation.peer.services.pool import lock_seat
from annotation.peer.states import TABLE
from annotation.seats import services as seats
from curation.benchmarks.models import Benchmark
from curation.people.models import Person
from curation.people.services import notify


class _Peers:
    name = Item.Track.PEER.value
    table = TABLE
    by_team = True
    chooses_slots = True
    takes_imported_drafts = False  # a member would not find it: drafts are opened by their author alone

    def opens(self, person: Person) -> Q:
        return access.items_opened_to(person)

    def shows_picture(self, person: Person) -> Q:
        return access.pictures_shown_to(person)

    def annotated(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return rows

    def place(self, item: Any) -> Place | None:
        return None

    def actions(self, person: Person, item: Any) -> list[str]:
        row = access.team_items(person.pk).get(pk=item.pk)
        return access.actions(person, access.involvement(person, row))

    def unseen_verdicts(self, person: Person, benchmark_id: int, kind: str) -> Q:
        return Q(pk__in=[])

    def lock(self, person: Person, item_id: int, operation: str) -> Held:
        involved = access.lock_item_for(person, item_id, operation)
        action = access.check_action(person, involved, operation)
        item = involved.item
        if action == "edit":
            lock_seat(person, item)
        by_colleague = involved.newest_author not in (None, person.pk)
        return Held(
            item,
            item.benchmark.protocol_id,
            context_of(item.benchmark.protocol_id, item.kind, **item.facts, siblings=siblings_of(item)),
            item.guidelines,
            place=involved,
            ids={"team_id": item.team_id},
            action=action,
            colleagues=item.newest["content"] if by_colleague else None,
        )

    def written(self, held: Held, revision: ItemRevision) -> None:
        item = held.item
        _offer_seat(item, revision)
        if held.place.item.beside_discarded:
            keep_credit(item, revision)
        if held.colleagues is not None:
            notify(
                person_ids=[held.place.newest_author],
                code="item_edited",
                params={"item": item.label},
                actor_id=revision.author_id,
                benchmark_id=item.benchmark_id,
                target_type="item",
                target_id=item.pk,
            )

    def imported(self, item: Item, revision: ItemRevision) -> None:
        _offer_seat(item, revision)

    def excluded(self, item: Item) -> None:
        seats.delete_open_seats([item.pk])

    def complete_import(
        self, *, actor: Person, benchmark: Benchmark, kind: str, data: Mapping[str, Any], heartbeat: Callable[[], None]
    ) -> None:
        return None


def _offer_seat(item: Item, revision: ItemRevision) -> None:
    seats.offer_seat(
        item=item, purpose=PURPOSE, group_id=item.team_id or 0, rank=revision.pk, author_id=revision.author_id
    )


TRACK: Final[Track] = _Peers()
