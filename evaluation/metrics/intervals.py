"""Confidence intervals of shares, with and without clusters."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

# Two-sided 95 % of the standard normal distribution.
Z_95 = 1.959963984540054


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


def clustered(
    hits: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64], *, resamples: int = 1000, seed: int
) -> Interval:
    """Interval of ``sum(hits) / sum(sizes)`` when trials come in clusters that stand or fall together.

    Percentile bootstrap: whole clusters are drawn with replacement, as many as there are, and the share is taken
    anew. Clusters with as many hits and trials are alike, so what is drawn is how often each sort of them comes up, a
    multinomial draw of a few numbers: the same distribution as drawing row by row, whatever the number of clusters.
    When every trial of every cluster ended alike there is nothing to resample and the bootstrap would claim a
    certainty of zero width; then Wilson's interval over the clusters, the independent units, is given instead.

    Args:
        hits: Hits of each cluster.
        sizes: Trials of each cluster, at least one.
        resamples: Number of draws.
        seed: Of the generator; the same seed gives the same interval.

    Raises:
        ValueError: No cluster, or an empty one.
    """
    clusters = len(hits)
    if clusters == 0 or len(sizes) != clusters or (sizes <= 0).any():
        raise ValueError("every cluster needs at least one trial")
    total_hits, total = int(hits.sum()), int(sizes.sum())
    if total_hits in {0, total}:
        low, high, _ = wilson(clusters if total_hits else 0, clusters)
        return Interval(low, high, "wilson-over-clusters")
    sorts, counts = np.unique(np.stack([hits, sizes], axis=1), axis=0, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(clusters, counts / clusters, size=resamples)
    low, high = np.percentile((drawn @ sorts[:, 0]) / (drawn @ sorts[:, 1]), [2.5, 97.5])
    return Interval(float(low), float(high), "bootstrap-percentile")
