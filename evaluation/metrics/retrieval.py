"""Recall at k for pictures and texts in one vector space, with ties decided against the system.

Vectors come as float32. Their products are taken in float64: in float32 the same two vectors may score differently
at different places of a matrix product, by the order in which it adds, and a system that gives every picture the
same vector would then win some of its ties by luck. In float64 that noise lies nine orders of magnitude below what a
float32 vector can mean, so scores closer than the noise are ties, exactly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evaluation.metrics.intervals import Interval, clustered, wilson

Vectors = npt.NDArray[np.float32]
Owners = npt.NDArray[np.int64]

# Memory of one block of scores.
BLOCK_BYTES = 48_000_000


class Recall(NamedTuple):
    """Recall at k over the queries that were ranked.

    Attributes:
        k: A query counts when its best gold entry is among the first k.
        value: Share of hits, 0..1.
        hits: Their number.
        queries: Queries that were ranked.
        interval: 95 % interval of the value.
    """

    k: int
    value: float
    hits: int
    queries: int
    interval: Interval


def ranks(
    queries: Vectors, gallery: Vectors, *, query_owner: Owners, gallery_owner: Owners, block_bytes: int = BLOCK_BYTES
) -> npt.NDArray[np.int64]:
    """Rank, from 1, of each query's best gold entry among all others.

    An entry is gold when its owner (the picture it is or belongs to) is the query's. The rank is one more than the
    number of entries that are not gold and score at least as high as the best gold entry: a tie is lost. A query's
    other gold entries do not stand in its way. A scorer that cannot tell anything apart thus ranks the one gold
    picture of g last, at g.

    Args:
        queries: One unit vector a row.
        gallery: One unit vector a row.
        query_owner: Owner of each query.
        gallery_owner: Owner of each gallery entry.
        block_bytes: Bound on the memory of the scores held at once.

    Raises:
        ValueError: A vector holds something that is no finite number, or a query has no gold entry.
    """
    if not (np.isfinite(queries).all() and np.isfinite(gallery).all()):
        raise ValueError("a vector holds something that is no finite number")
    if len(queries) == 0:
        return np.zeros(0, dtype=np.int64)
    if not np.isin(query_owner, gallery_owner).all():
        raise ValueError("a query has no gold entry in the gallery")
    best = _best_gold(queries, gallery, query_owner, gallery_owner)
    longest = float(np.linalg.norm(queries, axis=1).max() * np.linalg.norm(gallery, axis=1).max())
    floor = best - queries.shape[1] * np.finfo(np.float64).eps * longest
    rank = np.ones(len(queries), dtype=np.int64)
    rows = cols = max(1, int((block_bytes / 9) ** 0.5))  # a score and its comparison: nine bytes
    for left in range(0, len(gallery), cols):
        columns = gallery[left : left + cols].astype(np.float64).T
        owners = gallery_owner[left : left + cols]
        for top in range(0, len(queries), rows):
            part = slice(top, top + rows)
            ahead = queries[part].astype(np.float64) @ columns >= floor[part, None]
            ahead &= query_owner[part, None] != owners[None, :]
            rank[part] += ahead.sum(axis=1)
    return rank


def _best_gold(
    queries: Vectors, gallery: Vectors, query_owner: Owners, gallery_owner: Owners
) -> npt.NDArray[np.float64]:
    """Score of each query's best gold entry."""
    order = np.argsort(gallery_owner, kind="stable")
    sorted_owner = gallery_owner[order]
    first = np.searchsorted(sorted_owner, query_owner, side="left")
    last = np.searchsorted(sorted_owner, query_owner, side="right")
    best = np.full(len(queries), -np.inf)
    # As many rounds as the largest owner has entries: five for five captions, one the other way round.
    for step in range(int((last - first).max())):
        has = np.flatnonzero(first + step < last)
        gold = gallery[order[first[has] + step]].astype(np.float64)
        scores = np.einsum("nd,nd->n", queries[has].astype(np.float64), gold)
        best[has] = np.maximum(best[has], scores)
    return best


def recall_at(
    rank: npt.NDArray[np.int64], k: int, *, cluster: Owners | None = None, resamples: int = 1000, seed: int = 0
) -> Recall:
    """Recall at k with its interval.

    Args:
        rank: What :func:`ranks` gave.
        k: How far down a hit may stand.
        cluster: Picture of each query where several queries share one: they stand or fall together, so pictures are
            resampled. None: every query stands for itself, and Wilson's interval is given.
        resamples: Draws of the bootstrap.
        seed: Of the bootstrap.

    Raises:
        ValueError: No query was ranked.
    """
    hit = rank <= k
    hits, n = int(hit.sum()), len(rank)
    if n == 0:
        raise ValueError("no query was ranked")
    if cluster is None:
        return Recall(k, hits / n, hits, n, wilson(hits, n))
    _, place = np.unique(cluster, return_inverse=True)
    per_hits = np.bincount(place, weights=hit).astype(np.int64)
    interval = clustered(per_hits, np.bincount(place).astype(np.int64), resamples=resamples, seed=seed)
    return Recall(k, hits / n, hits, n, interval)
