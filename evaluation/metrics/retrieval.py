"""Recall at k for pictures and texts in one vector space, with ties decided against the system.

Vectors are float32, and what decides are their products in float64. In float32 the order of additions depends on the
place in the matrix product, so the same two vectors may score differently, and a system that gives every picture the
same vector would win some ties by luck. In float64 this noise is nine orders of magnitude below the precision of a
float32 vector, so scores closer than the noise are exact ties.

Nearly all entries are so far from deciding anything that float32 is enough to tell. So all products are computed in
float32, several times as fast, and in float64 only those that lie within float32's error of a query's gold score or of
its nearest entries.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evaluation.metrics.intervals import Interval, clustered, wilson

Vectors = npt.NDArray[np.float32]
Owners = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

# Memory limit of a search besides its inputs and result: one block of scores with its comparisons, and the block's
# vectors in float64.
BLOCK_BYTES = 64_000_000
_QUERIES = 512  # per block; with fewer, matrix products are slower
# Up to this share of a block's entries a query's products are computed in float64 one by one; above it all together,
# which takes a fortieth of the time for each.
_ONE_BY_ONE = 1 / 64
_GROUPS = 128  # of a block's entries, whose best ones bound the nearest from below
_LEAST = np.finfo(np.float32).min  # what is not above it is no competing entry
_MOST_LENGTH = 2.0**120  # of products; float32 ends at 2 ** 128


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
    errors = _Errors.of(queries, gallery)
    rank = np.ones(n, dtype=np.int64)
    first = np.full((n, nearest), -1, dtype=np.int64)
    similarity = np.full((n, nearest), np.nan)
    rows, columns = _block(queries.shape[1], n, block_bytes)
    for top in range(0, n, rows):
        part = np.arange(top, min(top + rows, n))
        ranking = _Ranking(queries[part], gold.of_queries(part), gallery, nearest, errors)
        for offset in range(0, len(gallery), columns):
            ranking.add_block(gallery[offset : offset + columns], offset)
        rank[part] = ranking.rank
        first[part], similarity[part] = ranking.nearest()
    return SearchResult(rank, first, similarity)


def _block(d: int, queries: int, block_bytes: int) -> tuple[int, int]:
    """Return a block's number of queries and gallery entries; it holds scores, their comparisons and both vectors."""
    rows = max(1, min(queries, _QUERIES, block_bytes // (64 * d)))
    columns = max(1, (block_bytes - 20 * d * rows) // (16 * rows + 8 * d))
    return rows, columns


def _longest(vectors: Vectors) -> float:
    return float(np.sqrt(np.einsum("nd,nd->n", vectors, vectors, dtype=np.float64).max()))


class _Errors(NamedTuple):
    """How far products may be off.

    Attributes:
        noise: In float64, twice the most; scores closer than it are ties.
        estimate: Most between a product in float32 and the same in float64; infinite if float32 may overflow.
    """

    noise: float
    estimate: float

    @classmethod
    def of(cls, queries: Vectors, gallery: Vectors) -> _Errors:
        # A sum of d products, added in any order, with or without fused steps, is off by at most g / (1 - g) times the
        # sum of the products' sizes, with g = d u and the unit u = 2 ** -24 of float32 (Higham 2002, section 3.1). That
        # sum is at most the product of both lengths (Cauchy and Schwarz), as is every partial sum, so that none
        # overflows. A product too small for float32 is off by at most 2 ** -149 more. Half the noise is what float64
        # is off itself; the other half is kept for the ties.
        d, longest = queries.shape[1], _longest(queries) * _longest(gallery)
        noise = d * float(np.finfo(np.float64).eps) * longest
        g = (d + 1) * 2.0**-24
        if longest > _MOST_LENGTH or g >= 0.5:
            return cls(noise, np.inf)
        return cls(noise, g / (1 - g) * longest + d * 2.0**-149 + noise)


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

    def of_queries(self, rows: npt.NDArray[np.int64]) -> _Gold:
        """Return the gold entries of some queries."""
        return _Gold(self.entries[rows])

    def scores(self, queries: npt.NDArray[np.float64], gallery: Vectors) -> Scores:
        """Return the scores of the gold entries, computed one by one; -inf where there is none."""
        scores = np.full(self.entries.shape, -np.inf)
        for step in range(self.entries.shape[1]):
            has = np.flatnonzero(self.entries[:, step] >= 0)
            scores[has, step] = _products(queries, has, gallery, self.entries[has, step])
        return scores

    def mask(self, offset: int, scores: npt.NDArray[np.floating[Any]]) -> None:
        """Set the gold entries of a block of scores to -inf, so that only competing entries count."""
        inside = self.entries - offset
        rows, steps = np.nonzero((inside >= 0) & (inside < scores.shape[1]))
        scores[rows, inside[rows, steps]] = -np.inf


def _products(
    queries: npt.NDArray[np.float64], rows: npt.NDArray[np.int64], gallery: Vectors, entries: npt.NDArray[np.int64]
) -> Scores:
    """Return the product of each pair of a query and a gallery entry."""
    products: Scores = np.einsum("nd,nd->n", queries[rows], gallery[entries].astype(np.float64))
    return products


class _Ranking:
    """Some queries' ranks and nearest entries while blocks of the gallery are added in order.

    Attributes:
        rank: One plus the competing entries so far that score at least as high as the best gold entry.
    """

    def __init__(self, queries: Vectors, gold: _Gold, gallery: Vectors, size: int, errors: _Errors) -> None:
        self._queries, self._wide = queries, queries.astype(np.float64)
        self._gold, self._gold_scores = gold, gold.scores(self._wide, gallery)
        self._floor = self._gold_scores.max(axis=1) - errors.noise
        self._error = errors.estimate
        self._near = _Nearest(len(queries), size, errors.noise)
        self.rank = np.ones(len(queries), dtype=np.int64)

    def add_block(self, block: Vectors, offset: int) -> None:
        """Add the next block, whose first entry is ``offset`` in the gallery."""
        if np.isinf(self._error):
            self._add_all(np.arange(len(self._queries)), block, offset)
            return
        estimates = self._queries @ block.T
        self._gold.mask(offset, estimates)
        # An estimate this far above the floor is above it in float64, too, and one this far below is below it.
        certain = estimates >= _rounded(self._floor + self._error, np.inf)[:, None]
        close = estimates >= _rounded(self._floor - self._error, -np.inf)[:, None]
        np.greater(close, certain, out=close)
        if self._near.size:
            close |= estimates >= self._near.least_estimates(estimates, self._error)[:, None]
        many = np.count_nonzero(close, axis=1) > max(4 * self._near.size, _ONE_BY_ONE * len(block))
        close[many] = certain[many] = False
        self.rank += np.count_nonzero(certain, axis=1)
        rows, entries = np.divmod(np.flatnonzero(close), len(block))
        self._add_pairs(rows, entries, ~certain[rows, entries], block, offset)
        if many.any():
            self._add_all(np.flatnonzero(many), block, offset)

    def _add_pairs(
        self,
        rows: npt.NDArray[np.int64],
        entries: npt.NDArray[np.int64],
        undecided: npt.NDArray[np.bool_],
        block: Vectors,
        offset: int,
    ) -> None:
        """Add single entries to single queries; an undecided one counts for the rank if its score says so."""
        scores = np.empty(len(rows))
        step = max(1, len(block) // 3)  # three vectors of eight bytes a pair, in the room of the block's in float64
        for start in range(0, len(rows), step):
            of = slice(start, start + step)
            scores[of] = _products(self._wide, rows[of], block, entries[of])
        self.rank += np.bincount(rows[undecided & (scores >= self._floor[rows])], minlength=len(self.rank))
        self._near.add(rows, scores, entries + offset)

    def _add_all(self, rows: npt.NDArray[np.int64], block: Vectors, offset: int) -> None:
        """Add the whole block to some queries."""
        scores = self._wide[rows] @ block.astype(np.float64).T
        self._gold.of_queries(rows).mask(offset, scores)
        self.rank[rows] += np.count_nonzero(scores >= self._floor[rows, None], axis=1)
        best = [self._near.best(row, of_row) for row, of_row in zip(rows.tolist(), scores, strict=True)]
        at, entries = np.repeat(np.arange(len(rows)), [len(those) for those in best]), np.concatenate(best)
        self._near.add(rows[at], scores[at, entries], entries + offset)

    def nearest(self) -> tuple[npt.NDArray[np.int64], Scores]:
        """Return the nearest entries, gold ones included, and their scores; -1 and NaN behind the last."""
        return self._near.with_gold(self._gold.entries, self._gold_scores)


def _rounded(bounds: Scores, to: float) -> npt.NDArray[np.float32]:
    """Return the bounds in float32, rounded towards ``to`` so that they stay bounds."""
    return np.nextafter(bounds.astype(np.float32), np.float32(to))


class _Nearest:
    """The exact best entries of some queries while blocks of the gallery are added in order."""

    def __init__(self, queries: int, size: int, noise: float) -> None:
        self.size, self.noise = size, noise
        self.score = np.full((queries, size), -np.inf)
        self.entry = np.full((queries, size), -1, dtype=np.int64)

    def least_estimates(self, estimates: npt.NDArray[np.float32], error: float) -> npt.NDArray[np.float32]:
        """Return the bound for each query below which no estimate of a block belongs to one of its best entries."""
        last = self.score[:, -1]
        least = last - error
        if np.isneginf(last).any():
            # As many entries as are kept have estimates from here on, so products at most the error below.
            groups = max(_GROUPS, 8 * self.size)
            each = estimates.shape[1] // groups
            best = estimates
            if each > 1:
                best = estimates[:, : each * groups].reshape(-1, each, groups).max(axis=1)
            if best.shape[1] >= self.size:
                least = np.maximum(least, np.partition(best, -self.size, axis=1)[:, -self.size] - 2 * error)
        return np.maximum(_rounded(least, -np.inf), _LEAST)

    def best(self, query: int, scores: Scores) -> npt.NDArray[np.int64]:
        """Return where a block has entries that may be among the query's best: few, however many tie."""
        if not self.size or scores.max() <= self.score[query, -1] + self.noise:
            return np.zeros(0, dtype=np.int64)
        last = np.partition(scores, -self.size)[-self.size] if len(scores) > self.size else -np.inf
        above = np.flatnonzero(scores > last + self.noise)
        ties = np.flatnonzero(np.abs(scores - last) <= self.noise) if last > -np.inf else above[:0]
        return np.sort(np.concatenate([above, ties[: self.size]]))

    def add(self, rows: npt.NDArray[np.int64], scores: Scores, entries: npt.NDArray[np.int64]) -> None:
        """Add pairs, sorted by query and entry: an entry must beat a query's last kept one by more than the noise."""
        if not self.size:
            return
        beats = scores > self.score[rows, -1] + self.noise
        queries, first, place = np.unique(rows[beats], return_index=True, return_inverse=True)
        if not len(queries):
            return
        at = self.size + np.arange(len(place)) - first[place]
        score = np.full((len(queries), int(at.max()) + 1), -np.inf)
        entry = np.full(score.shape, -1, dtype=np.int64)
        score[:, : self.size], entry[:, : self.size] = self.score[queries], self.entry[queries]
        score[place, at], entry[place, at] = scores[beats], entries[beats]
        order = _order_with_ties(score, self.noise)[:, : self.size]
        self.score[queries] = np.take_along_axis(score, order, axis=1)
        self.entry[queries] = np.take_along_axis(entry, order, axis=1)

    def with_gold(self, gold: npt.NDArray[np.int64], gold_scores: Scores) -> tuple[npt.NDArray[np.int64], Scores]:
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


def _order_with_ties(scores: Scores, noise: float) -> npt.NDArray[np.int64]:
    """Return each row's order by falling score; scores closer than the noise are ties and keep their order."""
    order = np.argsort(-scores, axis=1, kind="stable")
    ranked = np.take_along_axis(scores, order, axis=1)
    apart = np.zeros(scores.shape, dtype=bool)
    with np.errstate(invalid="ignore"):  # -inf minus -inf behind the end
        apart[:, 1:] = ranked[:, :-1] - ranked[:, 1:] > noise
    return np.take_along_axis(order, np.lexsort((order, np.cumsum(apart, axis=1)), axis=1), axis=1)


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
