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

# Bound on what a search holds beside its inputs and its answer: one block of scores with its comparison, and the
# vectors of that block in float64.
BLOCK_BYTES = 64_000_000
_LEAST_QUERIES = 256  # of a block: fewer would spend more on calls than on products


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


class Found(NamedTuple):
    """What a search found for each query.

    Attributes:
        rank: From 1, of the best gold entry.
        nearest: The first gallery rows, best first; -1 behind the end of a gallery that holds fewer.
        similarity: Their scores; NaN behind the end.
    """

    rank: npt.NDArray[np.int64]
    nearest: npt.NDArray[np.int64]
    similarity: npt.NDArray[np.float64]


def ranks(
    queries: Vectors, gallery: Vectors, *, query_owner: Owners, gallery_owner: Owners, block_bytes: int = BLOCK_BYTES
) -> npt.NDArray[np.int64]:
    """Ranks alone; see :func:`search`."""
    found = search(
        queries, gallery, query_owner=query_owner, gallery_owner=gallery_owner, nearest=0, block_bytes=block_bytes
    )
    return found.rank


def search(
    queries: Vectors,
    gallery: Vectors,
    *,
    query_owner: Owners,
    gallery_owner: Owners,
    nearest: int = 10,
    block_bytes: int = BLOCK_BYTES,
) -> Found:
    """Rank, from 1, of each query's best gold entry among all others, and the entries nearest to it.

    An entry is gold when its owner (the picture it is or belongs to) is the query's. The rank is one more than the
    number of entries that are not gold and score at least as high as the best gold entry: a tie is lost. A query's
    other gold entries do not stand in its way. A scorer that cannot tell anything apart thus ranks the one gold
    picture of g last, at g. ``nearest`` is exact and in the same order: of equal scores what is not gold first, then by
    place in the gallery; the best gold entry stands at its rank, when that is among the first.

    Products are taken block by block, ``block_bytes`` at a time whatever the sizes, so that only vectors and answers
    grow with the gallery.

    Args:
        queries: One unit vector a row.
        gallery: One unit vector a row.
        query_owner: Owner of each query.
        gallery_owner: Owner of each gallery entry.
        nearest: How many entries to name for each query.
        block_bytes: Bound on the memory held beside vectors and answers.

    Raises:
        ValueError: A vector holds something that is no finite number, or a query has no gold entry.
    """
    if not (np.isfinite(queries).all() and np.isfinite(gallery).all()):
        raise ValueError("a vector holds something that is no finite number")
    n = len(queries)
    if n == 0:
        return Found(np.zeros(0, np.int64), np.zeros((0, nearest), np.int64), np.zeros((0, nearest)))
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
        for left in range(0, len(gallery), columns):
            scores = wide @ gallery[left : left + columns].astype(np.float64).T
            gold.strike(part, left, scores)
            rank[part] += np.count_nonzero(scores >= floor[:, None], axis=1)
            near.take(scores, left)
        first[part], similarity[part] = near.with_gold(gold.entries[part], gold_scores)
    return Found(rank, first, similarity)


def _block(d: int, queries: int, block_bytes: int) -> tuple[int, int]:
    """Queries and gallery entries of a block: scores, their comparison, and both vectors in float64."""
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
        # As many rounds as the largest owner has entries: five for five captions, one the other way round.
        for step in range(entries.shape[1]):
            has = np.flatnonzero(first + step < last)
            entries[has, step] = order[first[has] + step]
        return cls(entries)

    def scores(
        self, part: npt.NDArray[np.int64], wide: npt.NDArray[np.float64], gallery: Vectors
    ) -> npt.NDArray[np.float64]:
        """Scores of some queries' gold entries, taken one by one; -inf where there is none."""
        entries = self.entries[part]
        found = np.full(entries.shape, -np.inf)
        for step in range(entries.shape[1]):
            has = np.flatnonzero(entries[:, step] >= 0)
            found[has, step] = np.einsum("nd,nd->n", wide[has], gallery[entries[has, step]].astype(np.float64))
        return found

    def strike(self, part: npt.NDArray[np.int64], left: int, scores: npt.NDArray[np.float64]) -> None:
        """Take gold entries out of a block of scores, so that what is left is what may stand in the way."""
        inside = self.entries[part] - left
        rows, steps = np.nonzero((inside >= 0) & (inside < scores.shape[1]))
        scores[rows, inside[rows, steps]] = -np.inf


class _Nearest:
    """The best entries seen so far of some queries, kept exactly while blocks of the gallery go by in order."""

    def __init__(self, queries: int, wanted: int, noise: float) -> None:
        self.wanted, self.noise = wanted, noise
        self.score = np.full((queries, wanted), -np.inf)
        self.entry = np.full((queries, wanted), -1, dtype=np.int64)

    def take(self, scores: npt.NDArray[np.float64], left: int) -> None:
        """Look at the next block: only what beats a query's last kept entry by more than noise can enter."""
        if not self.wanted:
            return
        columns = scores.shape[1]
        # Few queries gain anything after the first block, the others are passed over in one step.
        for query in np.flatnonzero(scores.max(axis=1) > self.score[:, -1] + self.noise).tolist():
            row, last = scores[query], self.score[query, -1]
            if columns > self.wanted and np.isneginf(last):
                within = np.partition(row, columns - self.wanted)[columns - self.wanted] - self.noise
            else:
                within = last + self.noise
            found = np.flatnonzero((row >= within) & (row > -np.inf))
            score = np.concatenate([self.score[query], row[found]])
            entry = np.concatenate([self.entry[query], found + left])
            order = _settled(score, self.noise)[: self.wanted]
            self.score[query], self.entry[query] = score[order], entry[order]

    def with_gold(
        self, gold: npt.NDArray[np.int64], gold_scores: npt.NDArray[np.float64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Put gold entries in their places: behind whatever they tie with."""
        entry = np.concatenate([self.entry, gold], axis=1)
        score = np.concatenate([self.score, gold_scores], axis=1)
        # Lowered by the noise, a gold entry sorts behind its ties, as its rank counts them.
        key = np.concatenate([self.score, gold_scores - self.noise], axis=1)
        # The kept ones are in their order already, ties among them settled by place: those stay as they are.
        key[:, : self.wanted] = np.minimum.accumulate(key[:, : self.wanted], axis=1)
        order = np.argsort(-key, axis=1, kind="stable")[:, : self.wanted]
        entry, score = np.take_along_axis(entry, order, axis=1), np.take_along_axis(score, order, axis=1)
        return entry, np.where(entry >= 0, score, np.nan)


def _settled(score: npt.NDArray[np.float64], noise: float) -> npt.NDArray[np.int64]:
    """Order by falling score; scores closer than the noise are ties and keep the order they came in."""
    order = np.argsort(-score, kind="stable")
    ranked = score[order]
    with np.errstate(invalid="ignore"):  # behind the end two -inf lie side by side
        apart = np.concatenate([[False], ranked[:-1] - ranked[1:] > noise])
    return order[np.lexsort((order, np.cumsum(apart)))]


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
