"""Life of a package."""

from curation.core.transitions import Table, move

TABLE: Table = {
    "claim": move("available", "working", "package_claim"),
    "resume": move("returned", "working", "package_resume"),
    "hand_over": move("working", "handed_over", "package_hand_over"),
    "take_review": move("handed_over", "reviewing", "package_review_take"),
    "send_back": move("reviewing", "returned", "package_review_complete"),
    "draw": move("reviewing", "inspecting", "package_review_complete"),
    "pass": move("inspecting", "passed", "package_inspection_complete"),
    "fail": move("inspecting", "returned", "package_inspection_complete"),
    # Every picture in it was withdrawn.
    "empty": move("available working handed_over reviewing returned", "withdrawn", "image_take_down"),
}
