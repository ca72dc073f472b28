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

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evaluation.metrics.intervals import Interval, clustered, wilson
from evaluation.metrics.nearest import Nearest, Scores, rounded

Vectors = npt.NDArray[np.float32]
Owners = npt.NDArray[np.int64]

# Memory limit of a search besides its inputs and result: one block of scores with its comparisons, and the block's
# vectors in float64.
BLOCK_BYTES = 64_000_000
_QUERIES = 512  # per block; with fewer, matrix products are slower
# Up to this share of a block's entries a query's products are computed in float64 one by one; above it all together,
# which takes a fortieth of the time for each.
_ONE_BY_ONE = 1 / 64
_PAIRS = 64  # computed at a time, so that their vectors in float64 stay in the processor's cache
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
    _refuse_what_is_not_finite(queries, gallery)
    n = len(queries)
    if n == 0:
        return _no_result(nearest)
    if not np.isin(query_owner, gallery_owner).all():
        raise ValueError("a query has no gold entry in the gallery")
    ranking = _Ranking(queries, gallery, query_owner, gallery_owner, nearest)
    for part, others, estimates in _all_estimates(queries, gallery, block_bytes):
        ranking.add_block(part, estimates, gallery[others], others.start)
    return ranking.result()


def search_both_ways(
    texts: Vectors,
    pictures: Vectors,
    *,
    text_owner: Owners,
    picture_owner: Owners,
    nearest: int = 10,
    block_bytes: int = BLOCK_BYTES,
) -> tuple[SearchResult, SearchResult]:
    """Search the pictures for each text, and the texts for each picture, as :func:`search` does each.

    Both need the product of each text with each picture, so each is computed once for both. An entry without a gold one
    on the other side is no query, and only a distractor.

    Returns:
        The results of the texts with a gold picture, and of the pictures with a gold text, in order.

    Raises:
        ValueError: A vector has a value that is not finite.
    """
    _refuse_what_is_not_finite(texts, pictures)
    if not np.isin(text_owner, picture_owner).any():
        return _no_result(nearest), _no_result(nearest)
    of_texts = _Ranking(texts, pictures, text_owner, picture_owner, nearest)
    of_pictures = _Ranking(pictures, texts, picture_owner, text_owner, nearest)
    for part, others, estimates in _all_estimates(texts, pictures, block_bytes):
        of_pictures.add_block(others, estimates.T.copy(), texts[part], part.start)
        of_texts.add_block(part, estimates, pictures[others], others.start)
    return of_texts.result(), of_pictures.result()


def _all_estimates(
    queries: Vectors, gallery: Vectors, block_bytes: int
) -> Iterator[tuple[slice, slice, npt.NDArray[np.float32]]]:
    """Yield all products in float32, block by block: the queries, the entries of the gallery, and their products.

    The next block is computed while the last one is used: products take about as long as what is done with them.
    """
    rows, columns = _block(queries.shape[1], len(queries), block_bytes)
    blocks = (
        (slice(top, top + rows), slice(left, left + columns))
        for top in range(0, len(queries), rows)
        for left in range(0, len(gallery), columns)
    )
    with ThreadPoolExecutor(1) as ahead:
        last: tuple[slice, slice, Future[npt.NDArray[np.float32]]] | None = None
        for part, others in blocks:
            computed = ahead.submit(_estimates, queries[part], gallery[others])
            if last is not None:
                yield last[0], last[1], last[2].result()
            last = part, others, computed
        if last is not None:
            yield last[0], last[1], last[2].result()


def _estimates(queries: Vectors, block: Vectors) -> npt.NDArray[np.float32]:
    """Return all products in float32; where they overflow no ranking uses them."""
    with np.errstate(over="ignore", invalid="ignore"):
        estimates: npt.NDArray[np.float32] = queries @ block.T
    return estimates


def _refuse_what_is_not_finite(*sides: Vectors) -> None:
    if not all(np.isfinite(vectors).all() for vectors in sides):
        raise ValueError("a vector holds something that is no finite number")


def _no_result(nearest: int) -> SearchResult:
    return SearchResult(np.zeros(0, np.int64), np.zeros((0, nearest), np.int64), np.zeros((0, nearest)))


def _block(d: int, queries: int, block_bytes: int) -> tuple[int, int]:
    """Return a block's number of queries and gallery entries; it holds scores, their comparisons and both vectors.

    For each pair these are an estimate, the same the other way round and of the next block, three comparisons, and a
    score in float64.
    """
    rows = max(1, min(queries, _QUERIES, block_bytes // (64 * d)))
    columns = max(1, (block_bytes - 20 * d * rows) // (24 * rows + 8 * d))
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

    def of_queries(self, rows: slice | npt.NDArray[np.int64]) -> _Gold:
        """Return the gold entries of some queries."""
        return _Gold(self.entries[rows])

    def scores(self, queries: Vectors, gallery: Vectors) -> Scores:
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
    queries: Vectors, rows: npt.NDArray[np.int64], gallery: Vectors, entries: npt.NDArray[np.int64]
) -> Scores:
    """Return the product of each pair of a query and a gallery entry, in float64."""
    products = np.empty(len(rows))
    for start in range(0, len(rows), _PAIRS):
        of = slice(start, start + _PAIRS)
        pairs = queries[rows[of]].astype(np.float64), gallery[entries[of]].astype(np.float64)
        products[of] = np.einsum("nd,nd->n", *pairs)
    return products


class _Ranking:
    """The queries' ranks and nearest entries while blocks of queries and gallery are added.

    For each query the gallery's blocks have to come in order. A query without a gold entry has no result.

    Attributes:
        rank: One plus the competing entries so far that score at least as high as the best gold entry.
    """

    def __init__(
        self, queries: Vectors, gallery: Vectors, query_owner: Owners, gallery_owner: Owners, size: int
    ) -> None:
        self._has_gold = np.isin(query_owner, gallery_owner)
        errors = _Errors.of(queries if self._has_gold.all() else queries[self._has_gold], gallery)
        self._queries, self._gold = queries, _Gold.of(query_owner, gallery_owner)
        self._gold_scores = self._gold.scores(queries, gallery)
        self._floor = np.where(self._has_gold, self._gold_scores.max(axis=1) - errors.noise, np.inf)
        self._error = errors.estimate
        self._near = Nearest(len(queries), size, errors.noise)
        self.rank = np.ones(len(queries), dtype=np.int64)

    def add_block(self, part: slice, estimates: npt.NDArray[np.float32], block: Vectors, offset: int) -> None:
        """Add the next entries of the gallery to some queries.

        Args:
            part: The queries.
            estimates: Their products with the entries, a row for each query; this changes them.
            block: The entries.
            offset: Where the first of them is in the gallery.
        """
        if np.isinf(self._error):
            self._add_all(np.arange(len(self.rank))[part], block, offset)
            return
        floor = self._floor[part]
        self._gold.of_queries(part).mask(offset, estimates)
        # An estimate this far above the floor is above it in float64, too, and one this far below is below it.
        certain = estimates >= rounded(floor + self._error, np.inf)[:, None]
        close = estimates >= rounded(floor - self._error, -np.inf)[:, None]
        np.greater(close, certain, out=close)
        if self._near.size:
            close |= estimates >= self._near.least_estimates(part, estimates, self._error)[:, None]
        many = np.count_nonzero(close, axis=1) > max(4 * self._near.size, _ONE_BY_ONE * len(block))
        close[many] = certain[many] = False
        self.rank[part] += np.count_nonzero(certain, axis=1)
        rows, entries = np.divmod(np.flatnonzero(close), len(block))
        self._add_pairs(rows + part.start, entries, ~certain[rows, entries], block, offset)
        if many.any():
            self._add_all(np.flatnonzero(many) + part.start, block, offset)

    def _add_pairs(
        self,
        rows: npt.NDArray[np.int64],
        entries: npt.NDArray[np.int64],
        undecided: npt.NDArray[np.bool_],
        block: Vectors,
        offset: int,
    ) -> None:
        """Add single entries to single queries; an undecided one counts for the rank if its score says so."""
        scores = _products(self._queries, rows, block, entries)
        np.add.at(self.rank, rows[undecided & (scores >= self._floor[rows])], 1)
        self._near.add(rows, scores, entries + offset)

    def _add_all(self, rows: npt.NDArray[np.int64], block: Vectors, offset: int) -> None:
        """Add the whole block to some queries."""
        wide = block.astype(np.float64).T
        for start in range(0, len(rows), _QUERIES):
            some = rows[start : start + _QUERIES]
            scores = self._queries[some].astype(np.float64) @ wide
            self._gold.of_queries(some).mask(offset, scores)
            self.rank[some] += np.count_nonzero(scores >= self._floor[some, None], axis=1)
            best = [self._near.best(row, of_row) for row, of_row in zip(some.tolist(), scores, strict=True)]
            at, entries = np.repeat(np.arange(len(some)), [len(those) for those in best]), np.concatenate(best)
            self._near.add(some[at], scores[at, entries], entries + offset)

    def result(self) -> SearchResult:
        """Return the ranks and the nearest entries, gold ones included, of the queries that have a gold entry."""
        for start in range(0, len(self.rank), _PAIRS):
            part = slice(start, start + _PAIRS)
            self._near.merge_gold(part, self._gold.entries[part], self._gold_scores[part])
        has = slice(None) if self._has_gold.all() else self._has_gold
        return SearchResult(self.rank[has], self._near.entry[has], self._near.score[has])


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
