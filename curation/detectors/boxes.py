"""Boxes in pixels, and merging those that show the same thing."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

#: Rows of left, top, right, bottom, score.
Boxes = npt.NDArray[np.float32]
Pixels = npt.NDArray[np.uint8]

_NONE: Final = (0, 5)


class Box(NamedTuple):
    """A rectangle in pixels of the picture: left, top, width, height."""

    x: float
    y: float
    width: float
    height: float


def no_boxes() -> Boxes:
    """Return an empty list of boxes."""
    return np.empty(_NONE, np.float32)


def merge(boxes: Boxes, overlap: float) -> Boxes:
    """Keep of boxes that overlap the one with the highest score, best first.

    Overlap is the shared area divided by the smaller box, because a pass that saw half a face gives a box inside the
    one that saw all of it.
    """
    kept: list[int] = []
    areas = np.maximum(boxes[:, 2] - boxes[:, 0], 0) * np.maximum(boxes[:, 3] - boxes[:, 1], 0)
    order = np.argsort(-boxes[:, 4], kind="stable")
    while order.size:
        best, rest = order[0], order[1:]
        kept.append(int(best))
        shared_width = np.minimum(boxes[best, 2], boxes[rest, 2]) - np.maximum(boxes[best, 0], boxes[rest, 0])
        shared_height = np.minimum(boxes[best, 3], boxes[rest, 3]) - np.maximum(boxes[best, 1], boxes[rest, 1])
        shared = np.maximum(shared_width, 0) * np.maximum(shared_height, 0)
        order = rest[shared < overlap * np.maximum(np.minimum(areas[best], areas[rest]), 1e-6)]
    return boxes[kept]


def turn_back(boxes: Boxes, quarter_turns: int, width: int, height: int) -> Boxes:
    """Return boxes found in a picture turned counter-clockwise by quarters, in the picture's own pixels.

    Args:
        boxes: In the turned picture, as ``np.rot90(picture, quarter_turns)`` gives it.
        quarter_turns: 0 to 3.
        width: Of the picture itself.
        height: Of the picture itself.
    """
    left, top, right, bottom = boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]
    turned = {
        0: (left, top, right, bottom),
        1: (width - bottom, left, width - top, right),
        2: (width - right, height - bottom, width - left, height - top),
        3: (top, height - right, bottom, height - left),
    }[quarter_turns % 4]
    return np.stack([*turned, boxes[:, 4]], axis=1).astype(np.float32)
