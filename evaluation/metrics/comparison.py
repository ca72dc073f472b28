"""Two systems on the same queries: how far apart they are, and whether that could be chance.

Queries of one picture stand or fall together, so pictures are the independent units throughout.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import binom

from evaluation.metrics.intervals import wilson

Counts = npt.NDArray[np.int64]
METHOD = "exact-sign-flip-over-clusters"


class Paired(NamedTuple):
    """What a paired comparison found; None where no query is common.

    Attributes:
        difference: The first's share of hits less the other's, -1..1.
        low: Lower end of the difference's 95 % interval.
        high: Upper end.
        p: Chance of a difference at least as large, either way, if on each picture it were a coin's toss which system
            gave which answers.
        method: How ``p`` was made.
        interval: How the interval was made.
    """

    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    method: str
    interval: str


def paired(only_one: Counts, only_other: Counts, sizes: Counts, *, resamples: int = 1000, seed: int) -> Paired:
    """Compare two systems by what each of them alone hit, cluster by cluster.

    The p value is exact, without resampling: if the systems were exchangeable on each picture, the sum of the
    pictures' differences would be a sum of independent ``±d``, whose distribution is a convolution of as many binomial
    ones as there are sizes of ``d``. Where every picture is one query this is McNemar's exact test. The interval is the
    percentile bootstrap over pictures.

    Exchanging the systems turns every sign and nothing else.

    Args:
        only_one: Of each cluster, how many queries only the first system hit.
        only_other: How many only the other hit.
        sizes: Queries of each cluster, at least one.
        resamples: Draws of the bootstrap.
        seed: Of the bootstrap.

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
    """Chance that ``sum(±d)``, each sign a coin's toss, lies at least as far from 0 as ``sum(d)``."""
    sizes, counts = np.unique(np.abs(d[d != 0]), return_counts=True)
    observed, reach = abs(int(d.sum())), int(np.abs(d).sum())
    # The chance of each sum of the positive terms, S; the signed sum is 2 S - reach.
    chance = np.ones(1)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        wider = np.zeros(len(chance) + size * count)
        for heads, weight in enumerate(binom.pmf(np.arange(count + 1), count, 0.5).tolist()):
            if weight > 0.0:
                wider[size * heads : size * heads + len(chance)] += weight * chance
        chance = wider
    if observed == 0:
        return 1.0
    return min(1.0, 2.0 * float(chance[(observed + reach + 1) // 2 :].sum()))


def _interval(d: Counts, sizes: Counts, resamples: int, seed: int) -> tuple[float, float, str]:
    """Interval of ``sum(d) / sum(sizes)``, the same up to its signs for ``-d``."""
    here, there = _kinds(d, sizes), _kinds(-d, sizes)
    if len(here) == 1 or not d.any():
        # Nothing to resample: as far off as unseen pictures of another kind could make it.
        middle, doubt = int(d.sum()) / int(sizes.sum()), wilson(0, len(d)).high
        return max(-1.0, middle - doubt), min(1.0, middle + doubt), "wilson-over-clusters"
    kinds = min(here, there)
    of = np.array(kinds, dtype=np.int64)
    drawn = np.random.default_rng(seed).multinomial(len(d), of[:, 2] / len(d), size=resamples)
    low, high = (float(v) for v in np.percentile((drawn @ of[:, 0]) / (drawn @ of[:, 1]), [2.5, 97.5]))
    if here == there:
        low, high = (low - high) / 2, (high - low) / 2
    elif kinds is there:
        low, high = -high, -low
    return low, high, "bootstrap-percentile"


def _kinds(d: Counts, sizes: Counts) -> list[list[int]]:
    """Clusters that are alike, and how many: ``[difference, size, count]``, sorted."""
    pairs, counts = np.unique(np.stack([d, sizes], axis=1), axis=0, return_counts=True)
    return [[int(a), int(b), int(c)] for (a, b), c in zip(pairs, counts, strict=True)]
