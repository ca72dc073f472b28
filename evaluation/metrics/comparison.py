"""Comparison of two systems on the same queries: the difference and its significance.

Queries about one picture depend on each other, so pictures are the independent units throughout.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evaluation.metrics.intervals import wilson

Counts = npt.NDArray[np.int64]
METHOD = "exact-sign-flip-over-clusters"


class Paired(NamedTuple):
    """Result of a paired comparison; None where the systems have no query in common.

    Attributes:
    difference: The first system's share of hits minus the other's, -1..1.
        low: Lower end of the difference's 95% interval.
        high: Upper end.
        p: Two-sided probability of a difference at least as large if the two systems' answers were exchanged at random
            on each picture.
        method: How ``p`` was computed.
        interval: How the interval was computed.
    """

    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    method: str
    interval: str


def paired(only_one: Counts, only_other: Counts, sizes: Counts, *, resamples: int = 1000, seed: int) -> Paired:
    """Compare two systems by the queries that only one of them hit, cluster by cluster.

    The p value is exact, without resampling. If the systems are exchangeable on each picture, the sum of the pictures'
    differences is a sum of independent ``±d``. Its distribution is a convolution of binomial distributions, one for
    each size of ``d``. With one query per picture this is McNemar's exact test. The interval is the percentile
    bootstrap over pictures.

    Exchanging the systems changes every sign and nothing else.

    Args:
    only_one: For each cluster, the number of queries that only the first system hit.
    only_other: For each cluster, the number that only the other system hit.
    sizes: The number of queries of each cluster, at least one.
    resamples: Number of bootstrap resamples.
    seed: Seed of the bootstrap.

    Raises:
        ValueError: An empty cluster, or more hits than queries.
    """
    if len(sizes) == 0:
        return Paired(None, None, None, None, METHOD, "")
    if (sizes <= 0).any() or (only_one < 0).any() or (only_other < 0).any() or (only_one + only_other > sizes).any():
        raise ValueError("every cluster needs at least one query and no more hits than queries")
    d = only_one - only_other
    total, n = int(d.sum()), int(sizes.sum())
    low, high, interval = _interval(d, sizes, resamples, seed)
    return Paired(total / n, low, high, sign_flip_p(d), METHOD, interval)


def sign_flip_p(d: Counts) -> float:
    """Return the probability that ``sum(±d)`` with random signs is at least as far from 0 as ``sum(d)``."""
    sizes, counts = np.unique(np.abs(d[d != 0]), return_counts=True)
    observed, reach = abs(int(d.sum())), int(np.abs(d).sum())
    # The probability of each sum of the positive terms, S; the signed sum is 2 S - reach.
    chance = np.ones(1)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        wider = np.zeros(len(chance) + size * count)
        for heads, weight in enumerate(_heads(count)):
            if weight > 0.0:
                wider[size * heads : size * heads + len(chance)] += weight * chance
        chance = wider
    if observed == 0:
        return 1.0
    return min(1.0, 2.0 * float(chance[(observed + reach + 1) // 2 :].sum()))


def _heads(coins: int) -> Iterator[float]:
    """Yield how probable no head of so many fair coins is, one, and so on; rounded once, from whole numbers."""
    ways, all_ways = 1, 1 << coins
    for heads in range(coins + 1):
        yield ways / all_ways
        ways = ways * (coins - heads) // (heads + 1)


def _interval(d: Counts, sizes: Counts, resamples: int, seed: int) -> tuple[float, float, str]:
    """Return the interval of ``sum(d) / sum(sizes)``; for ``-d`` it is the same with opposite signs."""
    groups, swapped = _grouped_clusters(d, sizes), _grouped_clusters(-d, sizes)
    if len(groups) == 1 or not d.any():
        # All clusters are alike, so a bootstrap would have zero width; unseen pictures of another kind bound the error.
        difference, margin = int(d.sum()) / int(sizes.sum()), wilson(0, len(d)).high
        return max(-1.0, difference - margin), min(1.0, difference + margin), "wilson-over-clusters"
    canonical = min(groups, swapped)
    table = np.array(canonical, dtype=np.int64)
    drawn = np.random.default_rng(seed).multinomial(len(d), table[:, 2] / len(d), size=resamples)
    low, high = (float(v) for v in np.percentile((drawn @ table[:, 0]) / (drawn @ table[:, 1]), [2.5, 97.5]))
    if groups == swapped:
        low, high = (low - high) / 2, (high - low) / 2
    elif canonical is swapped:
        low, high = -high, -low
    return low, high, "bootstrap-percentile"


def _grouped_clusters(d: Counts, sizes: Counts) -> list[list[int]]:
    """Group equal clusters: ``[difference, size, count]``, sorted."""
    pairs, counts = np.unique(np.stack([d, sizes], axis=1), axis=0, return_counts=True)
    return [[int(a), int(b), int(c)] for (a, b), c in zip(pairs, counts, strict=True)]
