"""A grid of settings: its cells, what fits into a limit, the pace that earlier runs give."""

from decimal import Decimal

import pytest

from curation.calls.rules import MOST_PICTURE_TOKENS, Price
from evaluation.runs.rules import Cell, Chosen, Grid, PaceRow, ms_for, that_fit


def test_the_cells_are_the_product_of_the_lists_those_of_a_system_together():
    grid = Grid(systems=["b", "a"], settings=["direct", "cot"], sides=["content"], pictures=["1/2", "none"])
    cells = list(grid.cells())
    assert (grid.size, len(cells)) == (8, 8)
    assert [(cell.system, cell.chosen.setting) for cell in cells[::2]] == [
        ("b", "direct"),
        ("b", "cot"),
        ("a", "direct"),
        ("a", "cot"),
    ]
    assert [(cell.chosen.picture, cell.chosen.scale) for cell in cells[:2]] == [(True, "1/2"), (False, "1")]


def test_an_empty_list_is_the_default_and_a_repeated_choice_is_one():
    grid = Grid(systems=["a", "a"], languages=["en", "zh-Hans", "en"])
    assert list(grid.cells()) == [Cell("a", Chosen(language="en")), Cell("a", Chosen(language="zh-Hans"))]
    assert Grid(systems=[]).size == 0
    assert list(Grid(systems=["a"]).cells()) == [Cell("a", Chosen())]


def test_examples_come_with_their_set_and_seed_and_none_with_neither():
    cells = list(Grid(systems=["a"], shots=[0, 3], examples=8, seed=7).cells())
    assert cells == [Cell("a", Chosen()), Cell("a", Chosen(shots=3, examples=8, seed=7))]


def test_a_grid_is_kept_as_lists():
    assert Grid(systems=("a",), prompts=(2,)).as_json() == {
        "systems": ["a"],
        "settings": [],
        "means": [],
        "sides": [],
        "languages": [],
        "prompts": [2],
        "pictures": [],
        "shots": [],
        "examples": None,
        "seed": 0,
        "again": False,
    }


@pytest.mark.parametrize(
    ("amounts", "limit", "fits"),
    [
        ([3, 3, 3], 6, [True, True, False]),
        ([5, 3, 2], 5, [True, False, False]),
        ([7, 3, 2, 1], 6, [False, True, True, True]),  # what does not fit takes nothing
        ([0, 0], 0, [True, True]),
        ([], 1, []),
    ],
)
def test_what_fits_is_counted_in_order(amounts, limit, fits):
    assert that_fit(amounts, limit) == fits
    assert that_fit(map(Decimal, amounts), Decimal(limit)) == fits


ROWS = [
    PaceRow(1, "text", "cot", has_picture=True, ms=9_000, entries=3),
    PaceRow(1, "text", "cot", has_picture=False, ms=1_000, entries=1),
    PaceRow(1, "text", "direct", has_picture=True, ms=100, entries=1),
]


@pytest.mark.parametrize(
    ("means", "setting", "has_picture", "ms"),
    [
        ("text", "cot", True, 3_000),
        ("text", "cot", False, 1_000),
        ("text", "direct", False, 100),  # the same setting with pictures is nearer than another
        ("text", "free", True, 10_100 / 5),
        ("likelihood", "cot", True, None),
    ],
)
def test_the_pace_is_that_of_the_nearest_setting(means, setting, has_picture, ms):
    assert ms_for(ROWS, means, setting, has_picture=has_picture) == ms


def test_requests_together_cost_at_least_what_each_costs_at_most():
    price = Price("USD", Decimal("0.15"), Decimal("0.6"), Decimal("0.001"))
    each = [price.highest_cost({"x": "灯" * n}, 10, pictures=1) for n in range(50)]
    size = sum(len(f'{{"x":"{"灯" * n}"}}'.encode()) for n in range(50))
    total = price.highest_total(calls=50, body_bytes=size, max_tokens=10, pictures=50)
    assert sum(each) <= total <= sum(each) + Decimal("0.000001")
    assert total > 50 * MOST_PICTURE_TOKENS * Decimal("0.15") / 1_000_000
