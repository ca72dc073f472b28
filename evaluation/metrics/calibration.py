"""Carrying one judge's scores over to another's scale (VisTai section 4.3): a straight line, clipped to the scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from evaluation.metrics.correlation import Correlation, spearman
from evaluation.metrics.intervals import Interval

Numbers: TypeAlias = npt.NDArray[np.float64]

SEED: Final = 20250427
RESAMPLES: Final = 1000
# Two answers lie on a line whichever are drawn.
_FEWEST: Final = 3


class Calibration(NamedTuple):
    """A fit of ``kept ≈ intercept + slope * retired`` by least squares over answers that both judges scored.

    Attributes:
        residuals: Kept minus fitted and clipped, in the order given.
        error: Root of the mean square of the residuals.
        rho_before: Spearman of the retired judge's scores with the kept one's.
        rho_after: The same for the fitted ones. Without clipping a rising line could not change it.
        clipped: How many fitted scores lay outside the scale.
        intervals: 95 % of ``intercept``, ``slope`` and ``error`` by drawing answers, the line fitted anew to each draw;
            None for fewer than three answers.
        seed: Of the draws.
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
        """Scores of the retired judge on the kept one's scale."""
        return [
            float(v) for v in np.clip(self.intercept + self.slope * np.asarray(scores, dtype=np.float64), *self.scale)
        ]


def fit(
    retired: Sequence[float], kept: Sequence[float], *, scale: tuple[float, float] = (0.0, 10.0), seed: int = SEED
) -> Calibration:
    """Fit the line.

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
    # A draw in which the retired judge gave all the same score has no line.
    told = spread > 0
    a, b, across, spread = a[told], b[told], across[told], spread[told]
    slope = (across * (b - b.mean(axis=1, keepdims=True))).sum(axis=1) / spread
    intercept = b.mean(axis=1) - slope * a.mean(axis=1)
    fitted = np.clip(intercept[:, None] + slope[:, None] * a, *scale)
    error = np.sqrt(((b - fitted) ** 2).mean(axis=1))
    found = {"intercept": intercept, "slope": slope, "error": error}
    ends = {name: np.percentile(values, [2.5, 97.5]) for name, values in found.items()}
    return {name: Interval(float(low), float(high), "bootstrap-percentile") for name, (low, high) in ends.items()}
