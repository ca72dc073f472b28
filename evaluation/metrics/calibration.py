"""Carrying one judge's scores over to another's scale (VisTai section 4.3): a straight line, clipped to the scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evaluation.metrics.correlation import Correlation, spearman


class Calibration(NamedTuple):
    """A fit of ``kept ≈ intercept + slope * retired`` by least squares over answers that both judges scored.

    Attributes:
        residuals: Kept minus fitted and clipped, in the order given.
        error: Root of the mean square of the residuals.
        rho_before: Spearman of the retired judge's scores with the kept one's.
        rho_after: The same for the fitted ones. Without clipping a rising line could not change it.
        clipped: How many fitted scores lay outside the scale.
    """

    intercept: float
    slope: float
    residuals: tuple[float, ...]
    error: float
    rho_before: Correlation
    rho_after: Correlation
    clipped: int
    scale: tuple[float, float]

    def apply(self, scores: Sequence[float]) -> list[float]:
        """Scores of the retired judge on the kept one's scale."""
        return [
            float(v) for v in np.clip(self.intercept + self.slope * np.asarray(scores, dtype=np.float64), *self.scale)
        ]


def fit(retired: Sequence[float], kept: Sequence[float], *, scale: tuple[float, float] = (0.0, 10.0)) -> Calibration:
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
    )
