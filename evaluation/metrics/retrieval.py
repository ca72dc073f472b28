"""Recall at k for pictures and texts in one vector space, with ties decided against the system.

Vectors are float32, their products are computed in float64. In float32 the order of additions depends on the place in
the matrix product, so the same two vectors may score differently, and a system that gives every picture the same
vector would win some ties by luck. In float64 this noise is nine orders of magnitude below the precision of a float32
vector, so scores closer than the noise are exact ties.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evaluation.metrics.intervals import Interval, clustered, wilson

Vectors = npt.NDArray[np.float32]
Owners = npt.NDArray[np.int64]

# Memory limit of a search besides its inputs and result: one block of scores with its comparison, and the block's
# vectors in float64.
BLOCK_BYTES = 64_000_000
_LEAST_QUERIES = 256  # per block; with fewer, the calls would cost more than the products


class Recall(NamedTuple):
    """Recall at k over the ranked queries.

    Attributes:
        k: A query counts when its best gold entry is among the first k.
        value: Share of hits, 0..1.
        hits: Number of hits.
        queries: Number of ranked queries.
        interval: 95% interval of the value.
    """

    k: int
    value: float
    hits: int
    queries: int
    interval: Interval


class SearchResult(NamedTuple):
    """The result of a search for each query.

    Attributes:
        rank: The rank of the best gold entry, from 1.
        nearest: The nearest gallery rows, best first; -1 if the gallery has fewer.
        similarity: Their scores; NaN where ``nearest`` is -1.
    """

    rank: npt.NDArray[np.int64]
    nearest: npt.NDArray[np.int64]
    similarity: npt.NDArray[np.float64]


def search(
    queries: Vectors,
    gallery: Vectors,
    *,
    query_owner: Owners,
    gallery_owner: Owners,
    nearest: int = 10,
    block_bytes: int = BLOCK_BYTES,
) -> SearchResult:
    """Rank each query's best gold entry in the gallery, from 1, and find the entries nearest to the query.

    An entry is gold if its owner (the picture it is or belongs to) is the query's. The rank is one plus the number of
    entries that are not gold and score at least as high as the best gold entry, so ties are lost. A query's other gold
    entries do not count. A system with equal scores everywhere thus ranks the one gold picture of g last, at g.
    ``nearest`` is exact and has the same order: among equal scores the entries that are not gold come first, then
    gallery order decides. The best gold entry appears at its rank if that is among the first.

    Products are computed in blocks of ``block_bytes``, so that only the vectors and the result grow with the gallery.

    Args:
        queries: One unit vector a row.
        gallery: One unit vector a row.
        query_owner: Owner of each query.
        gallery_owner: Owner of each gallery entry.
        nearest: How many nearest entries to return for each query.
        block_bytes: Memory limit besides the vectors and the result.

    Raises:
        ValueError: A vector has a value that is not finite, or a query has no gold entry.
    """
    if not (np.isfinite(queries).all() and np.isfinite(gallery).all()):
        raise ValueError("a vector holds something that is no finite number")
    n = len(queries)
    if n == 0:
        return SearchResult(np.zeros(0, np.int64), np.zeros((0, nearest), np.int64), np.zeros((0, nearest)))
    if not np.isin(query_owner, gallery_owner).all():
        raise ValueError("a query has no gold entry in the gallery")
    gold = _Gold.of(query_owner, gallery_owner)
    longest = _longest(queries) * _longest(gallery)
    noise = queries.shape[1] * float(np.finfo(np.float64).eps) * longest
    rank = np.ones(n, dtype=np.int64)
    first = np.full((n, nearest), -1, dtype=np.int64)
    similarity = np.full((n, nearest), np.nan)
    rows, columns = _block(queries.shape[1], n, block_bytes)
    for top in range(0, n, rows):
        part = np.arange(top, min(top + rows, n))
        wide = queries[part].astype(np.float64)
        gold_scores = gold.scores(part, wide, gallery)
        floor = gold_scores.max(axis=1) - noise
        near = _Nearest(len(part), nearest, noise)
        for offset in range(0, len(gallery), columns):
            scores = wide @ gallery[offset : offset + columns].astype(np.float64).T
            gold.mask(part, offset, scores)
            rank[part] += np.count_nonzero(scores >= floor[:, None], axis=1)
            near.add_block(scores, offset)
        first[part], similarity[part] = near.with_gold(gold.entries[part], gold_scores)
    return SearchResult(rank, first, similarity)


def _block(d: int, queries: int, block_bytes: int) -> tuple[int, int]:
    """Return a block's number of queries and gallery entries; it holds scores, their comparison and both vectors."""
    rows = max(1, min(queries, _LEAST_QUERIES, block_bytes // (32 * d)))
    columns = max(1, (block_bytes - 8 * d * rows) // (10 * rows + 8 * d))
    return rows, columns


def _longest(vectors: Vectors) -> float:
    return float(np.sqrt(np.einsum("nd,nd->n", vectors, vectors, dtype=np.float64).max()))


class _Gold(NamedTuple):
    """Each query's gold entries: gallery rows in ascending order, -1 behind the last."""

    entries: npt.NDArray[np.int64]

    @classmethod
    def of(cls, query_owner: Owners, gallery_owner: Owners) -> _Gold:
        order = np.argsort(gallery_owner, kind="stable")
        first = np.searchsorted(gallery_owner[order], query_owner, side="left")
        last = np.searchsorted(gallery_owner[order], query_owner, side="right")
        entries = np.full((len(query_owner), int((last - first).max())), -1, dtype=np.int64)
        # As many rounds as the largest owner has entries: five for five captions, one in the other direction.
        for step in range(entries.shape[1]):
            has = np.flatnonzero(first + step < last)
            entries[has, step] = order[first[has] + step]
        return cls(entries)

    def scores(
        self, rows: npt.NDArray[np.int64], queries: npt.NDArray[np.float64], gallery: Vectors
    ) -> npt.NDArray[np.float64]:
        """Return the scores of some queries' gold entries, computed one by one; -inf where there is none."""
        entries = self.entries[rows]
        scores = np.full(entries.shape, -np.inf)
        for step in range(entries.shape[1]):
            has = np.flatnonzero(entries[:, step] >= 0)
            scores[has, step] = np.einsum("nd,nd->n", queries[has], gallery[entries[has, step]].astype(np.float64))
        return scores

    def mask(self, part: npt.NDArray[np.int64], offset: int, scores: npt.NDArray[np.float64]) -> None:
        """Set the gold entries of a block of scores to -inf, so that only competing entries count."""
        inside = self.entries[part] - offset
        rows, steps = np.nonzero((inside >= 0) & (inside < scores.shape[1]))
        scores[rows, inside[rows, steps]] = -np.inf


class _Nearest:
    """The exact best entries of some queries while blocks of the gallery are added in order."""

    def __init__(self, queries: int, size: int, noise: float) -> None:
        self.size, self.noise = size, noise
        self.score = np.full((queries, size), -np.inf)
        self.entry = np.full((queries, size), -1, dtype=np.int64)

    def add_block(self, scores: npt.NDArray[np.float64], offset: int) -> None:
        """Add the next block: an entry must beat a query's last kept entry by more than the noise."""
        if not self.size:
            return
        columns = scores.shape[1]
        # After the first block few queries change; this skips the others in one step.
        for query in np.flatnonzero(scores.max(axis=1) > self.score[:, -1] + self.noise).tolist():
            row, last = scores[query], self.score[query, -1]
            if columns > self.size and np.isneginf(last):
                threshold = np.partition(row, columns - self.size)[columns - self.size] - self.noise
            else:
                threshold = last + self.noise
            candidates = np.flatnonzero((row >= threshold) & (row > -np.inf))
            score = np.concatenate([self.score[query], row[candidates]])
            entry = np.concatenate([self.entry[query], candidates + offset])
            order = _order_with_ties(score, self.noise)[: self.size]
            self.score[query], self.entry[query] = score[order], entry[order]

    def with_gold(
        self, gold: npt.NDArray[np.int64], gold_scores: npt.NDArray[np.float64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Merge the gold entries, each behind the entries with which it ties."""
        entry = np.concatenate([self.entry, gold], axis=1)
        score = np.concatenate([self.score, gold_scores], axis=1)
        # Lowered by the noise, a gold entry sorts behind its ties; its rank counts them the same way.
        key = np.concatenate([self.score, gold_scores - self.noise], axis=1)
        # The kept entries are in order, with ties decided by gallery order; a falling key preserves that.
        key[:, : self.size] = np.minimum.accumulate(key[:, : self.size], axis=1)
        order = np.argsort(-key, axis=1, kind="stable")[:, : self.size]
        entry, score = np.take_along_axis(entry, order, axis=1), np.take_along_axis(score, order, axis=1)
        return entry, np.where(entry >= 0, score, np.nan)


def _order_with_ties(score: npt.NDArray[np.float64], noise: float) -> npt.NDArray[np.int64]:
    """Return the order by falling score; scores closer than the noise are ties and keep their order."""
    order = np.argsort(-score, kind="stable")
    ranked = score[order]
    with np.errstate(invalid="ignore"):  # -inf minus -inf behind the end
        apart = np.concatenate([[False], ranked[:-1] - ranked[1:] > noise])
    return order[np.lexsort((order, np.cumsum(apart)))]


def recall_at(
    rank: npt.NDArray[np.int64], k: int, *, cluster: Owners | None = None, resamples: int = 1000, seed: int = 0
) -> Recall:
    """Recall at k with its interval.

    Args:
        rank: ``SearchResult.rank``.
        k: The last rank that counts as a hit.
        cluster: The picture of each query, if several queries share one: their results are correlated, so pictures are
            resampled. None: queries are independent, and the interval is Wilson's.
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
