"""Covering regions of a picture so that nothing of what was there can be computed from what is shown.

Pure functions. A region grows by 15 % and outward to multiples of 16 pixels, so that no block of a JPEG mixes covered
and uncovered pixels. Only the means of cells, or of the border, come out of it: no blur of the pixels themselves is
offered, because it can be undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import cv2
import numpy as np
from PIL import Image

from curation.images.rules.cleaning import Encoded, encode_renditions
from curation.images.rules.decoding import grey
from curation.images.rules.near_duplicates import Hashes, Pixels, hashes

Box: TypeAlias = tuple[float, float, float, float]
REGION_TYPES: Final = ("face", "plate", "text", "address", "name", "other")
REGION_TREATMENTS: Final = ("fill", "pixelate", "blur", "exempt")
STYLES: Final = ("fill", "pixelate", "blur")
ORIGINS: Final = ("proposed", "person")

MOST_REGIONS: Final = 200
MARGIN: Final = 0.15  # of each side, on both of its ends
BLOCK: Final = 16  # pixels: a JPEG's block with half colour resolution
CELLS: Final = 4  # on the shorter side; detectors find a face at 6 (docs/decisions/0074)
LEVELS: Final = 32  # of each colour
FILLED_BELOW: Final = 48  # pixels of the shorter side, below which a cell has too few to hide
BORDER: Final = 8  # pixels around a region whose mean fills it
ALWAYS_FILLED: Final = frozenset({"text", "plate", "address", "name"})
# The share of a proposal's area that a moved or smaller region must cover to count as a decision about it.
LEAST_COVERED: Final = 0.25
SAME_REGION: Final = 0.5  # intersection over union, from which a region counts as one that was decided before


@dataclass(frozen=True, slots=True)
class Region:
    """A region of a picture and what a person decided about it.

    Attributes:
        key: Its name within the decision; a proposed region keeps the proposal's.
        box: Left, top, width and height in pixels of the clean rendition.
        what: What may not be seen there.
        how: How it is covered; ``exempt``: it stays visible.
        reason: Why it stays visible.
        origin: Whether a detector proposed it or a person drew it.
    """

    key: str
    box: Box
    what: str
    how: str
    reason: str = ""
    origin: str = "person"

    def as_json(self) -> dict[str, Any]:
        """Return it as it is stored."""
        return asdict(self) | {"box": [round(value, 2) for value in self.box]}


def fault_of(regions: Sequence[Region], width: int, height: int) -> tuple[str, str] | None:
    """Return the key of the first region that cannot be used, with the fault's code; None if all can."""
    seen: set[str] = set()
    for region in regions:
        left, top, wide, high = region.box
        if region.key in seen:
            return region.key, "twice"
        seen.add(region.key)
        if wide < 1 or high < 1 or left < 0 or top < 0 or left + wide > width or top + high > height:
            return region.key, "outside"
        if (region.how == "exempt") is not bool(region.reason.strip()):
            return region.key, "reason"
    return None


def strength(region: Region) -> str:
    """Return how a region is covered in fact: text, plates, addresses, names and small regions are always filled."""
    if region.how == "exempt":
        return region.how
    if region.what in ALWAYS_FILLED or min(region.box[2:]) < FILLED_BELOW:
        return "fill"
    return region.how


def covered_area(box: Box, width: int, height: int) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of what is covered for a box: larger, in whole blocks, inside the picture."""
    left, top, wide, high = box
    right, bottom = left + wide * (1 + MARGIN), top + high * (1 + MARGIN)
    left, top = left - wide * MARGIN, top - high * MARGIN
    return (
        max(0, int(np.floor(left / BLOCK)) * BLOCK),
        max(0, int(np.floor(top / BLOCK)) * BLOCK),
        min(width, int(np.ceil(right / BLOCK)) * BLOCK),
        min(height, int(np.ceil(bottom / BLOCK)) * BLOCK),
    )


def cover_pixels(pixels: Pixels, regions: Iterable[Region]) -> None:
    """Cover the regions of a picture in place; ``exempt`` ones stay.

    What comes out of a region depends on the means of its cells alone, or, if it is filled, on nothing in it. Regions
    that overlap are covered one after the other; the filled ones last, so that nothing shows through them.
    """
    height, width = pixels.shape[:2]
    covered = [(strength(region), covered_area(region.box, width, height)) for region in regions]
    # Read before anything is covered, and only from pixels that no region covers.
    hidden = np.zeros((height, width), bool)
    for how, (left, top, right, bottom) in covered:
        if how != "exempt":
            hidden[top:bottom, left:right] = True
    fills = [_border_mean(pixels, hidden, area) for _, area in covered]
    for (how, (left, top, right, bottom)), fill in sorted(
        zip(covered, fills, strict=True), key=lambda entry: entry[0][0] == "fill"
    ):
        part = pixels[top:bottom, left:right]
        if how == "fill":
            part[:] = fill
        elif how != "exempt":
            part[:] = _cells(part, smooth=how == "blur")


def _border_mean(pixels: Pixels, hidden: Any, area: tuple[int, int, int, int]) -> Any:
    """Return the mean colour of the pixels around an area that nothing covers; grey if there are none."""
    left, top, right, bottom = area
    outer = (slice(max(0, top - BORDER), bottom + BORDER), slice(max(0, left - BORDER), right + BORDER))
    around = pixels[outer][~hidden[outer]]
    if not around.size:
        return np.full(pixels.shape[2], 128, np.uint8)
    return np.round(around.mean(axis=0)).astype(np.uint8)


def _cells(part: Pixels, *, smooth: bool) -> Pixels:
    """Return an area of cells, each of the mean of its pixels in 32 levels; smoothed between the cells' centres."""
    height, width = part.shape[:2]
    size = min(height, width) / CELLS
    rows, columns = max(1, round(height / size)), max(1, round(width / size))
    tops = np.linspace(0, height, rows + 1).round().astype(int)
    lefts = np.linspace(0, width, columns + 1).round().astype(int)
    means = np.empty((rows, columns, part.shape[2]), np.uint8)
    step = 256 // LEVELS
    for r in range(rows):
        for c in range(columns):
            mean = part[tops[r] : tops[r + 1], lefts[c] : lefts[c + 1]].reshape(-1, part.shape[2]).mean(axis=0)
            means[r, c] = (mean // step) * step + step // 2
    interpolation = cv2.INTER_CUBIC if smooth else cv2.INTER_NEAREST
    if smooth:
        return np.asarray(cv2.resize(means, (width, height), interpolation=interpolation), dtype=np.uint8)
    heights, widths = np.diff(tops), np.diff(lefts)
    return np.repeat(np.repeat(means, heights, axis=0), widths, axis=1)


class CoveredFiles(NamedTuple):
    """The hashes of a covered picture, and its clean, view and thumb rendition."""

    hashes: Hashes
    renditions: tuple[Encoded, ...]


def cover_file(path: Path, regions: Sequence[Region]) -> CoveredFiles:
    """Cover regions of a clean rendition and encode the picture's new files; to be called in a child process.

    A PNG stays one. The size in pixels stays, so that coordinates stay.
    """
    with Image.open(path, formats=["JPEG", "PNG"]) as picture:
        lossless = picture.format == "PNG"
        pixels = np.array(picture.convert("RGB"))
    cover_pixels(pixels, regions)
    bare = Image.fromarray(pixels)
    del pixels
    brightness = grey(bare)
    return CoveredFiles(hashes(brightness), encode_renditions(bare, lossless=lossless))


def undecided(
    proposed: Iterable[Mapping[str, Any]], decided: Iterable[Mapping[str, Any]], exempt: Iterable[Sequence[float]]
) -> list[Mapping[str, Any]]:
    """Return the proposed regions that nobody decided on.

    Args:
        proposed: Regions that detectors found in the current version.
        decided: Regions that a person decided on in this version, with key, box and ``how``.
        exempt: Boxes that a person left visible, in any version; detectors find these again.
    """
    by_key, boxes = {region["key"]: region for region in decided}, list(exempt)
    return [
        region
        for region in proposed
        if not _is_decided(region, by_key.get(region["key"]))
        and not any(iou(region["box"], box) >= SAME_REGION for box in boxes)
    ]


def _is_decided(proposed: Mapping[str, Any], decided: Mapping[str, Any] | None) -> bool:
    """Whether a decision under a proposal's key is about its place; a person may have moved or shrunk it."""
    if decided is None:
        return False
    if decided["how"] == "exempt":
        return iou(proposed["box"], decided["box"]) >= SAME_REGION
    width, height = proposed["box"][2:]
    return _common_area(proposed["box"], decided["box"]) >= LEAST_COVERED * float(width) * float(height)


def _common_area(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the area that two boxes share."""
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    high = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)


def iou(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the intersection over union of two boxes."""
    both = _common_area(one, other)
    return both / (one[2] * one[3] + other[2] * other[3] - both) if both else 0.0
