"""Where a row's text goes: the team that it is for, and the slot of its picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from annotation.imports import queries
from annotation.imports.models import Import
from annotation.imports.queries import ExistingItem
from annotation.imports.rules import Fault, Row, TeamReference
from annotation.items.models import FREES_SLOT, Item
from curation.images.models import Image
from curation.people.models import Team


class ValidRow(NamedTuple):
    """A row whose picture may be annotated and whose texts may be stored."""

    row: Row
    image: Image
    content: dict[str, Any]
    slot: int

    @property
    def place(self) -> tuple[int, int]:
        """The picture's id and the slot, which identify an item of the kind."""
        return self.image.pk, self.slot


def check_team(imported: Import, row: Row, image: Image, teams: Sequence[Team] | None) -> Fault | None:
    """Check that a picture belongs to the team that the row or the whole import names.

    Args:
        imported: The import, with its team as it is now.
        row: The row.
        image: The row's picture.
        teams: The benchmark's open teams; None where the kind is not worked on by teams, so that rows name none.
    """
    team = imported.team
    if team is not None and team.closed_at is not None:
        return Fault("team_closed", {"team": team.name})
    if teams is not None and row.team is not None:
        own = next((t for t in teams if _matches(t, row.team)), None)
        if own is None:
            return _unknown(row.team)
        if team is not None and own.pk != team.pk:
            return Fault("team_differs", {"team": own.name, "chosen": team.name})
        team = own
    if team is None:
        return None if teams is None else Fault("team_not_named", {})
    if image.team_id != team.pk:
        return Fault("image_of_other_team", {"image": image.label, "team": team.name})
    return None


def _matches(team: Team, reference: TeamReference) -> bool:
    if reference.pair or reference.name:
        return reference.pair in ("", team.pair) and reference.name in ("", team.name)
    return team.language == reference.language and reference.country in (team.country or {}).values()


def _unknown(reference: TeamReference) -> Fault:
    if reference.name:
        return Fault("team_unknown", {"team": reference.name[:120]})
    pair = reference.pair or f"{reference.country} ({reference.language})"
    return Fault("pair_unknown", {"pair": pair[:120]})


def choose_slots(
    imported: Import, rows: Sequence[ValidRow], existing: Mapping[tuple[int, int], ExistingItem], maximum: int
) -> tuple[list[ValidRow], dict[int, tuple[Item | None, Fault]]]:
    """Give each row without a slot the item with its text, or the first free slot of its picture.

    A text that was imported before keeps its item, also after colleagues changed it, so that a repeated import creates
    nothing.

    Args:
        imported: The import.
        rows: Rows on pictures of teams.
        existing: The items of these pictures, except discarded ones, by picture and slot.
        maximum: The most items of the kind on a picture.

    Returns:
        The rows with their slots, and for each other row, by its line, the item and why it is rejected.
    """
    known: dict[int, list[tuple[Mapping[str, Any], Item | None, int]]] = {}
    used: dict[int, set[int]] = {}
    for (image_id, slot), one in existing.items():
        used.setdefault(image_id, set()).add(slot)
        if one.content is not None:
            known.setdefault(image_id, []).append((one.content, one.item, slot))
    for text in queries.imported_texts(imported.benchmark_id, imported.kind, [row.image.pk for row in rows]):
        known.setdefault(text.item.image_id, []).append((text.content, text.item, text.item.slot))
    placed: list[ValidRow] = []
    refused: dict[int, tuple[Item | None, Fault]] = {}
    for row in rows:
        texts = known.setdefault(row.image.pk, [])
        taken = used.setdefault(row.image.pk, set())
        same = [(item, slot) for content, item, slot in texts if content == row.content]
        kept = [slot for item, slot in same if item is None or item.excluded_for not in FREES_SLOT]
        if same and not kept:
            item = same[0][0]
            params = {"item": item.label, "state": item.state} if item else {}
            refused[row.row.line] = (item, Fault("item_set_aside", params))
            continue
        slot = row.slot
        if row.row.slot is None:
            free = (n for n in range(maximum) if n not in taken)
            slot = kept[0] if kept else next(free, maximum)
        if slot >= maximum and slot not in taken:
            refused[row.row.line] = (None, Fault("picture_full", {"image": row.image.label, "maximum": maximum}))
            continue
        taken.add(slot)
        texts.append((row.content, None, slot))
        placed.append(row._replace(slot=slot))
    return placed, refused
