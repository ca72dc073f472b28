"""What the packages' table offers each relation in each state, written out: a change of the table is a change here."""

import pytest

from annotation.items.states import Relation
from annotation.packages import states
from annotation.packages.access import relations
from curation.core.transitions import available_actions

ASSIGNEE, REVIEWER, OTHER = 1, 2, 3
TEAM = {"assignee_id": ASSIGNEE, "reviewer_id": REVIEWER}
WRITING = ["draft_save", "item_submit", "item_skip", "package_self_check"]
REVOKE = "package_take_back"
# State, then what the assignee, the reviewer of this or the last round, and everybody else may do there.
OFFERED = {
    "available": (
        ["package_assign", "package_withdraw"],
        ["package_assign", "package_withdraw"],
        ["package_claim", "package_assign", "package_withdraw"],
    ),
    "assigned": (
        [REVOKE, "package_claim", "package_withdraw", "work_next"],
        [REVOKE, "package_withdraw"],
        [REVOKE, "package_withdraw"],
    ),
    "working": ([REVOKE, "package_hand_over", "work_next", *WRITING], [REVOKE], [REVOKE]),
    "handed_over": (["work_next"], ["package_review_take"], ["package_review_take"]),
    "reviewing": (["work_next"], ["package_review_complete", "item_review", "item_skip_decide"], []),
    "inspecting": (["work_next"], [], ["package_inspection_complete", "item_inspect", "inspection_show"]),
    "returned": ([REVOKE, "package_resume", "work_next"], [REVOKE], [REVOKE]),
    "passed": (["work_next", "inspection_show"], ["inspection_show"], ["inspection_show"]),
    "withdrawn": (["work_next"], [], []),
}
# Where items are judged from pools, the package as a whole is reviewed and inspected by nobody.
OFFERED_IN_POOLS = OFFERED | {
    "reviewing": (["work_next"], ["package_review_complete"], []),
    "inspecting": (["work_next"], [], ["inspection_show"]),
}
SEAT_HOLDERS = {"reviewing": ["item_review", "item_skip_decide"], "inspecting": ["item_inspect", "inspection_show"]}


@pytest.mark.parametrize("state", OFFERED)
@pytest.mark.parametrize(
    ("pools", "expected"), [(False, OFFERED), (True, OFFERED_IN_POOLS)], ids=["one judge", "pools"]
)
def test_what_each_relation_is_offered(state, pools, expected):
    table = states.table_with(review_pool=pools, inspection_pool=pools)
    for person, offered in zip((ASSIGNEE, REVIEWER, OTHER), expected[state], strict=True):
        theirs = relations(person, **TEAM)
        assert available_actions(table, state, may=lambda _: True, relations=theirs) == offered


@pytest.mark.parametrize("state", SEAT_HOLDERS)
def test_whoever_holds_a_seat_judges_in_pools_only(state):
    theirs = relations(OTHER, **TEAM) | {Relation.SEAT_HOLDER}
    pooled = states.table_with(review_pool=True, inspection_pool=True)
    assert available_actions(pooled, state, may=lambda _: True, relations=theirs) == SEAT_HOLDERS[state]
    own = relations(ASSIGNEE, **TEAM) | {Relation.SEAT_HOLDER}
    assert available_actions(pooled, state, may=lambda _: True, relations=own) == ["work_next"]
    outside = available_actions(states.TABLE, state, may=lambda _: True, relations=theirs)
    assert outside == OFFERED[state][2]


def test_every_state_is_pinned():
    assert set(OFFERED) == {state for row in states.TABLE.values() for state in (*row.sources, row.target) if state}


@pytest.mark.parametrize("table", [states.TABLE, states.REVIEW_POOL, states.INSPECTION_POOL])
def test_moves_that_share_operation_and_state_ask_for_the_same(table):
    asked = {}
    for row in table.values():
        for state in row.sources:
            assert asked.setdefault((row.operation, state), row.by) == row.by
