"""Life of an item."""

from curation.core.transitions import Table, move

TABLE: Table = {
    "submit": move("todo made returned", "made", "item_submit"),
    "correct": move("made", "made", "item_review"),
    "send_back": move("made", "returned", "package_review_complete"),
    "fail": move("made", "returned", "package_inspection_complete"),
    "accept": move("made", "accepted", "package_inspection_complete"),
}
