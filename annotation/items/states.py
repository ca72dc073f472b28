"""Life of an item."""

from curation.core.transitions import Table, move

TABLE: Table = {
    "submit": move("todo made skipped returned", "made", "item_submit"),
    "skip": move("todo returned", "skipped", "item_skip"),
    "correct": move("made", "made", "item_review"),
    "send_back": move("made", "returned", "package_review_complete"),
    # The reviewer agrees that an item was rightly skipped, or wants it written.
    "set_aside": move("skipped", "excluded", "item_skip_decide"),
    "insist": move("skipped", "returned", "item_skip_decide"),
    "fail": move("made", "returned", "package_inspection_complete"),
    "accept": move("made", "accepted", "package_inspection_complete"),
    # Its picture was withdrawn, or restored: what had been written is then looked at anew.
    "exclude": move("todo made skipped returned accepted", "excluded", "image_take_down"),
    "readmit": move("excluded", "todo", "image_restore"),
    "readmit_written": move("excluded", "returned", "image_restore"),
}
