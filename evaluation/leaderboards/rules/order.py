"""Rules of a board: gaps between groups, and the order of systems."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from evaluation.metrics.intervals import Interval, difference
from evaluation.scoring.rules import NO_GROUP

# The order of cultural distance, weakest association first (CVLUE section 3.1).
DISTANCES: Final = ("coco", "moderate", "closest")
DISTANCE_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "coco": {"zh-Hans": "与 MS-COCO 重合", "zh-Hant": "與 MS-COCO 重合", "en": "Overlaps with MS-COCO"},
    "moderate": {"zh-Hans": "文化关联中等", "zh-Hant": "文化關聯中等", "en": "Moderate association"},
    "closest": {"zh-Hans": "文化关联最密切", "zh-Hant": "文化關聯最密切", "en": "Closest association"},
    NO_GROUP: {"zh-Hans": "未分组", "zh-Hant": "未分組", "en": "No group"},
}
NO_CATEGORY: Final[Mapping[str, str]] = {"zh-Hans": "无类别", "zh-Hant": "無類別", "en": "No category"}


class Gap(NamedTuple):
    """The gap between a system's best and worst group, with the 95% interval of that difference."""

    scope: str
    metric: str
    group_by: str
    gap: float
    highest: str
    lowest: str
    low: float
    high: float
    interval: str


def gaps(scores: Iterable[Mapping[str, Any]]) -> list[Gap]:
    """Compute the gap between a system's best and worst group for each scope, metric and grouping.

    Pictures without a group do not count, and a gap needs two groups with a value. Among equal groups the first by
    name counts. The interval is that of the difference between the two groups, whose pictures are disjoint. It does
    not correct for the groups being chosen as the extremes.
    """
    values_by_key: dict[tuple[str, str, str], list[tuple[float, str]]] = defaultdict(list)
    ends: dict[tuple[str, str, str, str], Interval] = {}
    for score in scores:
        if score["group_by"] and score["group"] != NO_GROUP and score["value"] is not None:
            key = (score["scope"], score["metric"], score["group_by"])
            values_by_key[key].append((score["value"], score["group"]))
            ends[*key, score["group"]] = Interval(score["low"], score["high"], score["interval"] or "")
    gaps = []
    for (scope, metric, group_by), values in values_by_key.items():
        if len(values) < 2:
            continue
        highest = min(values, key=lambda v: (-v[0], v[1]))
        lowest = min(values, key=lambda v: (v[0], v[1] == highest[1], v[1]))
        of_both = [ends[scope, metric, group_by, group] for _, group in (highest, lowest)]
        interval = difference(highest[0], of_both[0], lowest[0], of_both[1])
        gaps.append(
            Gap(
                scope=scope,
                metric=metric,
                group_by=group_by,
                gap=highest[0] - lowest[0],
                highest=highest[1],
                lowest=lowest[1],
                low=interval.low,
                high=interval.high,
                interval=interval.method,
            )
        )
    return gaps


def board_order(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Sort key of a system's row: scores over everything, best first, then the name; unscored systems last."""
    whole = {(s["scope"], s["metric"]): s["value"] for s in row["scores"] if not s["group_by"]}
    values = tuple(-value if value is not None else 1.0 for value in whole.values())
    return (not whole, values, row["system"]["name"], row["system"]["revision"], row["run"])
