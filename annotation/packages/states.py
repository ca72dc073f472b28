"""Life of a package."""

from curation.core.transitions import Table, move

TABLE: Table = {
    "claim": move("available", "working", "package_claim"),
    "assign": move("available", "assigned", "package_assign"),
    "unassign": move("assigned", "available", "package_take_back"),
    "claim_assigned": move("assigned", "working", "package_claim"),
    "take_back": move("working returned", "available", "package_take_back"),
    "withdraw": move("available assigned", "withdrawn", "package_withdraw"),
    "resume": move("returned", "working", "package_resume"),
    "hand_over": move("working", "handed_over", "package_hand_over"),
    # The protocol has every item reviewed from a pool, so the package waits for nobody.
    "open_pool": move("handed_over", "reviewing", "package_hand_over"),
    "take_review": move("handed_over", "reviewing", "package_review_take"),
    "send_back": move("reviewing", "returned", "package_review_complete"),
    "draw": move("reviewing", "inspecting", "package_review_complete"),
    # Every item was skipped, and the reviewer agreed each time.
    "dissolve": move("reviewing", "withdrawn", "package_review_complete"),
    "pass": move("inspecting", "passed", "package_inspection_complete"),
    "fail": move("inspecting", "returned", "package_inspection_complete"),
    # Every picture in it was withdrawn.
    "empty": move("available assigned working handed_over reviewing returned", "withdrawn", "image_take_down"),
}
