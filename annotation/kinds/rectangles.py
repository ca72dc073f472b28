"""Rectangles in the pixels of a picture, with exact arithmetic in hundredths of a pixel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

PER_PIXEL: Final = 100  # coordinates are stored with two decimals


class Rectangle(NamedTuple):
    """A rectangle in hundredths of a pixel: its corner nearest to the picture's origin, and its size."""

    x: int
    y: int
    width: int
    height: int

    @classmethod
    def of(cls, box: Sequence[float]) -> Rectangle:
        """Return the rectangle of a stored box: x, y, width and height in pixels."""
        return cls(*(round(number * PER_PIXEL) for number in box))

    @property
    def area(self) -> int:
        """Its area; 0 for one without an extent."""
        return max(self.width, 0) * max(self.height, 0)


def intersection(one: Rectangle, other: Rectangle) -> int:
    """Return the common area of two rectangles."""
    width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(width, 0) * max(height, 0)


def iou(one: Rectangle, other: Rectangle) -> float:
    """Return the intersection over union of two rectangles, 0 where both have no area."""
    common = intersection(one, other)
    union = one.area + other.area - common
    return common / union if union else 0.0


def overlap_reaches(one: Rectangle, other: Rectangle, percent: int) -> bool:
    """Return whether the intersection over union of two rectangles is at least a number of percent."""
    common = intersection(one, other)
    return common > 0 and 100 * common >= percent * (one.area + other.area - common)


def inside(one: Rectangle, width: int, height: int) -> bool:
    """Return whether a rectangle is within a picture of a size in pixels; its edges may coincide."""
    return (
        one.x >= 0
        and one.y >= 0
        and one.x + one.width <= width * PER_PIXEL
        and one.y + one.height <= height * PER_PIXEL
    )
