"""Confidence intervals of shares, with and without clusters."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from curation.lib import intervals

# To draw the count of a group of equal clusters takes as long as to draw this many single clusters.
_DRAWS_OF_A_COUNT = 20
_FEW_GROUPS = 64  # either way takes no time
_NUMBERS_PER_BLOCK = 2_000_000  # of eight bytes: 16 MB; bounds the memory of a bootstrap
_DRAWS_PER_BLOCK = 65_536  # of eight bytes: they stay in the processor's cache until they are added up


class Interval(NamedTuple):
    """A two-sided 95% interval of a share.

    Attributes:
        low: Lower end, 0..1.
        high: Upper end, 0..1.
        method: How it was computed; stored with the score.
    """

    low: float
    high: float
    method: str


def wilson(hits: int, n: int) -> Interval:
    """Compute Wilson's (1927) interval of a share of ``n`` independent trials; it stays in 0..1 and has a width always.

    Raises:
        ValueError: There are no trials, or more hits than trials.
    """
    if n <= 0 or not 0 <= hits <= n:
        raise ValueError(f"{hits} hits of {n}")
    of_share = intervals.wilson(hits / n, n)
    return Interval(of_share.low, of_share.high, of_share.method)


def difference(one: float, of_one: Interval, other: float, of_other: Interval) -> Interval:
    """Compute the interval of ``one - other``, two shares of disjoint units.

    The distances from each share to the ends of its own interval are added as squares, each on the side where it
    widens the difference (Newcombe 1998, method 10; Zou and Donner 2008 for any kind of interval). With Wilson's
    intervals this is Newcombe's method. With intervals of the clustered bootstrap the clusters stay the units, and a
    share on which every cluster agrees keeps the width of its own interval. The result stays in -1..1.
    """
    low = math.hypot(one - of_one.low, of_other.high - other)
    high = math.hypot(of_one.high - one, other - of_other.low)
    methods = dict.fromkeys((of_one.method, of_other.method))
    return Interval(one - other - low, one - other + high, "square-and-add/" + "+".join(methods))


def clustered(sums: npt.NDArray[Any], sizes: npt.NDArray[Any], *, seed: int, resamples: int = 1000) -> Interval:
    """Compute the interval of ``sums.sum() / sizes.sum()`` for trials of 0..1 in dependent clusters.

    This is a percentile bootstrap over whole clusters, drawn with replacement. Clusters with the same sum and size are
    interchangeable, so where few groups of equal clusters are many clusters it draws the count of each group from a
    multinomial distribution. That is the same distribution as drawing cluster by cluster. If all trials are 0 or all
    are 1, a bootstrap would give an interval of zero width; then the result is Wilson's interval over the clusters.

    Args:
    sums: The sum of each cluster's trials; for trials that are right or wrong, the number of hits.
    sizes: The number of trials of each cluster, at least one.
    seed: Seed of the generator; the same seed gives the same interval.
    resamples: Number of resamples.

    Raises:
        ValueError: There is no cluster, or an empty one.
    """
    clusters = len(sums)
    if clusters == 0 or len(sizes) != clusters or (sizes <= 0).any():
        raise ValueError("every cluster needs at least one trial")
    if not sums.any() or (sums == sizes).all():
        low, high, _ = wilson(clusters if sums.any() else 0, clusters)
        return Interval(low, high, "wilson-over-clusters")
    generator = np.random.default_rng(seed)
    # Complex numbers are sorted by the real part, then by the imaginary one; two columns take several times longer.
    pairs, counts = np.unique(sums + 1j * sizes, return_counts=True)
    groups = np.stack([pairs.real, pairs.imag], axis=1)
    shares = []
    if len(groups) <= max(_FEW_GROUPS, clusters // _DRAWS_OF_A_COUNT):
        step = max(1, _NUMBERS_PER_BLOCK // len(groups))
        for start in range(0, resamples, step):
            draws = generator.multinomial(clusters, counts / clusters, size=min(step, resamples - start))
            shares.append((draws @ groups[:, 0]) / (draws @ groups[:, 1]))
    else:
        shares.append(resampled(generator, sums, sizes, resamples))
    low, high = np.percentile(np.concatenate(shares), [2.5, 97.5])
    return Interval(float(low), float(high), "bootstrap-percentile")


def resampled(
    generator: np.random.Generator, sums: npt.NDArray[Any], sizes: npt.NDArray[Any], resamples: int
) -> npt.NDArray[np.float64]:
    """Draw clusters with replacement, as many as there are, and return the share over each of the resamples.

    Args:
        generator: Draws a number for each cluster of each resample, in order.
        sums: The sum of each cluster's trials.
        sizes: The number of trials of each cluster.
        resamples: Number of resamples.
    """
    clusters = len(sums)
    shares = np.empty(resamples)
    step = max(1, _DRAWS_PER_BLOCK // clusters)
    all_alike = (sizes == sizes[0]).all()
    for start in range(0, resamples, step):
        draws = generator.integers(0, clusters, size=(min(step, resamples - start), clusters))
        # Whole numbers add up exactly, so clusters of one size need no look at the size of each.
        trials = clusters * sizes[0] if all_alike else sizes.take(draws).sum(axis=1)
        shares[start : start + step] = sums.take(draws).sum(axis=1) / trials
    return shares
