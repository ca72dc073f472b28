"""Every life cycle: each action from each state, and what the tables promise."""

import importlib
from types import SimpleNamespace

import pytest

from curation.core.errors import ActionNotAllowed
from curation.core.operations import OPERATIONS
from curation.core.transitions import (
    SYSTEM,
    advance,
    available_actions,
    check_state,
    draw,
    move,
    relations_for,
    sources_of,
    stay,
)
from tests.declared import states_of

TABLES = {
    name: importlib.import_module(f"{name}.states").TABLE
    for name in (
        "curation.images",
        "annotation.items",
        "annotation.packages",
        "annotation.seats",
        "annotation.releases",
        "evaluation.runs",
    )
}
CASES = [(name, action, state) for name, table in TABLES.items() for action in table for state in states_of(table)]


@pytest.mark.parametrize(("name", "action", "state"), CASES, ids=lambda v: v)
def test_every_action_from_every_state(name, action, state):
    table = TABLES[name]
    row = SimpleNamespace(state=state)
    if state in table[action].sources:
        assert advance(row, action, table=table) == state
        assert row.state == (table[action].target or state)
    else:
        with pytest.raises(ActionNotAllowed) as refused:
            advance(row, action, table=table)
        assert (row.state, refused.value.params) == (state, {"action": action, "state": state})


@pytest.mark.parametrize("name", TABLES)
def test_every_move_names_an_operation_of_the_permission_table(name):
    assert {t.operation for t in TABLES[name].values()} <= set(OPERATIONS)


ROWS = {
    "write": stay("x y", "type", "writer"),
    "go": move("x", "y", "go", "writer"),
    "stop": move("x y", "z", "stop"),
    "again": move("y", "x", "go", "judge"),
    "end": move("x", "z", "go", SYSTEM),
    "pooled": move("z", "x", "start", "judge", SYSTEM),
}


class TestAvailableActions:
    @pytest.mark.parametrize(
        ("state", "relations", "offered"),
        [
            ("x", {"writer"}, ["type", "go", "stop"]),
            ("x", {"judge"}, ["stop"]),
            ("x", (), ["stop"]),
            ("y", {"judge", "writer"}, ["type", "stop", "go"]),
            ("y", {"writer"}, ["type", "stop"]),
            ("z", {"judge", "writer"}, []),
        ],
    )
    def test_need_the_state_and_every_relation(self, state, relations, offered):
        assert available_actions(ROWS, state, may=lambda _: True, relations=relations) == offered

    def test_need_the_permission_table(self):
        may = ["stop", "type"].__contains__
        assert available_actions(ROWS, "x", may=may, relations={"writer"}) == ["type", "stop"]


@pytest.mark.parametrize(
    ("operation", "state", "relations"),
    [
        ("go", "x", ("writer",)),
        ("go", "y", ("judge",)),
        ("go", "z", ("writer",)),  # no row there: the first one's
        ("stop", "x", ()),
        ("start", "z", ("judge", SYSTEM)),
    ],
)
def test_relations_are_those_of_the_row_in_this_state(operation, state, relations):
    assert relations_for(ROWS, operation, state) == relations


def test_an_operation_is_refused_where_no_person_may_do_it():
    check_state(ROWS, "go", "x")
    check_state(ROWS, "type", "y")
    for operation, state in (("go", "z"), ("type", "z"), ("start", "z")):
        with pytest.raises(ActionNotAllowed) as refused:
            check_state(ROWS, operation, state)
        assert refused.value.params == {"action": operation, "state": state}


def test_sources_are_those_of_every_row():
    assert (sources_of(ROWS, "go"), sources_of(ROWS, "start"), sources_of(ROWS, "x")) == ({"x", "y"}, {"z"}, set())


def test_the_drawing_has_every_arrow_and_says_who():
    drawn = draw("A thing", {"go": move("x y", "z", "op"), "write": stay("x", "type", "not_it", SYSTEM)})
    assert "    x --> z: go\n    y --> z: go\n```" in drawn
    assert "| go | x, y | z | `op` | anyone with the operation |" in drawn
    assert "| write | x | same | `type` | not it and system |" in drawn
