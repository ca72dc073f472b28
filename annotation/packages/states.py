"""Life of a package: its moves, the work on its items in each state, and who may do either."""

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
    "take_back": move("working returned", "available", "package_take_back"),
    "withdraw": move("available assigned", "withdrawn", "package_withdraw"),
    "resume": move("returned", "working", "package_resume", _ASSIGNEE),
    "hand_over": move("working", "handed_over", "package_hand_over", _ASSIGNEE),
    # The protocol has every item reviewed from a pool, so no reviewer takes the package.
    "open_pool": move("handed_over", "reviewing", "package_hand_over", SYSTEM),
    # A former reviewer may take it again in the next round.
    "take_review": move("handed_over", "reviewing", "package_review_take", _NOT_ASSIGNEE),
    "send_back": move("reviewing", "returned", "package_review_complete", _REVIEWER),
    "draw": move("reviewing", "inspecting", "package_review_complete", _REVIEWER),
    # Every item was skipped, and the reviewer agreed each time.
    "dissolve": move("reviewing", "withdrawn", "package_review_complete", _REVIEWER),
    "pass": move("inspecting", "passed", "package_inspection_complete", _UNINVOLVED),
    "fail": move("inspecting", "returned", "package_inspection_complete", _UNINVOLVED),
    # Every picture in it was withdrawn.
    "empty": move("available assigned working handed_over reviewing returned", "withdrawn", "image_take_down", SYSTEM),
    # Assignees may look at their desk in every state: a desk left open must not fail once the package is handed over.
    "open_desk": stay(
        "assigned working handed_over reviewing inspecting returned passed withdrawn", "work_next", _ASSIGNEE
    ),
    "save_draft": stay("working", "draft_save", _ASSIGNEE),
    "submit_item": stay("working", "item_submit", _ASSIGNEE),
    "skip_item": stay("working", "item_skip", _ASSIGNEE),
    "self_check": stay("working", "package_self_check", _ASSIGNEE),
    # The first relation is there for its refusal: assignees are told that it is their own work.
    "review_item": stay("reviewing", "item_review", _NOT_ASSIGNEE, _REVIEWER),
    "decide_skip": stay("reviewing", "item_skip_decide", _NOT_ASSIGNEE, _REVIEWER),
    "inspect_item": stay("inspecting", "item_inspect", _UNINVOLVED),
    # The draw is hidden from those it judges until it is decided.
    "show_draw": stay("inspecting", "inspection_show", _UNINVOLVED),
    "show_result": stay("passed", "inspection_show"),
}

# Rows that differ where the protocol has items judged from a pool.
REVIEW_POOL: Table = {
    "review_item": stay("reviewing", "item_review", _NOT_ASSIGNEE, Relation.SEAT_HOLDER),
    "decide_skip": stay("reviewing", "item_skip_decide", _NOT_ASSIGNEE, Relation.SEAT_HOLDER),
}
INSPECTION_POOL: Table = {
    "inspect_item": stay("inspecting", "item_inspect", _UNINVOLVED, Relation.SEAT_HOLDER),
    # The inspection ends with its last seat.
    "pass": move("inspecting", "passed", "package_inspection_complete", _UNINVOLVED, SYSTEM),
    "fail": move("inspecting", "returned", "package_inspection_complete", _UNINVOLVED, SYSTEM),
}
_TABLES = {
    (review, inspection): {**TABLE, **(REVIEW_POOL if review else {}), **(INSPECTION_POOL if inspection else {})}
    for review in (False, True)
    for inspection in (False, True)
}


def table_with(*, review_pool: bool, inspection_pool: bool) -> Table:
    """The life cycle of a package whose items are judged from pools, or by one person each."""
    return _TABLES[review_pool, inspection_pool]
