"""Commands of the category board: proposing categories, deciding about them, and freezing the list."""

from curation.board.services.deciding import add_entry, decide
from curation.board.services.freezing import freeze_board
from curation.board.services.proposing import import_list, save_draft, submit_proposals

__all__ = [
    "add_entry",
    "decide",
    "freeze_board",
    "import_list",
    "save_draft",
    "submit_proposals",
]
