"""The exact best entries of queries, kept while blocks of a gallery are added; :mod:`evaluation.metrics.retrieval`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]

_GROUPS = 128  # of a block's entries, whose best ones bound the nearest from below
_LEAST = np.finfo(np.float32).min  # what is not above it is no competing entry


def rounded(bounds: Scores, to: float) -> npt.NDArray[np.float32]:
    """Return the bounds in float32, rounded towards ``to`` so that they stay bounds."""
    return np.nextafter(bounds.astype(np.float32), np.float32(to))


class Nearest:
    """The exact best entries of some queries while blocks of the gallery are added in order."""

    def __init__(self, queries: int, size: int, noise: float) -> None:
        self.size, self.noise = size, noise
        self.score = np.full((queries, size), -np.inf)
        self.entry = np.full((queries, size), -1, dtype=np.int64)

    def least_estimates(
        self, queries: slice, estimates: npt.NDArray[np.float32], error: float
    ) -> npt.NDArray[np.float32]:
        """Return the bound for each query below which no estimate of a block belongs to one of its best entries."""
        last = self.score[queries, -1]
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
        return np.maximum(rounded(least, -np.inf), _LEAST)

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

    def merge_gold(self, queries: slice, gold: npt.NDArray[np.int64], gold_scores: Scores) -> None:
        """Merge some queries' gold entries, each behind the entries with which it ties; NaN behind the last."""
        entry = np.concatenate([self.entry[queries], gold], axis=1)
        score = np.concatenate([self.score[queries], gold_scores], axis=1)
        # Lowered by the noise, a gold entry sorts behind its ties; its rank counts them the same way.
        key = np.concatenate([self.score[queries], gold_scores - self.noise], axis=1)
        # The kept entries are in order, with ties decided by gallery order; a falling key preserves that.
        key[:, : self.size] = np.minimum.accumulate(key[:, : self.size], axis=1)
        order = np.argsort(-key, axis=1, kind="stable")[:, : self.size]
        entry, score = np.take_along_axis(entry, order, axis=1), np.take_along_axis(score, order, axis=1)
        self.entry[queries], self.score[queries] = entry, np.where(entry >= 0, score, np.nan)


def _order_with_ties(scores: Scores, noise: float) -> npt.NDArray[np.int64]:
    """Return each row's order by falling score; scores closer than the noise are ties and keep their order."""
    order = np.argsort(-scores, axis=1, kind="stable")
    ranked = np.take_along_axis(scores, order, axis=1)
    apart = np.zeros(scores.shape, dtype=bool)
    with np.errstate(invalid="ignore"):  # -inf minus -inf behind the end
        apart[:, 1:] = ranked[:, :-1] - ranked[:, 1:] > noise
    return np.take_along_axis(order, np.lexsort((order, np.cumsum(apart, axis=1)), axis=1), axis=1)
