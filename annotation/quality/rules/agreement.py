"""Agreement between people who judged the same units: Cohen's and Fleiss' kappa, Krippendorff's alpha.

All are 1 for perfect agreement and 0 for agreement by chance; categories are nominal. If all judges used the same
single category, the agreement by chance is perfect too, and the measures are undefined: None.

Cohen, "A coefficient of agreement for nominal scales", 1960; Fleiss, "Measuring nominal scale agreement among many
raters", 1971; Krippendorff, "Content Analysis", chapter on reliability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

# A thousand resamples leave 25 values beyond each end of a 95% interval. The seed is arbitrary; it is fixed so that
# the same verdicts give the same interval.
RESAMPLES: Final = 1_000
SEED: Final = 20_261_121
_NUMBERS_PER_BLOCK: Final = 2_000_000  # of eight bytes
METHOD: Final = f"cluster-bootstrap-percentile-{RESAMPLES}"
BETWEEN: Final = ("review-inspection", "review-review", "inspection-inspection", "panel-panel")
NAMES: Final = ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha")


class Unit(NamedTuple):
    """The judgements of one revision, or of ``n`` revisions of a cluster that got the same ones.

    Attributes:
        cluster: The package, or for panels the picture. Clusters are resampled as a whole, because judgements within
            one depend on each other.
        ratings: One category from each judge, in the order of the judges.
        n: How many revisions of the cluster got these ratings.
    """

    cluster: int
    ratings: tuple[str, ...]
    n: int = 1


class Measure(NamedTuple):
    """A measure with its 95% interval; None if undefined, and for the interval also with fewer than two clusters."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    method: str


def observed(units: Sequence[Unit]) -> float | None:
    """The share of units on which all judges agree."""
    total = sum(u.n for u in units)
    return sum(u.n for u in units if len(set(u.ratings)) == 1) / total if total else None


def measures(units: Sequence[Unit], method: str = METHOD) -> list[Measure]:
    """All three measures over units with at least two judges, with intervals from a bootstrap of whole clusters.

    Cohen's kappa uses units with exactly two judges, Fleiss' kappa those with the most frequent number of judges.
    """
    judged = [u for u in units if len(u.ratings) > 1]
    categories = sorted({c for u in judged for c in u.ratings})
    clusters = sorted({u.cluster for u in judged})
    kinds = (_COHEN, _FLEISS, _KRIPPENDORFF)
    tables = [sums(judged, categories, clusters) if judged else np.zeros((0, 0)) for sums, _ in kinds]
    drawn = _resampled(tables, len(clusters))
    return [
        Measure(name, *_with_interval(table, sums, value), method)
        for name, table, sums, (_, value) in zip(NAMES, tables, drawn, kinds, strict=True)
    ]


def _resampled(tables: Sequence[Array], n: int) -> list[Array | None]:
    """The column sums of each table over the resamples of ``n`` clusters; None with fewer than two.

    They are drawn block by block: there may be as many clusters as a benchmark has pictures.
    """
    if n < 2:
        return [None] * len(tables)
    generator, shares = np.random.default_rng(SEED), np.full(n, 1 / n)
    size = max(1, _NUMBERS_PER_BLOCK // n)
    blocks = [
        [times @ table for table in tables]
        for start in range(0, RESAMPLES, size)
        for times in [generator.multinomial(n, shares, size=min(size, RESAMPLES - start)).astype(float)]
    ]
    return [np.concatenate(sums) for sums in zip(*blocks, strict=True)]


def _with_interval(
    table: Array, resampled: Array | None, value: Callable[[Array], Array]
) -> tuple[float | None, float | None, float | None]:
    """The measure over all clusters, and the 2.5% and 97.5% quantiles over the resamples for which it is defined.

    Args:
        table: A row of sums for each cluster.
        resampled: The sums of its columns over each resample; None with fewer than two clusters.
        value: Returns the measure of each row of sums, NaN where it is undefined.
    """
    if not len(table):
        return None, None, None
    whole = float(value(table.sum(axis=0, keepdims=True))[0])
    if np.isnan(whole):
        return None, None, None
    values = value(resampled) if resampled is not None else np.zeros(0)
    drawn = values[~np.isnan(values)]
    if not len(drawn):
        return whole, None, None
    low, high = np.quantile(drawn, [0.025, 0.975])
    return whole, float(low), float(high)


def _rows(units: Sequence[Unit], clusters: Sequence[int], width: int, row: Callable[[Unit], Array]) -> Array:
    """A table with one row of sums per cluster, shape (clusters, width).

    Every measure is a function of the column sums, so that all resamples are one matrix product. The functions that
    compute a measure take a row of sums for each resample and return NaN where it is undefined.
    """
    place = {cluster: i for i, cluster in enumerate(clusters)}
    table = np.zeros((len(clusters), width))
    for unit in units:
        table[place[unit.cluster]] += unit.n * row(unit)
    return table


def _divided(above: Array, below: Array) -> Array:
    """Each value above by the one below, NaN where that is 0."""
    quotients: Array = np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0)
    return quotients


def _chance_corrected(agreed: Array, expected: Array) -> Array:
    rest = 1 - expected
    return _divided(agreed - expected, np.where(rest < 1e-12, 0, rest))


def _cohen_sums(units: Sequence[Unit], categories: Sequence[str], clusters: Sequence[int]) -> Array:
    k = len(categories)

    def row(unit: Unit) -> Array:
        cell = np.zeros((k, k))
        cell[categories.index(unit.ratings[0]), categories.index(unit.ratings[1])] = 1
        return cell.ravel()

    return _rows([u for u in units if len(u.ratings) == 2], clusters, k * k, row)


def _cohen(sums: Array) -> Array:
    k = round(sums.shape[1] ** 0.5)
    shares = _divided(sums, np.repeat(sums.sum(axis=1, keepdims=True), k * k, axis=1)).reshape(-1, k, k)
    agreed = np.trace(shares, axis1=1, axis2=2)
    return _chance_corrected(agreed, (shares.sum(axis=2) * shares.sum(axis=1)).sum(axis=1))


def _fleiss_sums(units: Sequence[Unit], categories: Sequence[str], clusters: Sequence[int]) -> Array:
    sizes: Counter[int] = Counter()
    for unit in units:
        sizes[len(unit.ratings)] += unit.n
    usual = max(sizes, key=lambda size: (sizes[size], -size))

    def row(unit: Unit) -> Array:
        counts = np.array([unit.ratings.count(c) for c in categories])
        pairs = (counts * (counts - 1)).sum() / (usual * (usual - 1))
        return np.concatenate([[1, pairs], counts])

    return _rows([u for u in units if len(u.ratings) == usual], clusters, 2 + len(categories), row)


def _fleiss(sums: Array) -> Array:
    n, pairs, counts = sums[:, 0], sums[:, 1], sums[:, 2:]
    shares = _divided(counts, np.repeat(counts.sum(axis=1, keepdims=True), counts.shape[1], axis=1))
    return _chance_corrected(_divided(pairs, n), (shares**2).sum(axis=1))


def _coincidences(units: Sequence[Unit], categories: Sequence[str], clusters: Sequence[int]) -> Array:
    def row(unit: Unit) -> Array:
        counts = np.array([unit.ratings.count(c) for c in categories], dtype=float)
        pairs = np.outer(counts, counts) - np.diag(counts)
        return (pairs / (len(unit.ratings) - 1)).ravel()

    return _rows(units, clusters, len(categories) ** 2, row)


def _alpha(sums: Array) -> Array:
    k = round(sums.shape[1] ** 0.5)
    pairs = sums.reshape(-1, k, k)
    counts = pairs.sum(axis=2)
    n = counts.sum(axis=1)
    return 1 - _divided((n - 1) * (n - np.trace(pairs, axis1=1, axis2=2)), n * n - (counts**2).sum(axis=1))


_COHEN: Final = (_cohen_sums, _cohen)
_FLEISS: Final = (_fleiss_sums, _fleiss)
_KRIPPENDORFF: Final = (_coincidences, _alpha)
