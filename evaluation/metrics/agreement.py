"""Agreement of raters who give numbers; of raters who give names see ``annotation.quality.rules.agreement``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_SEED = 20250427
_RESAMPLES = 1000


class Agreement(NamedTuple):
    """Krippendorff's alpha, 1 for perfect agreement and 0 for what chance gives; None where no rating differs at all.

    ``low`` and ``high`` are a 95 % percentile bootstrap over the things rated, ``n`` how many of them had two ratings.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int


def alpha_of_numbers(rated: Sequence[Sequence[float | None]]) -> Agreement:
    """Krippendorff's alpha at interval level: differences between ratings count, squared (Krippendorff 2011).

    Args:
        rated: For each thing its ratings, None where somebody gave none; a thing with fewer than two is left out.
    """
    things = [[r for r in ratings if r is not None] for ratings in rated]
    things = [ratings for ratings in things if len(ratings) >= 2]
    n = len(things)
    # Everything alpha needs of a thing: how many ratings, their sum, the sum of their squares, its own disagreement.
    sums = np.array([[len(r), sum(r), sum(v * v for v in r), _disagreement(r)] for r in things]).reshape(n, 4)
    whole = _alpha(sums.sum(axis=0)) if n else None
    if whole is None or n < 2:
        return Agreement(whole, None, None, n)
    times = np.random.default_rng(_SEED).multinomial(n, np.full(n, 1 / n), size=_RESAMPLES)
    drawn = [v for row in times @ sums if (v := _alpha(row)) is not None]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Agreement(whole, float(low), float(high), n)


def _disagreement(ratings: Sequence[float]) -> float:
    """The sum of squared differences of ordered pairs, for each rating beside the others."""
    return 2 * (len(ratings) * sum(v * v for v in ratings) - sum(ratings) ** 2) / (len(ratings) - 1)


def _alpha(sums: npt.NDArray[np.float64]) -> float | None:
    n, total, squares, seen = sums
    chance = 2 * (n * squares - total**2) / (n - 1)
    return float(1 - seen / chance) if chance > 1e-12 else None
