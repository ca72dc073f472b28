"""Calibration of one judge's scores to another's scale (VisTai section 4.3): a straight line, clipped to the scale.

Used by no page yet: it is meant for a page about agreement between judges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evaluation.metrics.correlation import Correlation, spearman
from evaluation.metrics.intervals import Interval

Numbers: TypeAlias = npt.NDArray[np.float64]

# A thousand resamples leave 25 values beyond each end of a 95% interval. The seed is arbitrary; it is fixed so that
# the same answers give the same interval.
SEED: Final = 20250427
RESAMPLES: Final = 1000
# Any two answers fit a line exactly, so that a bootstrap of two says nothing.
_FEWEST: Final = 3


class Calibration(NamedTuple):
    """A fit of ``kept ≈ intercept + slope * retired`` by least squares over answers that both judges scored.

    Attributes:
        residuals: Kept minus fitted and clipped, in the order of the answers.
        error: Root mean square of the residuals.
        rho_before: Spearman's rho of the retired judge's scores and the kept judge's.
        rho_after: The same for the fitted scores. Only clipping makes it differ for a rising line.
        clipped: How many fitted scores were outside the scale.
        intervals: 95% bootstrap intervals of ``intercept``, ``slope`` and ``error``; each resample of answers gets its
            own line. None for fewer than three answers.
        seed: The seed of the bootstrap.
    """

    intercept: float
    slope: float
    residuals: tuple[float, ...]
    error: float
    rho_before: Correlation
    rho_after: Correlation
    clipped: int
    scale: tuple[float, float]
    intervals: Mapping[str, Interval] | None
    seed: int

    def apply(self, scores: Sequence[float]) -> list[float]:
        """Convert the retired judge's scores to the kept judge's scale."""
        return [
            float(v) for v in np.clip(self.intercept + self.slope * np.asarray(scores, dtype=np.float64), *self.scale)
        ]


def fit(
    retired: Sequence[float], kept: Sequence[float], *, scale: tuple[float, float] = (0.0, 10.0), seed: int = SEED
) -> Calibration:
    """Fit the line by least squares.

    Raises:
        ValueError: Fewer than two answers, or the retired judge gave all the same score.
    """
    x, y = np.asarray(retired, dtype=np.float64), np.asarray(kept, dtype=np.float64)
    if len(x) != len(y) or len(x) < 2 or np.ptp(x) == 0:
        raise ValueError("needs at least two answers that both judges scored, not all alike")
    slope = float(((x - x.mean()) @ (y - y.mean())) / ((x - x.mean()) @ (x - x.mean())))
    intercept = float(y.mean() - slope * x.mean())
    line = intercept + slope * x
    fitted = np.clip(line, *scale)
    residuals = y - fitted
    return Calibration(
        intercept,
        slope,
        tuple(float(r) for r in residuals),
        float(np.sqrt((residuals**2).mean())),
        spearman(x.tolist(), y.tolist()),
        spearman(fitted.tolist(), y.tolist()),
        int((line != fitted).sum()),
        scale,
        _intervals(x, y, scale, seed) if len(x) >= _FEWEST else None,
        seed,
    )


def _intervals(x: Numbers, y: Numbers, scale: tuple[float, float], seed: int) -> dict[str, Interval]:
    drawn = np.random.default_rng(seed).integers(0, len(x), size=(RESAMPLES, len(x)))
    a, b = x[drawn], y[drawn]
    across = a - a.mean(axis=1, keepdims=True)
    spread = (across**2).sum(axis=1)
    # A resample in which the retired judge gave one score only has no line.
    has_spread = spread > 0
    a, b, across, spread = a[has_spread], b[has_spread], across[has_spread], spread[has_spread]
    slope = (across * (b - b.mean(axis=1, keepdims=True))).sum(axis=1) / spread
    intercept = b.mean(axis=1) - slope * a.mean(axis=1)
    fitted = np.clip(intercept[:, None] + slope[:, None] * a, *scale)
    error = np.sqrt(((b - fitted) ** 2).mean(axis=1))
    estimates = {"intercept": intercept, "slope": slope, "error": error}
    ends = {name: np.percentile(values, [2.5, 97.5]) for name, values in estimates.items()}
    return {name: Interval(float(low), float(high), "bootstrap-percentile") for name, (low, high) in ends.items()}
