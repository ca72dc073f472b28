"""Limits of submissions, and which figures may be shown."""

import pytest

from evaluation.submissions.queries import breakdowns, figures
from evaluation.submissions.rules import most_rows, publishable_groups
from evaluation.suites.rules import evaluated_splits


@pytest.mark.parametrize(
    ("release", "splits"),
    [({"withheld": ["valid", "test"]}, ("valid", "test")), ({"withheld": []}, ("test",)), ({}, ("test",))],
)
def test_withheld_splits_are_evaluated_else_the_test_split(release, splits):
    assert evaluated_splits(release) == splits


def test_rows_are_limited_by_the_expected_ids():
    assert (most_rows(10), most_rows(50_000)) == (1_000, 500_000)


def test_figures_name_their_direction_and_directions_break_nothing_down():
    one = {"value": 0.5, "low": 0.1, "high": 0.9, "n": 2}
    metrics = dict.fromkeys(("i2t R@10", "i2t R@1", "t2i R@1"), one)
    report = {
        "metrics": metrics,
        "breakdowns": {
            "type": {"i2t": {"n": 2, "metrics": metrics}},
            "category": {"lantern": {"n": 3, "metrics": {"accuracy": one}}},
        },
    }
    assert figures(metrics) == [
        {"scope": "t2i", "metric": "R@1", **one, "chance": None},
        {"scope": "i2t", "metric": "R@1", **one, "chance": None},
        {"scope": "i2t", "metric": "R@10", **one, "chance": None},
    ]
    assert breakdowns(report["breakdowns"]) == [
        {
            "by": "category",
            "groups": [
                {"group": "lantern", "n": 3, "figures": [{"scope": "", "metric": "accuracy", **one, "chance": None}]}
            ],
        }
    ]


def test_a_group_needs_enough_answers_for_each_of_its_metrics():
    def part(**ns):
        return {"n": sum(ns.values()), "metrics": {name: {"n": n} for name, n in ns.items()}}

    tea, panda, boat = part(t2i=30, i2t=6), part(t2i=30, i2t=5), part(t2i=30, i2t=0)
    report = {
        "metrics": part(t2i=90, i2t=11)["metrics"] | {"macro": {"value": 1}},
        "breakdowns": {"category": {"tea": tea, "panda": panda, "boat": boat}},
    }
    assert publishable_groups(report, 0) == report["breakdowns"]
    assert publishable_groups(report, 5) == report["breakdowns"]  # boats have no answers of that direction to reveal
    # With a figure for teas alone, those of pandas would follow.
    assert publishable_groups(report, 6) == {"category": {"boat": boat}}
