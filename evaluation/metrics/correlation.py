"""Whether two lists of numbers go together, with intervals; and the mean rank of systems over several benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

_SEED = 20250427
_RESAMPLES = 1000


class Correlation(NamedTuple):
    """A coefficient, -1..1, with its two-sided p value.

    Attributes:
        value: None where one of the lists does not vary.
        low: Of the 95 % interval: percentile bootstrap over pairs.
        n: Pairs.
    """

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int


def pearson(one: Sequence[float], other: Sequence[float]) -> Correlation:
    """Pearson's product-moment coefficient."""
    return _correlation(one, other, stats.pearsonr)


def spearman(one: Sequence[float], other: Sequence[float]) -> Correlation:
    """Spearman's rho; equal values share the mean of their ranks."""
    return _correlation(one, other, stats.spearmanr)


def kendall(one: Sequence[float], other: Sequence[float]) -> Correlation:
    """Kendall's tau-b, which takes ties into account."""
    return _correlation(one, other, stats.kendalltau)


def _correlation(
    one: Sequence[float], other: Sequence[float], measure: Callable[..., tuple[float, float]]
) -> Correlation:
    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(f"{a.shape} values beside {b.shape}")
    n = len(a)
    if n < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return Correlation(None, None, None, None, n)
    value, p = measure(a, b)
    draws = np.random.default_rng(_SEED).integers(0, n, size=(_RESAMPLES, n))
    # A draw in which one side is all alike says nothing.
    telling = (rows for rows in draws if np.ptp(a[rows]) > 0 and np.ptp(b[rows]) > 0)
    drawn = [float(measure(a[rows], b[rows])[0]) for rows in telling]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Correlation(float(value), float(low), float(high), float(p), n)


def places(scores: Mapping[str, float]) -> dict[str, int]:
    """Places from 1 by falling score; equal scores share the better place and the next is left out: 1, 2, 2, 4."""
    return {name: 1 + sum(other > score for other in scores.values()) for name, score in scores.items()}


def average_places(benchmarks: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The mean of each system's places over the benchmarks that all name it (W-E14).

    Places are taken among the systems that every benchmark scored; one that is missing somewhere has none.
    """
    common = set.intersection(*(set(scores) for scores in benchmarks.values())) if benchmarks else set()
    taken = [places({name: scores[name] for name in common}) for scores in benchmarks.values()]
    return {name: sum(place[name] for place in taken) / len(taken) for name in sorted(common)}
