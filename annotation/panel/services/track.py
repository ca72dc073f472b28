"""The panel track: people write on pictures of their choice, and several others judge each item independently."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db.models import Q, QuerySet

from annotation.items.models import Item, ItemRevision
from annotation.items.queries import context_of, siblings_of
from annotation.items.tracks import Held, Place, Track
from annotation.judging.queries import unseen_of_panels
from annotation.judging.rules import PANEL
from annotation.judging.services import drop_judging, open_judging
from annotation.peer import access
from annotation.peer.states import PANEL as TABLE
from annotation.seats import services as seats
from curation.benchmarks.models import Benchmark
from curation.people.models import Person


class _Panels:
    name = Item.Track.PANEL.value
    table = TABLE
    by_team = False
    chooses_slots = True
    takes_imported_drafts = False  # a person would not find it: drafts are opened by their author alone

    def opens(self, person: Person) -> Q:
        return access.panel_items_opened_to(person)

    def shows_picture(self, person: Person) -> Q:
        return access.panel_pictures_shown_to(person)

    def annotated(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return rows

    def place(self, item: Any) -> Place | None:
        return None

    def actions(self, person: Person, item: Any) -> list[str]:
        row = access.team_items(person.pk, Item.Track.PANEL).get(pk=item.pk)
        return access.actions(person, access.involvement(person, row))

    def unseen_verdicts(self, person: Person, benchmark_id: int, kind: str) -> Q:
        return unseen_of_panels(person)

    def lock(self, person: Person, item_id: int, operation: str) -> Held:
        involved = access.lock_item_for(person, item_id, operation, track=Item.Track.PANEL)
        action = access.check_action(person, involved, operation)
        item = involved.item
        return Held(
            item,
            item.benchmark.protocol_id,
            context_of(item.benchmark.protocol_id, item.kind, **item.facts, siblings=siblings_of(item)),
            item.guidelines,
            place=involved,
            action=action,
        )

    def written(self, held: Held, revision: ItemRevision) -> None:
        _open_judging(held.item, held.protocol_id)

    def imported(self, item: Item, revision: ItemRevision) -> None:
        _open_judging(item, revision.protocol_id)

    def excluded(self, item: Item) -> None:
        seats.delete_open_seats([item.pk])
        drop_judging(item)

    def complete_import(
        self, *, actor: Person, benchmark: Benchmark, kind: str, data: Mapping[str, Any], heartbeat: Callable[[], None]
    ) -> None:
        return None


def _open_judging(item: Item, protocol_id: int) -> None:
    """Open the judging of a new revision, with a seat for each of the people that the protocol asks for."""
    settings = access.panel_settings(protocol_id, item.kind)
    seats.delete_open_seats([item.pk])
    opened = open_judging(
        item,
        form=[field.model_dump(mode="json", by_alias=True) for field in settings.form],
        people=settings.people,
    )
    seats.open_seats(
        benchmark_id=item.benchmark_id,
        kind=item.kind,
        purpose=PANEL,
        group_id=opened.pk,
        round_no=opened.no,
        places=[(item.pk, 1)],
        people=opened.people,
    )


TRACK: Final[Track] = _Panels()
