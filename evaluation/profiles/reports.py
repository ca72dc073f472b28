"""Reports: means of units with their denominators and intervals, breakdowns, items."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from evaluation.metrics.intervals import clustered
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
    "id",
    "status",
    "extracted",
    "rule",
)

Numbers = npt.NDArray[np.float64]


class _Codes:
    """Texts stored as small numbers."""

    def __init__(self) -> None:
        self.of: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.of.setdefault(text, len(self.of))


class Tally:
    """All units, in a few bytes each."""

    def __init__(self) -> None:
        self.status: Counter[str] = Counter()
        self._clusters = _Codes()
        self._cluster = array("l")
        self._values: dict[str, array[float]] = {}
        self._tags: dict[str, tuple[_Codes, array[int]]] = {}

    def add(self, unit: Unit) -> None:
        """Add a unit."""
        self.status[unit.status] += 1
        row = len(self._cluster)
        self._cluster.append(self._clusters(unit.cluster))
        for name in unit.values.keys() - self._values.keys():
            self._values[name] = array("d", [np.nan] * row)
        for name, column in self._values.items():
            column.append(unit.values.get(name, np.nan))
        for name in unit.tags.keys() - self._tags.keys():
            self._tags[name] = (_Codes(), array("l", [-1] * row))
        for name, (codes, coded) in self._tags.items():
            coded.append(codes(unit.tags[name]) if name in unit.tags else -1)

    def metrics(self, profile: Profile, seed: int) -> dict[str, Any]:
        """Compute every metric with its interval, over all units."""
        return {name: self._metric(name, profile.macro.get(name), seed, None) for name in sorted(self._values)}

    def breakdowns(self, profile: Profile, seed: int) -> dict[str, Any]:
        """Compute the metrics of every member of every tag."""
        breakdowns: dict[str, Any] = {}
        for tag, (codes, coded) in sorted(self._tags.items()):
            place = np.frombuffer(coded, dtype=np.int64)
            breakdowns[tag] = {}
            for member, code in sorted(codes.of.items()):
                those = place == code
                plain = {name: self._metric(name, None, seed, those) for name in sorted(self._values)}
                breakdowns[tag][member] = {"n": int(those.sum()), "metrics": plain}
        return breakdowns

    def _metric(
        self, name: str, macro: str | None, seed: int, those: npt.NDArray[np.bool_] | None
    ) -> dict[str, float | int | None]:
        values = np.frombuffer(self._values[name], dtype=np.float64)
        clusters = np.frombuffer(self._cluster, dtype=np.int64)
        counted = ~np.isnan(values) if those is None else ~np.isnan(values) & those
        n = int(counted.sum())
        if not n:
            return {"value": None, "low": None, "high": None, "n": 0}
        if macro is None or macro not in self._tags:
            value = float(values[counted].mean())
            sums, sizes = _by_cluster(values[counted], clusters[counted])
            ends = clustered(sums, sizes, seed=seed, resamples=RESAMPLES)[:2] if len(sums) > 1 else None
        else:
            members = np.frombuffer(self._tags[macro][1], dtype=np.int64)
            value, ends = _macro(values[counted], clusters[counted], members[counted], seed)
        low, high = ends or (None, None)
        return {"value": value, "low": low, "high": high, "n": n}


def _by_cluster(values: Numbers, clusters: npt.NDArray[np.int64]) -> tuple[Numbers, Numbers]:
    _, place = np.unique(clusters, return_inverse=True)
    return np.bincount(place, weights=values).astype(np.float64), np.bincount(place).astype(np.float64)


def _macro(
    values: Numbers, clusters: npt.NDArray[np.int64], members: npt.NDArray[np.int64], seed: int
) -> tuple[float, tuple[float, float] | None]:
    """Compute the mean of the members' means; the bootstrap draws clusters within each member."""
    means, draws = [], []
    generator = np.random.default_rng(seed)
    for member in np.unique(members):
        sums, sizes = _by_cluster(values[members == member], clusters[members == member])
        means.append(sums.sum() / sizes.sum())
        drawn = generator.integers(0, len(sums), size=(RESAMPLES, len(sums)))
        draws.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    low, high = np.percentile(np.mean(draws, axis=0), [2.5, 97.5])
    return float(np.mean(means)), (float(low), float(high)) if len(values) > 1 else None


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


def report_on_answers(
    profile: Profile,
    gold: Iterable[Row],
    answers: Answers,
    *,
    items: bool = False,
    seed: int = SEED,
    each: Callable[[Unit], object] = lambda _: None,
) -> dict[str, Any]:
    """Build the report of answers that were read before. ``gold`` may come from anywhere; this reads it once.

    ``each`` is called with every unit, in any order.

    Raises:
        WrongInput: A row of ``gold`` does not have the profile's form.
    """
    lacking: Counter[str] = Counter()
    gold_rows = 0

    def questions() -> Iterator[Any]:
        nonlocal gold_rows
        for row in gold:
            for question in profile.read_gold(row):
                if not answers.mark_requested(question.id) and profile.gold_once:
                    raise WrongInput(row.file, row.line, "id", f"each id once; {question.id} came before")
                gold_rows += 1
                yield question

    tally, listed = Tally(), []
    finished: list[Unit] = []
    for unit in profile.units(questions(), answers):
        tally.add(unit)
        each(unit)
        lacking.update(need for need in profile.needs if unit.rule == f"no {need}")
        if profile.finish is not None:
            finished.append(unit)
        if items:
            listed.append(_item_report(unit))
    status = tally.status
    few_known = answers.few_known()
    overrides = {"n_overrides": answers.overrides} if answers.overrides else {}
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
        "metrics": tally.metrics(profile, seed),
        "breakdowns": tally.breakdowns(profile, seed),
        "interval": {"method": "bootstrap-percentile over pictures", "resamples": RESAMPLES, "seed": seed},
        **overrides,
    }
    if profile.finish is not None:
        for name, extra in profile.finish(finished).items():
            report["metrics"][name] = {"value": extra.value, "low": None, "high": None, **extra.details}
    if lacking:
        report["missing_replies"] = {need: {"n": n, "of": profile.needs[need]} for need, n in sorted(lacking.items())}
    if items:
        report["items"] = listed
    return report


def _item_report(unit: Unit) -> dict[str, Any]:
    item: dict[str, Any] = {"id": unit.id, "status": unit.status, "extracted": unit.extracted, "rule": unit.rule}
    return item | {("correct" if name == "accuracy" else name): value for name, value in unit.values.items()}


def failed(row: Mapping[str, Any]) -> bool:
    """Return whether a row records an error of the system instead of a response."""
    return row.get("error") not in (None, "") or isinstance(row.get("response"), dict)


def plain_name(row: Row) -> str:
    """Return the id of a plain row."""
    return row.id("id", "question_id", "qid", "ID", "ref_id")
