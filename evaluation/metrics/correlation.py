"""Correlation coefficients with intervals, and the mean rank of systems over several benchmarks.

Used by no page yet: it is meant for a page about agreement between judges' scores and models' confidence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

# A thousand resamples leave 25 values beyond each end of a 95% interval. The seed is arbitrary; it is fixed so that
# the same pairs give the same interval.
_SEED = 20250427
_RESAMPLES = 1000


class Correlation(NamedTuple):
    """A coefficient, -1..1, with its two-sided p value.

    Attributes:
        value: None if one of the lists does not vary.
        low: Lower end of the 95% interval, a percentile bootstrap over pairs.
        n: Number of pairs.
    """

    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int


def pearson(one: Sequence[float], other: Sequence[float]) -> Correlation:
    """Compute Pearson's product-moment coefficient."""
    return _correlation(one, other, stats.pearsonr)


def spearman(one: Sequence[float], other: Sequence[float]) -> Correlation:
    """Compute Spearman's rho; equal values share the mean of their ranks."""
    return _correlation(one, other, stats.spearmanr)


def kendall(one: Sequence[float], other: Sequence[float]) -> Correlation:
    """Compute Kendall's tau-b, which takes ties into account."""
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
    # A resample in which one list does not vary has no coefficient.
    varying = (rows for rows in draws if np.ptp(a[rows]) > 0 and np.ptp(b[rows]) > 0)
    drawn = [float(measure(a[rows], b[rows])[0]) for rows in varying]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Correlation(float(value), float(low), float(high), float(p), n)


def places(scores: Mapping[str, float]) -> dict[str, int]:
    """Rank systems from 1 by falling score; equal scores share the better rank and the next is skipped: 1, 2, 2, 4."""
    return {name: 1 + sum(other > score for other in scores.values()) for name, score in scores.items()}


def average_places(benchmarks: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Compute the mean of each system's ranks over several benchmarks.

    Only systems that every benchmark scored are ranked; the others get no mean.
    """
    common = set.intersection(*(set(scores) for scores in benchmarks.values())) if benchmarks else set()
    rankings = [places({name: scores[name] for name in common}) for scores in benchmarks.values()]
    return {name: sum(place[name] for place in rankings) / len(rankings) for name in sorted(common)}
