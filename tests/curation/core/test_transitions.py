"""Every life cycle: each action from each state, and what the tables promise."""

import importlib
from types import SimpleNamespace

import pytest

from curation.core.errors import ActionNotAllowed
from curation.core.transitions import advance, available_actions, draw, move, states_of
from curation.people.rules import PERMISSIONS

TABLES = {
    name: importlib.import_module(f"{name}.states").TABLE
    for name in ("curation.images", "annotation.items", "annotation.packages", "annotation.releases")
}
CASES = [(name, action, state) for name, table in TABLES.items() for action in table for state in states_of(table)]


@pytest.mark.parametrize(("name", "action", "state"), CASES, ids=lambda v: v)
def test_every_action_from_every_state(name, action, state):
    table = TABLES[name]
    row = SimpleNamespace(state=state)
    if state in table[action].sources:
        assert advance(row, action, table=table) == state
        assert row.state == table[action].target
    else:
        with pytest.raises(ActionNotAllowed) as refused:
            advance(row, action, table=table)
        assert (row.state, refused.value.params) == (state, {"action": action, "state": state})


@pytest.mark.parametrize("name", TABLES)
def test_every_move_names_an_operation_of_the_permission_table(name):
    assert {t.operation for t in TABLES[name].values()} <= set(PERMISSIONS)


def test_buttons_are_what_one_may_do_from_here():
    table = {"a": move("x", "y", "go"), "b": move("x y", "z", "stop"), "c": move("x", "z", "go")}
    assert available_actions(table, "x", lambda operation: True) == ["go", "stop"]
    assert available_actions(table, "x", lambda operation: operation == "stop") == ["stop"]
    assert available_actions(table, "z", lambda operation: True) == []


def test_the_drawing_has_every_arrow():
    drawn = draw("A thing", {"go": move("x y", "z", "op")})
    assert "    x --> z: go\n    y --> z: go" in drawn
