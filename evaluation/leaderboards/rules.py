"""What a board says beyond single scores: gaps between groups, who stands first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from evaluation.metrics.intervals import Interval, difference
from evaluation.scoring.rules import NO_GROUP

# The order of cultural distance, weakest association first (CVLUE section 3.1).
DISTANCES: Final = ("coco", "moderate", "closest")
DISTANCE_NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "coco": {"zh-Hans": "与 MS-COCO 重合", "zh-Hant": "與 MS-COCO 重合", "en": "Overlaps with MS-COCO"},
    "moderate": {"zh-Hans": "中等关联", "zh-Hant": "中等關聯", "en": "Moderate association"},
    "closest": {"zh-Hans": "中国文化特有", "zh-Hant": "中國文化特有", "en": "Closest association"},
    NO_GROUP: {"zh-Hans": "未分组", "zh-Hant": "未分組", "en": "No group"},
}
NO_CATEGORY: Final[Mapping[str, str]] = {"zh-Hans": "无类别", "zh-Hant": "無類別", "en": "No category"}


def gaps(scores: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """How far a system's best group lies above its worst, for each scope, metric and way of grouping.

    What belongs to no group is no group; a gap needs two groups with a value. Of equals the first by name is told.
    The interval is that of the difference between these two groups, whose pictures are not the same; that they were
    picked for lying farthest apart is not taken off it.
    """
    found: dict[tuple[str, str, str], list[tuple[float, str]]] = defaultdict(list)
    ends: dict[tuple[str, str, str, str], Interval] = {}
    for score in scores:
        if score["group_by"] and score["group"] != NO_GROUP and score["value"] is not None:
            key = (score["scope"], score["metric"], score["group_by"])
            found[key].append((score["value"], score["group"]))
            ends[*key, score["group"]] = Interval(score["low"], score["high"], score["interval"] or "")
    told = []
    for (scope, metric, group_by), values in found.items():
        if len(values) < 2:
            continue
        highest = min(values, key=lambda v: (-v[0], v[1]))
        lowest = min(values, key=lambda v: (v[0], v[1] == highest[1], v[1]))
        of_both = [ends[scope, metric, group_by, group] for _, group in (highest, lowest)]
        doubt = difference(highest[0], of_both[0], lowest[0], of_both[1])
        told.append(
            {
                "scope": scope,
                "metric": metric,
                "group_by": group_by,
                "gap": highest[0] - lowest[0],
                "highest": highest[1],
                "lowest": lowest[1],
                "low": doubt.low,
                "high": doubt.high,
                "interval": doubt.method,
            }
        )
    return told


def standing(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Sort key of a system's row: what it scores over everything, best first, then its name; unscored systems last."""
    whole = {(s["scope"], s["metric"]): s["value"] for s in row["scores"] if not s["group_by"]}
    values = tuple(-value if value is not None else 1.0 for value in whole.values())
    return (not whole, values, row["system"].name, row["system"].revision, row["run"])
