"""From vectors to scores: recall both ways over one gallery, with every denominator."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evaluation.metrics.retrieval import SearchResult, recall_at, search

# Ranks as evaluation.metrics.retrieval defines them: a tie is lost, missing queries are counted apart.
PROFILE = "retrieval/ties-against"
RESAMPLES = 1000
# How many of a system's first answers are kept with each query.
NEAREST = 10
# The split whose pictures and texts are the gallery (CVLUE section 5 reports its test split).
GALLERY_SPLIT = "test"


# A text looks for its picture; a picture looks for one of its texts.
SCOPES = ("t2i", "i2t")
# What belongs to no category, or to a category without a group: counted, so that groups add up to the whole.
NO_GROUP = "-"
# How groups of pictures are formed: W-E14.
GROUP_BYS = ("category", "distance")


class Entry(NamedTuple):
    """A revision in the gallery: its picture and the variants of its texts.

    ``rendition_sha256`` names the picture file the release publishes it with; ``category`` and ``distance`` are the
    picture's groups, :data:`NO_GROUP` where it has none.
    """

    item_id: int
    revision_no: int
    image_id: int
    rendition_sha256: str
    texts: tuple[str, ...]
    category: str = NO_GROUP
    distance: str = NO_GROUP


class Line(NamedTuple):
    """One score, ready to be stored; ``value`` is None where nothing could be scored.

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
    """How one query came out, ready to be stored: see ``evaluation.scoring.models.QueryRank``."""

    scope: str
    ordinal: int
    item_id: int
    variant: str
    image_id: int
    category: str
    distance: str
    rank: int | None
    nearest: list[list[Any]]


class Answer(NamedTuple):
    """What a run has for one variant of an item; ``vector`` is None where the system failed."""

    item_id: int
    variant: str
    vector: npt.NDArray[np.float32] | None


def cutoffs_of(ks: Sequence[int]) -> dict[str, int]:
    """The metrics that are a share of hits, each with how far down a hit may stand: ``R@5`` → 5."""
    return {f"R@{k}": k for k in ks}


def metrics_of(ks: Sequence[int]) -> list[str]:
    """Names of all metrics, in their order."""
    return list(cutoffs_of(ks))


def gallery_digest(entries: Sequence[Entry], split: str) -> str:
    """SHA-256 that names a gallery: which revisions with which picture files, in which order."""
    lines = (f"{e.item_id} {e.revision_no} {e.image_id} {e.rendition_sha256} {len(e.texts)}\n" for e in entries)
    return hashlib.sha256((f"{split}\n" + "".join(lines)).encode()).hexdigest()


def bootstrap_seed(digest: str) -> int:
    """The bootstrap's seed: 32 bits of the gallery's digest, so that the same gallery gives the same interval."""
    return int(digest[:8], 16)


class Side:
    """One side of a gallery, its pictures or its texts, with what a system made of each.

    Attributes:
        items: Item of each entry; of a picture that several items share, the first.
        variants: Its variant.
        places: The picture each entry is or belongs to, as a place among the pictures.
    """

    def __init__(self, items: list[int], variants: list[str], places: list[int]) -> None:
        self.items = items
        self.variants = variants
        self.places = np.array(places, dtype=np.int64)
        self.known = np.zeros(len(items), dtype=bool)
        self.answered = np.zeros(len(items), dtype=bool)
        self._vectors = np.zeros((0, 0), dtype=np.float32)

    def put(self, at: int, vector: npt.NDArray[np.float32] | None) -> None:
        """Note an answer; the first vector of an entry stays."""
        self.known[at] = True
        if vector is None or self.answered[at]:
            return
        if not self._vectors.size:
            self._vectors = np.zeros((len(self.items), len(vector)), dtype=np.float32)
        self._vectors[at] = vector
        self.answered[at] = True

    def vectors(self, width: int) -> npt.NDArray[np.float32]:
        """Vectors of what was answered, in order; without a copy where that is everything."""
        if not self._vectors.size:
            return np.zeros((0, width), dtype=np.float32)
        return self._vectors if self.answered.all() else self._vectors[self.answered]

    @property
    def width(self) -> int:
        """Numbers a vector; 0 while there is none."""
        return self._vectors.shape[1]


class Gallery:
    """A split with a system's answers laid over it; built once, filled answer by answer, so that vectors exist once."""

    def __init__(self, entries: Sequence[Entry], *, image: str) -> None:
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
            self._at[entry.item_id, image] = (False, place[entry.image_id])
            for variant in entry.texts:
                self._at[entry.item_id, variant] = (True, len(items))
                items.append(entry.item_id)
                variants.append(variant)
                places.append(place[entry.image_id])
        self.image_ids = [e.image_id for e in firsts]
        self.groups = {"category": [e.category for e in firsts], "distance": [e.distance for e in firsts]}
        self.pictures = Side([e.item_id for e in firsts], [image] * len(firsts), list(range(len(firsts))))
        self.texts = Side(items, variants, places)

    def fill(self, answers: Iterable[Answer]) -> None:
        """Lay answers over the gallery; the first vector of a picture that several items share is taken.

        Raises:
            ValueError: Vectors of several widths.
        """
        for item_id, variant, vector in answers:
            is_text, at = self._at.get((item_id, variant), (False, -1))
            if at >= 0:
                (self.texts if is_text else self.pictures).put(at, vector)
        if self.pictures.width and self.texts.width and self.pictures.width != self.texts.width:
            raise ValueError(f"vectors of {self.pictures.width} and of {self.texts.width} numbers")

    def group_counts(self) -> dict[tuple[str, str], int]:
        """Pictures of each group; a way of grouping that sets nothing apart is left out."""
        found: dict[tuple[str, str], int] = {}
        for group_by in GROUP_BYS:
            counts = Counter(self.groups[group_by])
            if set(counts) - {NO_GROUP}:
                found |= {(group_by, group): n for group, n in counts.items()}
        return found


def score(gallery: Gallery, *, ks: Sequence[int], seed: int) -> tuple[list[Line], Iterator[Rank]]:
    """Score text → picture (t2i) and picture → text (i2t), over everything and over each group of pictures.

    A query is missing when its own prediction or that of all its gold entries is not there yet, failed when the
    system could not answer for one of these; neither counts as a miss, both are counted. What has a vector stays in
    the gallery as a distractor in any case. A group's queries search the whole gallery.

    Args:
        gallery: With the system's answers.
        ks: Values of k.
        seed: Of the bootstrap.

    Returns:
        The scores, and how each query came out.
    """
    sides = {"t2i": (gallery.texts, gallery.pictures), "i2t": (gallery.pictures, gallery.texts)}
    n = len(gallery.image_ids)
    details = {
        "images": int(gallery.pictures.answered.sum()),
        "texts": int(gallery.texts.answered.sum()),
        "seed": seed,
        "resamples": RESAMPLES,
        "cluster": "image",
    }
    lines: list[Line] = []
    found: list[_Outcome] = []
    for scope, (asked, sought) in sides.items():
        has_known = np.bincount(sought.places[sought.known], minlength=n) > 0
        has_vector = np.bincount(sought.places[sought.answered], minlength=n) > 0
        missing = ~(asked.known & has_known[asked.places])
        ranked = asked.answered & has_vector[asked.places]
        rank = np.zeros(len(asked.items), dtype=np.int64)
        width = asked.width or sought.width or 1
        inside = ranked[asked.answered]
        result = search(
            asked.vectors(width) if inside.all() else asked.vectors(width)[inside],
            sought.vectors(width),
            query_owner=asked.places[ranked],
            gallery_owner=sought.places[sought.answered],
            nearest=NEAREST,
        )
        rank[ranked] = result.rank
        found.append(_Outcome(scope, asked, sought, ranked, rank, result))
        cluster = asked.places if scope == "t2i" else None
        for group_by, group, among in _groups(gallery, asked):
            counts = (int(among.sum()), int((among & ranked).sum()), int((among & missing).sum()))
            part = among & ranked
            of = None if cluster is None else cluster[part]
            lines += _lines(scope, group_by, group, rank[part], of, ks, counts, details)
    return lines, (each for outcome in found for each in _ranks(gallery, outcome))


class _Outcome(NamedTuple):
    scope: str
    asked: Side
    sought: Side
    ranked: npt.NDArray[np.bool_]
    rank: npt.NDArray[np.int64]
    result: SearchResult


def _groups(gallery: Gallery, asked: Side) -> Iterator[tuple[str, str, npt.NDArray[np.bool_]]]:
    """Everything, then each group, with the queries that belong to it."""
    yield "", "", np.ones(len(asked.items), dtype=bool)
    counts = gallery.group_counts()
    for group_by in GROUP_BYS:
        of_pictures = np.array(gallery.groups[group_by], dtype=object)
        for group in sorted(group for by, group in counts if by == group_by):
            yield group_by, group, (of_pictures == group)[asked.places]


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
    told = (expected, scored, missing, expected - scored - missing)
    lines = []
    for metric, k in cutoffs_of(ks).items():
        if scored == 0:
            lines.append(Line(scope, group_by, group, metric, None, None, None, *told, details))
            continue
        recall = recall_at(rank, k, cluster=cluster, resamples=RESAMPLES, seed=details["seed"])
        more = {**details, "hits": recall.hits, "interval": recall.interval.method}
        ends = (recall.value, recall.interval.low, recall.interval.high)
        lines.append(Line(scope, group_by, group, metric, *ends, *told, more))
    return lines


def _ranks(gallery: Gallery, outcome: _Outcome) -> Iterator[Rank]:
    """Every query that was to be asked, ranked or not, in the gallery's order."""
    scope, asked, sought, ranked, rank, result = outcome
    sought_at = np.flatnonzero(sought.answered)
    row_of = np.cumsum(ranked) - 1
    for ordinal, (item_id, variant, place) in enumerate(
        zip(asked.items, asked.variants, asked.places.tolist(), strict=True)
    ):
        nearest: list[list[Any]] = []
        if ranked[ordinal]:
            row = int(row_of[ordinal])
            for entry, similarity in zip(result.nearest[row].tolist(), result.similarity[row].tolist(), strict=True):
                if entry >= 0:
                    at = int(sought_at[entry])
                    nearest.append([sought.items[at], sought.variants[at], round(similarity, 6)])
        yield Rank(
            scope,
            ordinal,
            item_id,
            variant,
            gallery.image_ids[place],
            gallery.groups["category"][place],
            gallery.groups["distance"][place],
            int(rank[ordinal]) - 1 if ranked[ordinal] else None,
            nearest,
        )
