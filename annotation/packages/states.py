"""The state table of packages: moves, the work on items that each state allows, and who may do either."""

from annotation.items.states import Relation
from curation.core.transitions import SYSTEM, Table, move, stay

_ASSIGNEE = Relation.ASSIGNEE
_REVIEWER = Relation.REVIEWER
_UNINVOLVED = Relation.UNINVOLVED
_NOT_ASSIGNEE = Relation.NOT_ASSIGNEE

TABLE: Table = {
    "claim": move("available", "working", "package_claim", _UNINVOLVED),
    "assign": move("available", "assigned", "package_assign"),
    "unassign": move("assigned", "available", "package_take_back"),
    "claim_assigned": move("assigned", "working", "package_claim", _ASSIGNEE),
    "revoke": move("working returned", "available", "package_take_back"),
    "withdraw": move("available assigned", "withdrawn", "package_withdraw"),
    "resume": move("returned", "working", "package_resume", _ASSIGNEE),
    "submit": move("working", "handed_over", "package_hand_over", _ASSIGNEE),
    # With a review pool the package has no reviewer: its review starts with the submission.
    "open_pool": move("handed_over", "reviewing", "package_hand_over", SYSTEM),
    # A former reviewer may review it again in the next round.
    "start_review": move("handed_over", "reviewing", "package_review_take", _NOT_ASSIGNEE),
    "return": move("reviewing", "returned", "package_review_complete", _REVIEWER),
    "draw": move("reviewing", "inspecting", "package_review_complete", _REVIEWER),
    # Every item was skipped, and the reviewer agreed each time.
    "dissolve": move("reviewing", "withdrawn", "package_review_complete", _REVIEWER),
    "pass": move("inspecting", "passed", "package_inspection_complete", _UNINVOLVED),
    "fail": move("inspecting", "returned", "package_inspection_complete", _UNINVOLVED),
    # Every picture in it was withdrawn.
    "empty": move("available assigned working handed_over reviewing returned", "withdrawn", "image_take_down", SYSTEM),
    # Assignees may open their desk in every state: a desk left open must not fail after the package is submitted.
    "open_desk": stay(
        "assigned working handed_over reviewing inspecting returned passed withdrawn", "work_next", _ASSIGNEE
    ),
    "save_draft": stay("working", "draft_save", _ASSIGNEE),
    "submit_item": stay("working", "item_submit", _ASSIGNEE),
    "skip_item": stay("working", "item_skip", _ASSIGNEE),
    "self_check": stay("working", "package_self_check", _ASSIGNEE),
    # NOT_ASSIGNEE comes first so that assignees get the error OwnWork.
    "review_item": stay("reviewing", "item_review", _NOT_ASSIGNEE, _REVIEWER),
    "decide_skip": stay("reviewing", "item_skip_decide", _NOT_ASSIGNEE, _REVIEWER),
    "inspect_item": stay("inspecting", "item_inspect", _UNINVOLVED),
    # Until the inspection ends, people who wrote or reviewed in the package do not see the draw.
    "show_draw": stay("inspecting", "inspection_show", _UNINVOLVED),
    "show_result": stay("passed", "inspection_show"),
}

# Rows that differ under protocols with pools.
REVIEW_POOL: Table = {
    "review_item": stay("reviewing", "item_review", _NOT_ASSIGNEE, Relation.SEAT_HOLDER),
    "decide_skip": stay("reviewing", "item_skip_decide", _NOT_ASSIGNEE, Relation.SEAT_HOLDER),
}
INSPECTION_POOL: Table = {
    "inspect_item": stay("inspecting", "item_inspect", _UNINVOLVED, Relation.SEAT_HOLDER),
    # The inspection ends when its last seat is done.
    "pass": move("inspecting", "passed", "package_inspection_complete", _UNINVOLVED, SYSTEM),
    "fail": move("inspecting", "returned", "package_inspection_complete", _UNINVOLVED, SYSTEM),
}
_TABLES = {
    (review, inspection): {**TABLE, **(REVIEW_POOL if review else {}), **(INSPECTION_POOL if inspection else {})}
    for review in (False, True)
    for inspection in (False, True)
}


def table_with(*, review_pool: bool, inspection_pool: bool) -> Table:
    """The state table of a package, by whether its items are reviewed and inspected from pools."""
    return _TABLES[review_pool, inspection_pool]
