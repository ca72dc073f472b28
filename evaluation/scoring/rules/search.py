"""Scores from vectors: recall in both directions over one gallery, with every denominator."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evaluation.metrics.retrieval import SearchResult, recall_at, search_both_ways
from evaluation.profiles.results import Outcome

# Ranks as in evaluation.metrics.retrieval: a tie counts against the system, missing queries are counted separately.
PROFILE = "retrieval/ties-against"
RESAMPLES = 1000  # of the bootstrap; 25 values beyond each end of a 95% interval
# How many of a system's nearest entries are stored with each query.
NEAREST = 10
# The variants of an item's answers: its picture, and each of its texts.
IMAGE = "image"


def text_variant(part: int) -> str:
    """Return the variant of an item's text by its place."""
    return f"caption-{part}"


# t2i: a text retrieves its picture; i2t: a picture retrieves one of its texts.
SCOPES = ("t2i", "i2t")
# The group of pictures without a category or without a distance, so that the groups add up to the whole.
NO_GROUP = "-"
# How pictures are grouped.
GROUP_BYS = ("category", "distance")


class Entry(NamedTuple):
    """A revision in the gallery: its picture and the variants of its texts.

    ``rendition_sha256`` identifies the published picture file. ``category`` and ``distance`` are the picture's groups,
    :data:`NO_GROUP` without one.
    """

    item_id: int
    revision_no: int
    image_id: int
    rendition_sha256: str
    texts: tuple[str, ...]
    category: str = NO_GROUP
    distance: str = NO_GROUP


class Line(NamedTuple):
    """One score to store; ``value`` is None if nothing was scored.

    ``group_by`` and ``group`` are empty for the score over everything.
    """

    scope: str
    group_by: str
    group: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    n_expected: int
    n_scored: int
    n_missing: int
    n_failed: int
    details: dict[str, Any]


class Rank(NamedTuple):
    """The result of one query to store; see ``evaluation.scoring.models.EntryResult``."""

    scope: str
    ordinal: int
    item_id: int
    variant: str
    outcome: Outcome
    rank: int | None
    nearest: list[list[Any]]


class Answer(NamedTuple):
    """A run's answer for one variant of an item; ``vector`` is None if the system failed."""

    item_id: int
    variant: str
    vector: npt.NDArray[np.float32] | None


def cutoffs_of(ks: Sequence[int]) -> dict[str, int]:
    """Return the metrics that are shares of hits, with the lowest rank of a hit: ``R@5`` → 5."""
    return {f"R@{k}": k for k in ks}


def metrics_of(ks: Sequence[int]) -> list[str]:
    """Return the names of all metrics in order."""
    return list(cutoffs_of(ks))


def gallery_digest(entries: Sequence[Entry], split: str) -> str:
    """Compute the SHA-256 of a gallery: its revisions and picture files, in order."""
    lines = (f"{e.item_id} {e.revision_no} {e.image_id} {e.rendition_sha256} {len(e.texts)}\n" for e in entries)
    return hashlib.sha256((f"{split}\n" + "".join(lines)).encode()).hexdigest()


def bootstrap_seed(digest: str) -> int:
    """Return the bootstrap's seed, 32 bits of the gallery's digest: equal galleries give equal intervals."""
    return int(digest[:8], 16)


class Side:
    """One side of a gallery, its pictures or its texts, with a system's answers.

    Attributes:
        items: The item of each entry; for a picture of several items, the first item.
        variants: The variant of each entry.
        places: The index of each entry's picture among the pictures.
    """

    def __init__(self, items: list[int], variants: list[str], places: list[int]) -> None:
        self.items = items
        self.variants = variants
        self.places = np.array(places, dtype=np.int64)
        self.has_prediction = np.zeros(len(items), dtype=bool)
        self.has_vector = np.zeros(len(items), dtype=bool)
        self._vectors = np.zeros((0, 0), dtype=np.float32)

    def put(self, at: int, vector: npt.NDArray[np.float32] | None) -> None:
        """Record an answer; the first vector of an entry stays."""
        self.has_prediction[at] = True
        if vector is None or self.has_vector[at]:
            return
        if not self._vectors.size:
            self._vectors = np.zeros((len(self.items), len(vector)), dtype=np.float32)
        self._vectors[at] = vector
        self.has_vector[at] = True

    def vectors(self, width: int) -> npt.NDArray[np.float32]:
        """Return the recorded vectors in order; without a copy if there is one for each entry."""
        if not self._vectors.size:
            return np.zeros((0, width), dtype=np.float32)
        return self._vectors if self.has_vector.all() else self._vectors[self.has_vector]

    @property
    def width(self) -> int:
        """Length of the vectors; 0 while there is none."""
        return self._vectors.shape[1]


class Gallery:
    """A split with a system's answers; filled answer by answer, so that each vector exists only once."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        place: dict[int, int] = {}
        firsts: list[Entry] = []
        self._at: dict[tuple[int, str], tuple[bool, int]] = {}
        items: list[int] = []
        variants: list[str] = []
        places: list[int] = []
        for entry in entries:
            if entry.image_id not in place:
                place[entry.image_id] = len(firsts)
                firsts.append(entry)
            self._at[entry.item_id, IMAGE] = (False, place[entry.image_id])
            for variant in entry.texts:
                self._at[entry.item_id, variant] = (True, len(items))
                items.append(entry.item_id)
                variants.append(variant)
                places.append(place[entry.image_id])
        self.image_ids = [e.image_id for e in firsts]
        self.groups = {"category": [e.category for e in firsts], "distance": [e.distance for e in firsts]}
        self.pictures = Side([e.item_id for e in firsts], [IMAGE] * len(firsts), list(range(len(firsts))))
        self.texts = Side(items, variants, places)

    def fill(self, answers: Iterable[Answer]) -> None:
        """Record answers; for a picture of several items the first vector counts.

        Raises:
            ValueError: Vectors differ in length.
        """
        for item_id, variant, vector in answers:
            is_text, at = self._at.get((item_id, variant), (False, -1))
            if at >= 0:
                (self.texts if is_text else self.pictures).put(at, vector)
        if self.pictures.width and self.texts.width and self.pictures.width != self.texts.width:
            raise ValueError(f"vectors of {self.pictures.width} and of {self.texts.width} numbers")

    def group_counts(self) -> dict[tuple[str, str], int]:
        """Count the pictures of each group; skip groupings with no group."""
        sizes: dict[tuple[str, str], int] = {}
        for group_by in GROUP_BYS:
            counts = Counter(self.groups[group_by])
            if set(counts) - {NO_GROUP}:
                sizes |= {(group_by, group): n for group, n in counts.items()}
        return sizes


def score(gallery: Gallery, *, ks: Sequence[int], seed: int) -> tuple[list[Line], Iterator[Rank]]:
    """Score text → picture (t2i) and picture → text (i2t), over everything and for each group of pictures.

    A query is missing if there is no prediction yet for it, or for any of its gold entries. It failed if the system
    failed on one of these. Neither counts as a miss, and both are counted separately. Every entry with a vector stays
    in the gallery as a distractor. The queries of a group search the whole gallery.

    Args:
        gallery: The gallery with the system's answers.
        ks: Values of k.
        seed: Seed of the bootstrap.

    Returns:
        The scores, and the result of each query.
    """
    sides = {"t2i": (gallery.texts, gallery.pictures), "i2t": (gallery.pictures, gallery.texts)}
    n = len(gallery.image_ids)
    details = {
        "images": int(gallery.pictures.has_vector.sum()),
        "texts": int(gallery.texts.has_vector.sum()),
        "seed": seed,
        "resamples": RESAMPLES,
        "cluster": "image",
    }
    lines: list[Line] = []
    searches: list[_Search] = []
    width = gallery.texts.width or gallery.pictures.width or 1
    results = search_both_ways(
        gallery.texts.vectors(width),
        gallery.pictures.vectors(width),
        text_owner=gallery.texts.places[gallery.texts.has_vector],
        picture_owner=gallery.pictures.places[gallery.pictures.has_vector],
        nearest=NEAREST,
    )
    for (scope, (queries, targets)), result in zip(sides.items(), results, strict=True):
        has_known = np.bincount(targets.places[targets.has_prediction], minlength=n) > 0
        has_vector = np.bincount(targets.places[targets.has_vector], minlength=n) > 0
        missing = ~(queries.has_prediction & has_known[queries.places])
        ranked = queries.has_vector & has_vector[queries.places]
        rank = np.zeros(len(queries.items), dtype=np.int64)
        rank[ranked] = result.rank
        searches.append(_Search(scope, queries, targets, missing, ranked, rank, result))
        cluster = queries.places if scope == "t2i" else None
        for group_by, group, among in _groups(gallery, queries):
            counts = (int(among.sum()), int((among & ranked).sum()), int((among & missing).sum()))
            part = among & ranked
            of = None if cluster is None else cluster[part]
            lines += _lines(scope, group_by, group, rank[part], of, ks, counts, details)
    return lines, (each for search in searches for each in _ranks(search))


class _Search(NamedTuple):
    scope: str
    queries: Side
    targets: Side
    missing: npt.NDArray[np.bool_]
    ranked: npt.NDArray[np.bool_]
    rank: npt.NDArray[np.int64]
    result: SearchResult


def _groups(gallery: Gallery, queries: Side) -> Iterator[tuple[str, str, npt.NDArray[np.bool_]]]:
    """Yield everything, then each group, with a mask of its queries."""
    yield "", "", np.ones(len(queries.items), dtype=bool)
    counts = gallery.group_counts()
    for group_by in GROUP_BYS:
        of_pictures = np.array(gallery.groups[group_by], dtype=object)
        for group in sorted(group for by, group in counts if by == group_by):
            yield group_by, group, (of_pictures == group)[queries.places]


def _lines(
    scope: str,
    group_by: str,
    group: str,
    rank: npt.NDArray[np.int64],
    cluster: npt.NDArray[np.int64] | None,
    ks: Sequence[int],
    counts: tuple[int, int, int],
    details: dict[str, Any],
) -> list[Line]:
    expected, scored, missing = counts
    counts_stored = (expected, scored, missing, expected - scored - missing)
    lines = []
    for metric, k in cutoffs_of(ks).items():
        if scored == 0:
            lines.append(Line(scope, group_by, group, metric, None, None, None, *counts_stored, details))
            continue
        recall = recall_at(rank, k, cluster=cluster, resamples=RESAMPLES, seed=details["seed"])
        more = {**details, "hits": recall.hits, "interval": recall.interval.method}
        ends = (recall.value, recall.interval.low, recall.interval.high)
        lines.append(Line(scope, group_by, group, metric, *ends, *counts_stored, more))
    return lines


def _ranks(search: _Search) -> Iterator[Rank]:
    """Yield every query, ranked or not, in the gallery's order."""
    scope, queries, targets, missing, ranked, rank, result = search
    sought_at = np.flatnonzero(targets.has_vector)
    row_of = np.cumsum(ranked) - 1
    for ordinal, (item_id, variant) in enumerate(zip(queries.items, queries.variants, strict=True)):
        if not ranked[ordinal]:
            yield Rank(scope, ordinal, item_id, variant, "missing" if missing[ordinal] else "failed", None, [])
            continue
        nearest: list[list[Any]] = []
        row, place = int(row_of[ordinal]), int(rank[ordinal]) - 1
        for entry, similarity in zip(result.nearest[row].tolist(), result.similarity[row].tolist(), strict=True):
            if entry >= 0:
                at = int(sought_at[entry])
                nearest.append([targets.items[at], targets.variants[at], round(similarity, 6)])
        yield Rank(scope, ordinal, item_id, variant, "wrong" if place else "right", place, nearest)
