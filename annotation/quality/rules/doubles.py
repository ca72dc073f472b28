"""Agreement of two people who boxed the same picture independently.

Their boxes are matched one to one, whatever their categories: of all pairs whose intersection over union is at least
one half, the best first. From the matches follow three figures: how well the places agree (mean intersection over
union of the matches), how many objects both found (F1: twice the matches over all boxes), and how far they agree on
the categories of what both found (Fleiss' kappa: which of the two is called the first means nothing).

Intervals are from a bootstrap of whole pictures, because boxes of one picture depend on each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from annotation.kinds.rectangles import Rectangle, iou, overlap_reaches
from annotation.quality.rules.agreement import RESAMPLES, SEED, Array

MATCHED_FROM: Final = 50  # percent of intersection over union
METHOD: Final = f"picture-bootstrap-percentile-{RESAMPLES}"
NAMES: Final = ("mean_iou", "f1", "label_kappa")


class Match(NamedTuple):
    """Two boxes of the same object.

    Attributes:
        one, other: Their keys in the two contents.
        iou: The intersection over union of their places.
    """

    one: str
    other: str
    iou: float


class Compared(NamedTuple):
    """How two contents of one picture agree.

    Attributes:
        boxes: Number of boxes in both.
        ious: The intersection over union of each match.
        labels: The two categories of each match.
    """

    boxes: int
    ious: tuple[float, ...]
    labels: tuple[tuple[str, str], ...]


class Figure(NamedTuple):
    """A measure with its 95% interval; None if undefined, and for the interval also with fewer than two pictures."""

    name: str
    value: float | None
    low: float | None
    high: float | None


def matches(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[Match]:
    """Match the boxes of two contents, the pair with the greatest overlap first; ties go to the earlier boxes."""
    ours, theirs = ([(b["key"], Rectangle.of(b["box"])) for b in content["boxes"]] for content in (one, other))
    candidates: list[tuple[float, int, int]] = []
    for i, (_, place) in enumerate(ours):
        for j, (_, counterpart) in enumerate(theirs):
            if overlap_reaches(place, counterpart, MATCHED_FROM):
                candidates.append((-iou(place, counterpart), i, j))
    taken: tuple[set[int], set[int]] = (set(), set())
    matched: list[tuple[int, Match]] = []
    for negative, i, j in sorted(candidates):
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            matched.append((i, Match(ours[i][0], theirs[j][0], -negative)))
    return [match for _, match in sorted(matched)]


def compared(one: Mapping[str, Any], other: Mapping[str, Any]) -> Compared:
    """Compare two contents of one picture."""
    pairs = matches(one, other)
    ours, theirs = ({b["key"]: b["category"] for b in content["boxes"]} for content in (one, other))
    labels = tuple((ours[match.one], theirs[match.other]) for match in pairs)
    return Compared(len(ours) + len(theirs), tuple(match.iou for match in pairs), labels)


def figures(pictures: Sequence[Compared]) -> list[Figure]:
    """Return all measures over pictures; every picture counts by its boxes."""
    n = len(pictures)
    times = np.random.default_rng(SEED).multinomial(n, np.full(n, 1 / n), size=RESAMPLES) if n > 1 else None
    sums = np.array([(sum(p.ious), len(p.ious), p.boxes) for p in pictures], dtype=float).reshape(n, 3)
    categories = sorted({label for p in pictures for pair in p.labels for label in pair})
    place = {category: i for i, category in enumerate(categories)}
    return [
        Figure("mean_iou", *_with_interval(sums, times, lambda s: _divided(s[:, 0], s[:, 1]))),
        Figure("f1", *_with_interval(sums, times, lambda s: _divided(2 * s[:, 1], s[:, 2]))),
        Figure("label_kappa", *_with_interval(_label_sums(pictures, place), times, _kappa)),
    ]


def _label_sums(pictures: Sequence[Compared], place: Mapping[str, int]) -> Array:
    """Return a row for each picture: matches, those of one category, and how often each category was used."""
    table = np.zeros((len(pictures), 2 + len(place)))
    for row, picture in zip(table, pictures, strict=True):
        for one, other in picture.labels:
            row[0] += 1
            row[1] += one == other
            row[2 + place[one]] += 1
            row[2 + place[other]] += 1
    return table


def _kappa(sums: Array) -> Array:
    n, same = sums[:, 0], sums[:, 1]
    expected = _divided((sums[:, 2:] ** 2).sum(axis=1), (2 * n) ** 2)
    rest = 1 - expected
    # Where both used a single category, agreement by chance is perfect, too, and kappa is undefined.
    return _divided(_divided(same, n) - expected, np.where(rest < 1e-12, 0, rest))


def _divided(above: Array, below: Array) -> Array:
    quotients: Array = np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0)
    return quotients


def _with_interval(
    table: Array, times: Array | None, value: Callable[[Array], Array]
) -> tuple[float | None, float | None, float | None]:
    """Return a measure over all pictures, and its 2.5% and 97.5% quantiles over resamples of pictures."""
    if not len(table):
        return None, None, None
    whole = float(value(table.sum(axis=0, keepdims=True))[0])
    if np.isnan(whole):
        return None, None, None
    drawn = value(times @ table) if times is not None else np.zeros(0)
    drawn = drawn[~np.isnan(drawn)]
    if not len(drawn):
        return whole, None, None
    low, high = np.quantile(drawn, [0.025, 0.975])
    return whole, float(low), float(high)
