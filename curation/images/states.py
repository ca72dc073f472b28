"""The states of a picture. Curators may reverse a decision in both directions; every decision stays on record."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from curation.core.transitions import Table, move, stay


class Relation(StrEnum):
    """A person's relation to a picture."""

    CONTRIBUTOR = "contributor"
    NOT_CONTRIBUTOR = "not_the_contributor"


_NOT_CONTRIBUTOR = Relation.NOT_CONTRIBUTOR

TABLE: Final[Table] = {
    "accept": move("received refused", "accepted", "image_judge", _NOT_CONTRIBUTOR),
    "refuse": move("received accepted", "refused", "image_judge", _NOT_CONTRIBUTOR),
    "take_down": move("received accepted", "withdrawn", "image_take_down"),
    # Back to the state that it was withdrawn from.
    "restore_received": move("withdrawn", "received", "image_restore"),
    "restore_accepted": move("withdrawn", "accepted", "image_restore"),
    "correct": stay("received accepted", "image_correct"),
    "clear": stay("received accepted refused withdrawn", "image_clear", _NOT_CONTRIBUTOR),
}
