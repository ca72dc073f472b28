"""Whether two pictures are the same one: compressed again, made smaller, or cut at the edges.

In two steps. Hashes of 64 bits, of the whole picture and of its inner part, name the few that may be; they are compared
in the database. Then the two are laid over one another in grey, small, whole and with a twentieth cut off any side, and
the best fit is refined: what is the same picture agrees almost wholly, what merely looks alike does not.
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

#: Share of a side that is taken off for the hash of the inner part, and the cut that overlays begin from.
CUT: Final = 0.05
#: How many of those that the hashes name are laid over at most, nearest first.
CANDIDATES: Final = 40
#: Correlation from which two pictures count as one. Measured on 227 pictures (docs/performance.md): the same picture
#: reaches 0.970 or more under every change named above, the most alike of 20,251 pairs of different ones 0.955.
SAME: Final = 0.97

_SIDE: Final = 64
_EVERYWHERE: Final = np.ones((_SIDE, _SIDE), dtype=np.uint8)
_WORTH_REFINING: Final = 0.7
_STEPS: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 1e-4)


def _part(cut: tuple[int, ...]) -> Plane:
    """The affine map that picks a part of a square: which sides are cut, of top, bottom, left and right."""
    top, bottom, left, right = (CUT * side for side in cut)
    return np.array(
        [[1 - left - right, 0, left * _SIDE], [0, 1 - top - bottom, top * _SIDE]],
        dtype=np.float32,
    )


_PARTS: Final = tuple(_part(cut) for cut in itertools.product((0, 1), repeat=4))


@dataclass(frozen=True, slots=True)
class Hashes:
    """Perceptual hashes of a picture: of the whole, and of what is left when every side loses a twentieth.

    Signed, because they are stored as bigints.
    """

    whole: int
    inner: int


@dataclass(frozen=True, slots=True)
class Overlay:
    """A picture made ready to be laid over others: itself in grey, 64 x 64, and its parts, each of length one."""

    grey: Plane
    parts: Plane


def hashes(pixels: Pixels) -> Hashes:
    """The two hashes of a picture."""
    grey = _grey(pixels)
    height, width = grey.shape
    across, down = round(width * CUT), round(height * CUT)
    return Hashes(_hash(grey), _hash(grey[down : height - down, across : width - across]))


def _hash(grey: Pixels) -> int:
    """64 bits that change little when a picture is reduced, compressed or brightened.

    The picture at 32 x 32, its discrete cosine transform, the 8 x 8 lowest frequencies: one bit each, set where the
    value lies above the median of all but the constant part, whose own bit stays 0.
    """
    small = cv2.resize(grey, (32, 32), interpolation=cv2.INTER_AREA).astype(np.float32)
    low = cv2.dct(small)[:8, :8].flatten()
    bits = low > np.median(low[1:])
    bits[0] = False
    return int.from_bytes(np.packbits(bits).tobytes(), "big", signed=True)


def bits_between(one: int, other: int) -> int:
    """Number of bits in which two hashes differ."""
    return ((one ^ other) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def distance(one: Hashes, other: Hashes) -> int:
    """Bits between two pictures, of 64: the least of whole to whole and of either's whole to the other's inner part."""
    return min(
        bits_between(one.whole, other.whole),
        bits_between(one.whole, other.inner),
        bits_between(one.inner, other.whole),
    )


def overlay(pixels: Pixels) -> Overlay:
    """Make a picture ready; a thumb of 320 pixels is enough."""
    small = cv2.resize(_grey(pixels), (_SIDE, _SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    grey = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), dtype=np.float32)
    picking = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    parts = [np.asarray(cv2.warpAffine(grey, part, (_SIDE, _SIDE), flags=picking), np.float32) for part in _PARTS]
    return Overlay(grey, np.stack([_of_length_one(part) for part in parts]))


def agreement(one: Overlay, other: Overlay) -> float:
    """Correlation of two pictures where they fit best, at most 1; from :data:`SAME` on they are the same picture."""
    other_in_one, one_in_other = one.parts @ other.parts[0], other.parts @ one.parts[0]
    at, back_at = int(other_in_one.argmax()), int(one_in_other.argmax())
    best = max(float(other_in_one[at]), float(one_in_other[back_at]))
    if best >= SAME or best < _WORTH_REFINING:
        return best
    if other_in_one[at] >= one_in_other[back_at]:
        return max(best, _refined(other.grey, one.grey, _PARTS[at]))
    return max(best, _refined(one.grey, other.grey, _PARTS[back_at]))


def _refined(part: Plane, whole: Plane, start: Plane) -> float:
    """Correlation once the cut was fitted; 0 where the fit turns or stretches more than a cut does."""
    try:
        found, fitted = cv2.findTransformECC(part, whole, start.copy(), cv2.MOTION_AFFINE, _STEPS, _EVERYWHERE, 1)
    except cv2.error:
        return 0.0  # nothing to hold on to: even surfaces
    turned = max(abs(fitted[0, 1]), abs(fitted[1, 0]))
    sizes = sorted((float(fitted[0, 0]), float(fitted[1, 1])))
    return float(found) if turned <= 0.03 and sizes[0] >= 0.85 and sizes[1] <= 1.02 else 0.0


def _grey(pixels: Pixels) -> Pixels:
    if pixels.ndim == 2:
        return pixels
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), dtype=np.uint8)


def _of_length_one(plane: Plane) -> Plane:
    centred = plane - plane.mean()
    return np.asarray(centred / (np.linalg.norm(centred) or 1), dtype=np.float32).ravel()
