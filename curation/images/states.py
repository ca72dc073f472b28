"""Life of a picture. A curator may change their mind in both directions; every decision stays on record."""

from __future__ import annotations

from typing import Final

from curation.core.transitions import Table, move

TABLE: Final[Table] = {
    "accept": move("received refused", "accepted", "image_judge"),
    "refuse": move("received accepted", "refused", "image_judge"),
    "take_down": move("received accepted", "withdrawn", "image_take_down"),
    # Back to where it was taken down from.
    "restore_received": move("withdrawn", "received", "image_restore"),
    "restore_accepted": move("withdrawn", "accepted", "image_restore"),
}
