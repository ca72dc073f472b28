"""From vectors to scores: recall both ways over one gallery, with every denominator."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evaluation.metrics.retrieval import ranks, recall_at

# Ranks as evaluation.metrics.retrieval defines them: a tie is lost, missing queries are counted apart.
PROFILE = "retrieval/ties-against"
RESAMPLES = 1000
# The split whose pictures and texts are the gallery (CVLUE section 5 reports its test split).
GALLERY_SPLIT = "test"


class Entry(NamedTuple):
    """A revision in the gallery: its picture and the variants of its texts.

    ``rendition_sha256`` names the picture file the release publishes it with.
    """

    item_id: int
    revision_no: int
    image_id: int
    rendition_sha256: str
    texts: tuple[str, ...]


class Line(NamedTuple):
    """One score, ready to be stored; ``value`` is None where nothing could be scored."""

    scope: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    n_expected: int
    n_scored: int
    n_missing: int
    n_failed: int
    details: dict[str, Any]


# (item, variant) → the vector; None: the system failed; absent: no prediction yet.
Answers = Mapping[tuple[int, str], npt.NDArray[np.float32] | None]


def gallery_digest(entries: Sequence[Entry], split: str) -> str:
    """SHA-256 that names a gallery: which revisions with which picture files, in which order."""
    lines = (f"{e.item_id} {e.revision_no} {e.image_id} {e.rendition_sha256} {len(e.texts)}\n" for e in entries)
    return hashlib.sha256((f"{split}\n" + "".join(lines)).encode()).hexdigest()


def bootstrap_seed(digest: str) -> int:
    """The bootstrap's seed: 32 bits of the gallery's digest, so that the same gallery gives the same interval."""
    return int(digest[:8], 16)


def score(entries: Sequence[Entry], answers: Answers, *, image: str, ks: Sequence[int], seed: int) -> list[Line]:
    """Score text → picture (t2i) and picture → text (i2t).

    A query is missing when its own prediction or that of all its gold entries is not there yet, failed when the
    system could not answer for one of these; neither counts as a miss, both are counted. What has a vector stays in
    the gallery as a distractor in any case.

    Args:
        entries: The gallery.
        answers: What the system made of it.
        image: Name of the picture's variant.
        ks: Values of k.
        seed: Of the bootstrap.
    """
    pictures: dict[int, tuple[npt.NDArray[np.float32] | None, bool]] = {}
    texts: list[tuple[int, npt.NDArray[np.float32] | None, bool]] = []
    for entry in entries:
        vector, known = pictures.get(entry.image_id, (None, False))
        if vector is None:  # several items may share a picture: any of their vectors of it serves
            key = (entry.item_id, image)
            pictures[entry.image_id] = (answers.get(key), known or key in answers)
        for variant in entry.texts:
            key = (entry.item_id, variant)
            texts.append((entry.image_id, answers.get(key), key in answers))
    place = {image_id: i for i, image_id in enumerate(pictures)}
    seen = [(place[i], vector) for i, (vector, _) in pictures.items() if vector is not None]
    read = [(place[i], vector) for i, vector, _ in texts if vector is not None]
    if not seen or not read:
        dimension = 1
        seen_vectors = read_vectors = np.zeros((0, dimension), dtype=np.float32)
    else:
        seen_vectors, read_vectors = np.stack([v for _, v in seen]), np.stack([v for _, v in read])
    seen_owner = np.array([i for i, _ in seen], dtype=np.int64)[: len(seen_vectors)]
    read_owner = np.array([i for i, _ in read], dtype=np.int64)[: len(read_vectors)]
    details = {"images": len(seen), "texts": len(read), "seed": seed, "resamples": RESAMPLES, "cluster": "image"}

    answerable = np.isin(read_owner, seen_owner)
    rank = ranks(read_vectors[answerable], seen_vectors, query_owner=read_owner[answerable], gallery_owner=seen_owner)
    missing = sum(1 for i, _, known in texts if not known or not pictures[i][1])
    lines = _lines("t2i", rank, read_owner[answerable], ks, len(texts), missing, details)

    answerable = np.isin(seen_owner, read_owner)
    rank = ranks(seen_vectors[answerable], read_vectors, query_owner=seen_owner[answerable], gallery_owner=read_owner)
    with_text = {i for i, _, known in texts if known}
    missing = sum(1 for i, (_, known) in pictures.items() if not known or i not in with_text)
    return lines + _lines("i2t", rank, None, ks, len(pictures), missing, details)


def _lines(
    scope: str,
    rank: npt.NDArray[np.int64],
    cluster: npt.NDArray[np.int64] | None,
    ks: Sequence[int],
    expected: int,
    missing: int,
    details: dict[str, Any],
) -> list[Line]:
    lines = []
    for k in ks:
        counts = (expected, len(rank), missing, expected - len(rank) - missing)
        if len(rank) == 0:
            lines.append(Line(scope, f"R@{k}", None, None, None, *counts, details))
            continue
        recall = recall_at(rank, k, cluster=cluster, resamples=RESAMPLES, seed=details["seed"])
        told = {**details, "hits": recall.hits, "interval": recall.interval.method}
        lines.append(Line(scope, f"R@{k}", recall.value, recall.interval.low, recall.interval.high, *counts, told))
    return lines
