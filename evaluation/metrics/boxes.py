"""Overlap of boxes. A box is ``[x, y, width, height]`` in pixels, the origin at the upper left."""

from __future__ import annotations

from collections.abc import Sequence


def iou(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the intersection over union of two boxes, 0..1. Boxes that only touch, and empty ones, get 0."""
    return _ratio(one, other, 0.0)


def iou_of_pixels(one: Sequence[float], other: Sequence[float]) -> float:
    """Return intersection over union as CVLUE's scorer computes it: the far edge ``x + width`` counts as a pixel.

    Boxes that only touch overlap by one pixel: ``[0,0,10,10]`` and ``[10,0,10,10]`` have 11 / 231.
    """
    return _ratio(one, other, 1.0)


def _ratio(one: Sequence[float], other: Sequence[float], pixel: float) -> float:
    ax, ay, aw, ah = one
    bx, by, bw, bh = other
    across = min(ax + aw, bx + bw) - max(ax, bx) + pixel
    down = min(ay + ah, by + bh) - max(ay, by) + pixel
    common = max(0.0, across) * max(0.0, down)
    whole = (aw + pixel) * (ah + pixel) + (bw + pixel) * (bh + pixel) - common
    return min(common / whole, 1.0) if whole > 0 else 0.0
