"""Confidence intervals of shares, with and without clusters."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

# Two-sided 95 % of the standard normal distribution.
Z_95 = 1.959963984540054
# Of the bootstrap: sorts of clusters up to which how often each comes up is drawn, and numbers drawn at once.
_FEW = 4_096
_AT_ONCE = 2_000_000


class Interval(NamedTuple):
    """A two-sided 95 % interval of a share.

    Attributes:
        low: Lower end, 0..1.
        high: Upper end, 0..1.
        method: How it was made; stored with the score.
    """

    low: float
    high: float
    method: str


def wilson(hits: int, n: int) -> Interval:
    """Interval of a share of ``n`` independent trials by Wilson (1927); it stays inside 0..1 and never collapses.

    Raises:
        ValueError: There is no trial, or more hits than trials.
    """
    if n <= 0 or not 0 <= hits <= n:
        raise ValueError(f"{hits} hits of {n}")
    share, z2 = hits / n, Z_95 * Z_95
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z_95 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # At the ends the formula is exact on paper and off by rounding in floating point.
    low = 0.0 if hits == 0 else middle - half
    high = 1.0 if hits == n else middle + half
    return Interval(low, high, "wilson")


def difference(one: float, of_one: Interval, other: float, of_other: Interval) -> Interval:
    """Interval of ``one - other``, two shares of units that have nothing in common.

    The distances from each share to the ends of its own interval are added as squares, each on the side where it
    stretches the difference (Newcombe 1998, method 10; Zou and Donner 2008 for intervals of any making). With Wilson's
    intervals this is Newcombe's own; with those of the clustered bootstrap clusters stay the units, and a share that
    every cluster agrees on keeps the doubt that its interval has. It stays inside -1..1.
    """
    low = math.hypot(one - of_one.low, of_other.high - other)
    high = math.hypot(of_one.high - one, other - of_other.low)
    methods = dict.fromkeys((of_one.method, of_other.method))
    return Interval(one - other - low, one - other + high, "square-and-add/" + "+".join(methods))


def clustered(sums: npt.NDArray[Any], sizes: npt.NDArray[Any], *, seed: int, resamples: int = 1000) -> Interval:
    """Interval of ``sums.sum() / sizes.sum()``: trials worth 0..1 each, in clusters that stand or fall together.

    Percentile bootstrap: whole clusters are drawn with replacement, as many as there are, and the mean is taken
    anew. Clusters with the same sum and size are alike, so what is drawn is how often each sort of them comes up, a
    multinomial draw of a few numbers: the same distribution as drawing cluster by cluster, whatever their number.
    When every trial of every cluster ended alike, all 0 or all 1, there is nothing to resample and the bootstrap would
    claim a certainty of zero width; then Wilson's interval over the clusters, the independent units, is given instead.

    Args:
        sums: What the trials of each cluster are worth together: its hits, where each is right or wrong.
        sizes: Trials of each cluster, at least one.
        seed: Of the generator; the same seed gives the same interval.
        resamples: Number of draws.

    Raises:
        ValueError: No cluster, or an empty one.
    """
    clusters = len(sums)
    if clusters == 0 or len(sizes) != clusters or (sizes <= 0).any():
        raise ValueError("every cluster needs at least one trial")
    if not sums.any() or (sums == sizes).all():
        low, high, _ = wilson(clusters if sums.any() else 0, clusters)
        return Interval(low, high, "wilson-over-clusters")
    generator = np.random.default_rng(seed)
    sorts, counts = np.unique(np.stack([sums, sizes], axis=1), axis=0, return_counts=True)
    shares = []
    if len(sorts) <= _FEW:
        step = max(1, _AT_ONCE // len(sorts))
        for start in range(0, resamples, step):
            drawn = generator.multinomial(clusters, counts / clusters, size=min(step, resamples - start))
            shares.append((drawn @ sorts[:, 0]) / (drawn @ sorts[:, 1]))
    else:
        step = max(1, _AT_ONCE // clusters)
        for start in range(0, resamples, step):
            drawn = generator.integers(0, clusters, size=(min(step, resamples - start), clusters))
            shares.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    low, high = np.percentile(np.concatenate(shares), [2.5, 97.5])
    return Interval(float(low), float(high), "bootstrap-percentile")
