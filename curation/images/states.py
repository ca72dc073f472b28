"""The states of a picture and of its tick.

Curators may reverse a decision in both directions; every decision stays on record. Covering something makes a new
version of the picture, which nobody has looked at yet: it loses its tick.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from curation.core.transitions import SYSTEM, Table, move, stay


class Relation(StrEnum):
    """A person's relation to a picture."""

    CONTRIBUTOR = "contributor"
    NOT_CONTRIBUTOR = "not_the_contributor"
    CURATOR = "a_curator_or_administrator"


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
    "share": stay("received accepted", "image_share", Relation.CONTRIBUTOR),
    "cover": stay("received accepted refused withdrawn", "image_cover"),
}

# Of the tick: whether anybody has looked at the current version for what may not be seen.
TICKS: Final[Table] = {
    "cover": move("unticked", "unticked", "image_cover"),
    "cover_more": move("shared clear", "unticked", "image_cover", Relation.CURATOR),
    "share": move("unticked", "shared", "image_share", Relation.CONTRIBUTOR),
    "clear": move("unticked shared", "clear", "image_clear", _NOT_CONTRIBUTOR),
    # A detector added a region that the person who ticked the picture did not decide on.
    "reopen": move("shared clear", "unticked", "image_search", SYSTEM),
}
