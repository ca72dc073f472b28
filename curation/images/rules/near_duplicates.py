"""Detection of near duplicates: the same picture compressed again, reduced, or cropped at the edges.

It has two steps. The database compares 64-bit hashes of the whole picture and of its inner part, which gives a few
candidates. Then two pictures are compared in grey, small, whole and with a twentieth cropped off any side, and the best
alignment is refined. The same picture correlates almost perfectly, a merely similar one does not.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
Plane = npt.NDArray[np.float32]

#: Share of a side that the inner part's hash crops, and the initial crop of alignments.
CUT: Final = 0.05
#: Most candidates of the hashes that are compared in detail, nearest first.
CANDIDATES: Final = 40
#: The lowest correlation of the same picture. Measured on 227 pictures (docs/performance.md): the same picture reaches
#: 0.970 or more under every change above, and the most similar of 20,251 pairs of different ones reaches 0.955.
SAME: Final = 0.97

_SIDE: Final = 64  # of the overlays, in pixels
_EVERYWHERE: Final = np.ones((_SIDE, _SIDE), dtype=np.uint8)
_WORTH_REFINING: Final = 0.7  # pairs that correlate less are not aligned further, which saves time
_STEPS: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 1e-4)


def _part(cut: tuple[int, ...]) -> Plane:
    """Return the affine map that crops a square at the given sides: top, bottom, left and right."""
    top, bottom, left, right = (CUT * side for side in cut)
    return np.array(
        [[1 - left - right, 0, left * _SIDE], [0, 1 - top - bottom, top * _SIDE]],
        dtype=np.float32,
    )


_PARTS: Final = tuple(_part(cut) for cut in itertools.product((0, 1), repeat=4))


@dataclass(frozen=True, slots=True)
class Hashes:
    """Perceptual hashes of a picture: of the whole, and of the part without a twentieth at every side.

    Signed, because they are stored as bigints.
    """

    whole: int
    inner: int


@dataclass(frozen=True, slots=True)
class Overlay:
    """A picture prepared for comparison: in grey, 64 x 64, with its crops, each normalised to length one."""

    grey: Plane
    parts: Plane


def hashes(pixels: Pixels) -> Hashes:
    """Compute the two hashes of a picture."""
    grey = _grey(pixels)
    height, width = grey.shape
    across, down = round(width * CUT), round(height * CUT)
    return Hashes(_hash(grey), _hash(grey[down : height - down, across : width - across]))


def _hash(grey: Pixels) -> int:
    """Compute 64 bits that hardly change when a picture is reduced, compressed or brightened.

    The picture at 32 x 32 gets a discrete cosine transform. Each of the 8 x 8 lowest frequencies gives one bit, set if
    its value is above the median of all except the constant part, whose own bit is 0.
    """
    small = cv2.resize(grey, (32, 32), interpolation=cv2.INTER_AREA).astype(np.float32)
    low = cv2.dct(small)[:8, :8].flatten()
    bits = low > np.median(low[1:])
    bits[0] = False
    return int.from_bytes(np.packbits(bits).tobytes(), "big", signed=True)


def overlay(pixels: Pixels) -> Overlay:
    """Prepare a picture for comparison; a thumb of 320 pixels is enough."""
    small = cv2.resize(_grey(pixels), (_SIDE, _SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    grey = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), dtype=np.float32)
    picking = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    parts = [np.asarray(cv2.warpAffine(grey, part, (_SIDE, _SIDE), flags=picking), np.float32) for part in _PARTS]
    return Overlay(grey, np.stack([_of_length_one(part) for part in parts]))


def agreement(one: Overlay, other: Overlay) -> float:
    """Return the correlation of two pictures at their best alignment, at most 1; see :data:`SAME`."""
    other_in_one, one_in_other = one.parts @ other.parts[0], other.parts @ one.parts[0]
    at, back_at = int(other_in_one.argmax()), int(one_in_other.argmax())
    best = max(float(other_in_one[at]), float(one_in_other[back_at]))
    if best >= SAME or best < _WORTH_REFINING:
        return best
    if other_in_one[at] >= one_in_other[back_at]:
        return max(best, _refined(other.grey, one.grey, _PARTS[at]))
    return max(best, _refined(one.grey, other.grey, _PARTS[back_at]))


def _refined(part: Plane, whole: Plane, start: Plane) -> float:
    """Return the correlation after refining the crop; 0 if the fit rotates or scales more than a crop can."""
    try:
        correlation, fitted = cv2.findTransformECC(part, whole, start.copy(), cv2.MOTION_AFFINE, _STEPS, _EVERYWHERE, 1)
    except cv2.error:
        return 0.0  # even surfaces give the fit no gradient
    turned = max(abs(fitted[0, 1]), abs(fitted[1, 0]))
    sizes = sorted((float(fitted[0, 0]), float(fitted[1, 1])))
    return float(correlation) if turned <= 0.03 and sizes[0] >= 0.85 and sizes[1] <= 1.02 else 0.0


def _grey(pixels: Pixels) -> Pixels:
    if pixels.ndim == 2:
        return pixels
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), dtype=np.uint8)


def _of_length_one(plane: Plane) -> Plane:
    centred = plane - plane.mean()
    return np.asarray(centred / (np.linalg.norm(centred) or 1), dtype=np.float32).ravel()
