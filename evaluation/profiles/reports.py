"""Reports: means of units with their denominators and intervals, breakdowns, items."""

from __future__ import annotations

import gc
import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from evaluation.metrics.intervals import clustered, resampled
from evaluation.profiles.base import Answers, Profile, Unit
from evaluation.profiles.gold_files import gold_rows
from evaluation.profiles.rows import Row, WrongInput, rows

# A thousand resamples leave 25 values beyond each end of a 95% interval. The seed is arbitrary; it is fixed so that
# the same answers give the same interval.
RESAMPLES: Final = 1000
SEED: Final = 20250427

# The order in which the names in a report are written; others follow, sorted.
_ORDER: Final = (
    "few_known_ids",
    "profile",
    "source",
    "n_expected",
    "n_scored",
    "n_missing",
    "n_unparsable",
    "n_refused",
    "n_failed",
    "n_unknown_ids",
    "n_duplicate",
    "n_overrides",
    "n_gold_rows",
    "metrics",
    "breakdowns",
    "interval",
    "missing_replies",
    "items",
    "value",
    "low",
    "high",
    "n",
    "chance",
    "id",
    "status",
    "extracted",
    "rule",
)

_BLOCK: Final = 128  # units in memory at a time; more of them leave the processor's cache before they are added up

Numbers = npt.NDArray[np.float64]


class _Codes(dict[str, int]):
    """Texts stored as small numbers, counted from 0."""

    def __missing__(self, text: str) -> int:
        code = self[text] = len(self)
        return code


class Tally:
    """All units, in a few bytes each."""

    def __init__(self) -> None:
        self.status: Counter[str] = Counter()
        self.rules: Counter[str] = Counter()
        self._clusters = _Codes()
        self._cluster = array("l")
        self._values: dict[str, array[float]] = {}
        self._chances: dict[str, array[float]] = {}
        self._tags: dict[str, tuple[_Codes, array[int]]] = {}

    def add(self, units: Sequence[Unit]) -> None:
        """Add units, at least one; column by column, which takes a third of the time of unit by unit."""
        before = len(self._cluster)
        _, clusters, tags, statuses, values, _, rules, _, chances = zip(*units, strict=True)
        self.status.update(statuses)
        self.rules.update(rules)
        self._cluster.extend([self._clusters[cluster] for cluster in clusters])
        _extend(self._values, before, values)
        _extend(self._chances, before, chances)
        for name in set().union(*tags) - self._tags.keys():
            self._tags[name] = (_Codes(), array("l", [-1]) * before)
        for name, (codes, coded) in self._tags.items():
            coded.extend([codes[of_unit[name]] if name in of_unit else -1 for of_unit in tags])

    def metrics(self, profile: Profile, seed: int) -> dict[str, Any]:
        """Compute every metric with its interval, over all units."""
        members = {tag: _numbers(coded) for tag, (_, coded) in self._tags.items()}
        clusters = _numbers(self._cluster)
        return {
            name: _metric(
                _numbers(column), self._chance(name), clusters, members.get(profile.macro.get(name, "")), seed
            )
            for name, column in sorted(self._values.items())
        }

    def _chance(self, name: str) -> Numbers:
        """Return what guessing gives each unit by a metric; nothing if the metric has no such level."""
        return _numbers(self._chances[name]) if name in self._chances else np.empty(0)

    def breakdowns(self, profile: Profile, seed: int) -> dict[str, Any]:
        """Compute the metrics of every member of every tag."""
        clusters = _numbers(self._cluster)
        breakdowns: dict[str, Any] = {}
        for tag, (codes, coded) in sorted(self._tags.items()):
            # Sorted once, the units of each member lie side by side; a comparison for each would read all of them.
            place = _numbers(coded)
            order = np.argsort(place, kind="stable")
            ends = np.searchsorted(place, np.arange(len(codes) + 1), sorter=order)
            breakdowns[tag] = {}
            for member, code in sorted(codes.items()):
                those = order[ends[code] : ends[code + 1]]
                member_clusters = _dense(clusters[those])
                plain = {
                    name: _metric(
                        _numbers(column)[those],
                        chance[those] if len(chance := self._chance(name)) else chance,
                        member_clusters,
                        None,
                        seed,
                    )
                    for name, column in sorted(self._values.items())
                }
                breakdowns[tag][member] = {"n": len(those), "metrics": plain}
        return breakdowns


def _numbers(column: array[Any]) -> npt.NDArray[Any]:
    """Return a column as numpy's numbers, without a copy."""
    return np.frombuffer(column, dtype=column.typecode)


def _extend(columns: dict[str, array[float]], before: int, rows: Sequence[Mapping[str, float]]) -> None:
    """Append a value of each row to every column; NaN where it has none, also in rows before a new column."""
    for name in set().union(*rows) - columns.keys():
        columns[name] = array("d", [np.nan]) * before
    for name, column in columns.items():
        column.extend([row.get(name, np.nan) for row in rows])


def _metric(
    values: Numbers,
    chances: Numbers,
    clusters: npt.NDArray[np.int64],
    members: npt.NDArray[np.int64] | None,
    seed: int,
) -> dict[str, float | int | None]:
    """Compute the mean of the values that are not NaN with its interval; with members, the mean of their means.

    Clusters are numbered from 0, in ``clusters`` without gaps. With the mean comes the mean of the chances of the same
    units, unless one of them has none.
    """
    counted = ~np.isnan(values)
    n = int(counted.sum())
    if not n:
        return {"value": None, "low": None, "high": None, "n": 0}
    if members is None:
        value = float(values[counted].mean())
        sums, sizes = _by_cluster(values[counted], clusters[counted])
        ends = clustered(sums, sizes, seed=seed, resamples=RESAMPLES)[:2] if len(sums) > 1 else None
    else:
        value, ends = _macro(values[counted], clusters[counted], members[counted], seed)
    low, high = ends or (None, None)
    figure = {"value": value, "low": low, "high": high, "n": n}
    if len(chances) and not np.isnan(of_counted := chances[counted]).any():
        figure["chance"] = _mean(of_counted, None if members is None else members[counted])
    return figure


def _mean(values: Numbers, members: npt.NDArray[np.int64] | None) -> float:
    """Return the mean, with members the mean of their means."""
    if members is None:
        return float(values.mean())
    place = _dense(members)
    return float((np.bincount(place, weights=values) / np.bincount(place)).mean())


def _dense(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return numbers from 0 without gaps, in the same order, in place of numbers from anywhere."""
    return np.unique(codes, return_inverse=True)[1]


def _by_cluster(values: Numbers, clusters: npt.NDArray[np.int64]) -> tuple[Numbers, Numbers]:
    """Return the sum and the number of the values of each cluster that has any."""
    sizes = np.bincount(clusters)
    filled = sizes > 0
    return np.bincount(clusters, weights=values)[filled].astype(np.float64), sizes[filled].astype(np.float64)


def _macro(
    values: Numbers, clusters: npt.NDArray[np.int64], members: npt.NDArray[np.int64], seed: int
) -> tuple[float, tuple[float, float] | None]:
    """Compute the mean of the members' means; the bootstrap draws clusters within each member."""
    means, draws = [], []
    generator = np.random.default_rng(seed)
    order = np.argsort(members, kind="stable")
    for those in np.split(order, np.flatnonzero(np.diff(members[order])) + 1):
        sums, sizes = _by_cluster(values[those], _dense(clusters[those]))
        means.append(sums.sum() / sizes.sum())
        draws.append(resampled(generator, sums, sizes, RESAMPLES))
    low, high = np.percentile(np.mean(draws, axis=0), [2.5, 97.5])
    return float(np.mean(means)), (float(low), float(high)) if len(values) > 1 else None


@contextmanager
def _without_collector() -> Iterator[None]:
    """Pause the collector of cycles: rows have none, and it would look at millions of them again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_without_collector()
def read_answers(profile: Profile, predictions: Iterable[Row]) -> Answers:
    """Read the rows of a file of predictions.

    Raises:
        WrongInput: A row does not have the profile's form, or repeats an id when that is an error.
    """
    answers = Answers()
    for row in predictions:
        name = profile.name_of(row)
        if profile.repeats == "error" and answers.last(name) is not None:
            raise WrongInput(row.file, row.line, "id", f"each id once; {name} came before")
        answers.add(name, profile.keep(row))
    return answers


def score(profile: Profile, gold: Path, predictions: Path, *, items: bool = False, seed: int = SEED) -> dict[str, Any]:
    """Score one file of predictions; return the report that ``manage.py score`` prints.

    Raises:
        WrongInput: A file does not have the profile's form.
    """
    report = report_on_answers(
        profile, gold_rows(gold), read_answers(profile, rows(predictions)), items=items, seed=seed
    )
    if not report["n_gold_rows"]:
        raise WrongInput(gold.name, 0, "", "at least one right answer")
    return report


def report_text(report: Mapping[str, Any]) -> str:
    """Write a report as JSON: equal reports are equal byte for byte, also one that a database kept."""
    return _text(_ordered(report))


def reports_text(reports: Mapping[str, Mapping[str, Any]]) -> str:
    """Write several reports, each under its name, as :func:`report_text` writes one."""
    return _text({name: _ordered(report) for name, report in reports.items()})


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _ordered(value: Any) -> Any:
    if isinstance(value, list):
        return [_ordered(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    names = sorted(value, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
    return {name: _ordered(value[name]) for name in names}


@_without_collector()
def report_on_answers(
    profile: Profile,
    gold: Iterable[Row],
    answers: Answers,
    *,
    items: bool = False,
    seed: int = SEED,
    each: Callable[[Sequence[Unit]], object] = lambda _: None,
) -> dict[str, Any]:
    """Build the report of answers that were read before. ``gold`` may come from anywhere; this reads it once.

    ``each`` is called with every unit once, in blocks and in any order.

    Raises:
        WrongInput: A row of ``gold`` does not have the profile's form.
    """
    gold_rows = 0

    def questions() -> Iterator[Any]:
        nonlocal gold_rows
        for row in gold:
            for question in profile.read_gold(row):
                if not answers.mark_requested(question.id) and profile.gold_once:
                    raise WrongInput(row.file, row.line, "id", f"each id once; {question.id} came before")
                gold_rows += 1
                yield question

    tally = Tally()
    listed: list[dict[str, Any]] = []
    finished: list[Unit] = []
    units = profile.units(questions(), answers)
    while block := list(islice(units, _BLOCK)):
        tally.add(block)
        each(block)
        if profile.finish is not None:
            finished += block
        if items:
            listed += map(_item_report, block)
    status = tally.status
    few_known = answers.few_known()
    overrides = {"n_overrides": answers.overrides} if answers.overrides else {}
    # Most of their time is numpy's, which lets the other thread run.
    with ThreadPoolExecutor(1) as beside:
        breakdowns = beside.submit(tally.breakdowns, profile, seed)
        metrics = tally.metrics(profile, seed)
    report: dict[str, Any] = ({"few_known_ids": few_known} if few_known else {}) | {
        "profile": profile.name,
        "source": profile.source,
        "n_expected": status.total(),
        "n_scored": status["scored"],
        "n_missing": status["missing"],
        "n_unparsable": status["unparsable"],
        "n_refused": status["refused"],
        "n_failed": status["failed"],
        "n_unknown_ids": answers.unknown(),
        "n_duplicate": answers.duplicates,
        "n_gold_rows": gold_rows,
        "metrics": metrics,
        "breakdowns": breakdowns.result(),
        "interval": {"method": "bootstrap-percentile over pictures", "resamples": RESAMPLES, "seed": seed},
        **overrides,
    }
    if profile.finish is not None:
        for name, extra in profile.finish(finished).items():
            report["metrics"][name] = {"value": extra.value, "low": None, "high": None, **extra.details}
    if lacking := _missing_replies(profile, tally.rules):
        report["missing_replies"] = lacking
    if items:
        report["items"] = listed
    return report


def _missing_replies(profile: Profile, rules: Mapping[str, int]) -> dict[str, Any]:
    """Return how many units lack each reply of another model, if any do, by the rules that read the units."""
    counts = {need: rules.get(f"no {need}", 0) for need in sorted(profile.needs)}
    return {need: {"n": n, "of": profile.needs[need]} for need, n in counts.items() if n}


def _item_report(unit: Unit) -> dict[str, Any]:
    item: dict[str, Any] = {"id": unit.id, "status": unit.status, "extracted": unit.extracted, "rule": unit.rule}
    return item | {("correct" if name == "accuracy" else name): value for name, value in unit.values.items()}


def failed(row: Mapping[str, Any]) -> bool:
    """Return whether a row records an error of the system instead of a response."""
    return row.get("error") not in (None, "") or isinstance(row.get("response"), dict)


def plain_name(row: Row) -> str:
    """Return the id of a plain row."""
    return row.id("id", "question_id", "qid", "ID", "ref_id")
