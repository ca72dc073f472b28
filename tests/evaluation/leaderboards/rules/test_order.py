"""Gaps between groups, and the order of systems."""

from evaluation.leaderboards.rules import board_order, gaps
from evaluation.metrics.intervals import wilson


def score(group, value, *, scope="t2i", metric="R@1", group_by="distance"):
    """A share of 16 trials with Wilson's interval."""
    line = {"scope": scope, "metric": metric, "group_by": group_by, "group": group, "value": value}
    if value is None:
        return line | {"low": None, "high": None, "interval": None}
    return line | dict(zip(("low", "high", "interval"), wilson(round(value * 16), 16), strict=True))


def test_a_gap_is_the_best_group_less_the_worst():
    scores = [
        score("", 0.5, group_by=""),
        score("coco", 0.75),
        score("moderate", 0.5),
        score("closest", 0.25),
        score("-", 0.0),  # no group
        score("coco", 0.5, metric="R@5"),
        score("closest", 0.5, metric="R@5"),
        score("coco", 0.5, scope="i2t"),
        score("closest", None, scope="i2t"),
    ]
    rows = [gap._asdict() for gap in gaps(scores)]
    # Worked by hand from Wilson's intervals of 12, 4 and 8 of 16: 0.5050 to 0.8982, 0.1018 to 0.4950, 0.28 to 0.72:
    # the root of 0.2450² + 0.2450² below 0.5, of 0.1482² + 0.1482² above it.
    ends = [(round(gap.pop("low"), 4), round(gap.pop("high"), 4)) for gap in rows]
    assert ends == [(0.1535, 0.7096), (-0.3111, 0.3111)]
    assert {gap.pop("interval") for gap in rows} == {"square-and-add/wilson"}
    assert rows == [
        {"scope": "t2i", "metric": "R@1", "group_by": "distance", "gap": 0.5, "highest": "coco", "lowest": "closest"},
        {
            "scope": "t2i",
            "metric": "R@5",
            "group_by": "distance",
            "gap": 0.0,
            "highest": "closest",
            "lowest": "coco",  # two groups, though they are equal
        },
    ]


def row(name, run, *values):
    scores = [score("", value, group_by="", metric=f"R@{k}") for k, value in enumerate(values)]
    return {"system": {"name": name, "revision": "1"}, "run": run, "scores": scores}


def test_systems_stand_by_what_they_score_first_and_unscored_ones_last():
    rows = [row("d", 1), row("c", 2, 0.5, 0.5), row("b", 3, None, 0.9), row("a", 4, 0.5, 0.5), row("e", 5, 0.5, 0.6)]
    assert [r["system"]["name"] for r in sorted(rows, key=board_order)] == ["e", "a", "c", "b", "d"]
