"""The report of a search as profiles write reports, and its figures one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from evaluation.scoring.rules.search import GROUP_BYS, PROFILE, SCOPES, Line

SOURCE: Final = "CVLUE section 5, from vectors: a tie counts against the system"
_METHOD: Final = "each figure names its own, over pictures"
# What all figures of a report have in common, by the part of the report that has it.
_COMMON: Final = {"gallery": ("images", "texts", "split", "cluster"), "interval": ("seed", "resamples")}
_COUNTS: Final = ("n_expected", "n_scored", "n_missing", "n_failed")
_OF_LINE: Final = ("value", "low", "high", "n", "n_expected", "n_missing", "n_failed")


def report_of(lines: Sequence[Line], *, split: str) -> dict[str, Any]:
    """Write lines as a report. Its counts are of queries both ways; each figure also has those of its own direction.

    All metrics of a direction count the same queries. ``split`` is the one that is searched.
    """
    common = lines[0].details
    by_direction = {line.scope: line for line in lines if not line.group_by}
    counts = {name: sum(getattr(line, name) for line in by_direction.values()) for name in _COUNTS}
    parts = {part: {name: common[name] for name in names if name in common} for part, names in _COMMON.items()}
    breakdowns: dict[str, dict[str, Any]] = {}
    for line in lines:
        if line.group_by:
            group = breakdowns.setdefault(line.group_by, {}).setdefault(line.group, {"n": 0, "metrics": {}})
            group["metrics"][_name(line)] = _figure(line)
    for group in (group for groups in breakdowns.values() for group in groups.values()):
        group["n"] = sum({name.split()[0]: one["n_expected"] for name, one in group["metrics"].items()}.values())
    return {
        "profile": PROFILE,
        "source": SOURCE,
        **counts,
        **dict.fromkeys(("n_unparsable", "n_refused", "n_unknown_ids", "n_duplicate"), 0),
        "n_gold_rows": counts["n_expected"],
        "metrics": {_name(line): _figure(line) for line in lines if not line.group_by},
        "breakdowns": breakdowns,
        "gallery": {"split": split, **parts["gallery"]},
        "interval": {"method": _METHOD, **parts["interval"]},
    }


def lines_of(report: Mapping[str, Any]) -> Iterator[Line]:
    """Yield the lines of a report: each direction over everything and then by group, in the order of names."""
    common = {name: report[part][name] for part, names in _COMMON.items() for name in names if name in report[part]}
    groupings = [("", "", report["metrics"])]
    for by in GROUP_BYS:
        members = report["breakdowns"].get(by, {})
        groupings += [(by, group, members[group]["metrics"]) for group in sorted(members)]
    for scope in SCOPES:
        for by, group, metrics in groupings:
            names = [name for name in metrics if name.split()[0] == scope]
            for name in sorted(names, key=lambda name: (len(name), name)):
                yield _line(scope, by, group, name, metrics[name], common)


def _name(line: Line) -> str:
    return f"{line.scope} {line.metric}"


def _figure(line: Line) -> dict[str, Any]:
    own = {name: value for name, value in line.details.items() if not any(name in names for names in _COMMON.values())}
    return {
        "value": line.value,
        "low": line.low,
        "high": line.high,
        "n": line.n_scored,
        "n_expected": line.n_expected,
        "n_missing": line.n_missing,
        "n_failed": line.n_failed,
        **own,
    }


def _line(scope: str, by: str, group: str, name: str, figure: Mapping[str, Any], common: Mapping[str, Any]) -> Line:
    own = {part: value for part, value in figure.items() if part not in _OF_LINE}
    return Line(
        scope,
        by,
        group,
        name.split(" ", 1)[1],
        figure["value"],
        figure["low"],
        figure["high"],
        figure["n_expected"],
        figure["n"],
        figure["n_missing"],
        figure["n_failed"],
        {**common, **own},
    )
