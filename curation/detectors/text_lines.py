"""Lines of text, found and read by PP-OCR's networks with the weights that rapidocr ships (Apache-2.0).

Finding: differentiable binarization (Liao et al., 2020) gives a map of what is text; each connected part is a line.
Reading: each line, made 48 pixels high, gives a character or a blank for every eight pixels (connectionist temporal
classification). It reads Chinese in both scripts, Latin letters and digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from curation.detectors.boxes import Box, Pixels
from curation.detectors.weights import open_session, weights_file

#: The longer side of the picture that is searched, and its pixels, at most; the latter bounds memory.
LONGEST_SIDE: Final = 2048
MOST_PIXELS: Final = 2_000_000
#: The shorter side, at least: smaller pictures are enlarged, because the network finds no text below eight pixels.
SHORTEST_SIDE: Final = 736
#: Least certainty of a line's text.
CERTAIN: Final = 0.5
#: Most lines that are read; a page of a book has fewer.
MOST_LINES: Final = 300

_FINDER: Final = "models/PP-OCRv6_det_small.onnx"
_READER: Final = "models/PP-OCRv6_rec_small.onnx"
_MULTIPLE: Final = 32
# The values that rapidocr 3.10 uses with these weights (its config.yaml).
_IS_TEXT: Final = 0.3
_IS_LINE: Final = 0.5
_GROWTH: Final = 1.6  # lines are found shrunk
_SMALLEST: Final = 3
_LINE_HEIGHT: Final = 48
_NARROWEST: Final = 320
_WIDEST: Final = 3200
_AT_ONCE: Final = 6
_UPRIGHT_FROM: Final = 1.5  # lines higher than this many widths are turned by a quarter

_Corners = npt.NDArray[np.float32]


class Line(NamedTuple):
    """A line of text in a picture and how certain its reading is."""

    text: str
    certainty: float
    box: Box


class TextReader:
    """Both networks with their weights."""

    def __init__(self) -> None:
        self._finder = open_session(weights_file("rapidocr", _FINDER))
        self._reader = open_session(weights_file("rapidocr", _READER))
        characters = self._reader.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._characters = ["", *characters, " "]  # the first is the blank

    def read(self, picture: Pixels) -> list[Line]:
        """Return the lines of an RGB picture (height × width × 3) that can be read, in its pixels."""
        bgr = cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)  # the networks learned from pictures in OpenCV's order
        corners = self._find(np.asarray(bgr, np.uint8))
        lines = [_cut_out(bgr, points) for points in corners]
        # Similar widths together, so that little is added to fill up a batch.
        order = sorted(range(len(lines)), key=lambda i: lines[i].shape[1] / lines[i].shape[0])
        found = []
        for start in range(0, len(order), _AT_ONCE):
            batch = order[start : start + _AT_ONCE]
            for index, (text, certainty) in zip(batch, self._read_lines([lines[i] for i in batch]), strict=True):
                if text.strip() and certainty >= CERTAIN:
                    found.append(Line(text.strip(), certainty, _around(corners[index], *picture.shape[:2])))
        return sorted(found, key=lambda line: (line.box.y, line.box.x))

    def _find(self, bgr: Pixels) -> list[_Corners]:
        height, width = bgr.shape[:2]
        scale = max(1.0, SHORTEST_SIDE / min(height, width))
        scale = min(scale, LONGEST_SIDE / max(height, width), (MOST_PIXELS / (height * width)) ** 0.5)
        size = [max(_MULTIPLE, round(side * scale / _MULTIPLE) * _MULTIPLE) for side in (width, height)]
        chances = self._finder.run(None, {_input(self._finder): _batch([cv2.resize(bgr, size)])})[0][0, 0]
        mask = cv2.dilate((chances > _IS_TEXT).astype(np.uint8), np.ones((2, 2), np.uint8))
        outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        to_picture = np.array([width / size[0], height / size[1]], np.float32)
        rectangles = (_rectangle(outline, chances) for outline in outlines)
        return [points * to_picture for points in rectangles if points is not None][:MOST_LINES]

    def _read_lines(self, lines: list[Any]) -> Iterator[tuple[str, float]]:
        widths = [min(_WIDEST, -(-_LINE_HEIGHT * line.shape[1] // line.shape[0])) for line in lines]
        batch = np.zeros((len(lines), 3, _LINE_HEIGHT, max(_NARROWEST, *widths)), np.float32)
        for row, line, width in zip(batch, lines, widths, strict=True):
            row[:, :, :width] = _batch([cv2.resize(line, (width, _LINE_HEIGHT))])[0]
        for chances in self._reader.run(None, {_input(self._reader): batch})[0]:
            best, certainty = chances.argmax(axis=1), chances.max(axis=1)
            read = (best != 0) & np.concatenate([[True], best[1:] != best[:-1]])
            text = "".join(self._characters[index] for index in best[read])
            yield text, float(certainty[read].mean()) if read.any() else 0.0


def _input(session: Any) -> str:
    return str(session.get_inputs()[0].name)


def _batch(pictures: list[Any]) -> npt.NDArray[np.float32]:
    """Return pictures of one size as the networks take them: values from -1 to 1, channels first."""
    return np.stack([picture.transpose(2, 0, 1).astype(np.float32) / 127.5 - 1 for picture in pictures])


def _rectangle(outline: Any, chances: Any) -> _Corners | None:
    """Return the corners of the line around an outline; None if it is too small or too uncertain."""
    (middle, (width, height), angle) = cv2.minAreaRect(outline)
    if min(width, height) < _SMALLEST:
        return None
    corners = cv2.boxPoints((middle, (width, height), angle))
    left, top, spread_x, spread_y = cv2.boundingRect(corners.astype(np.int32))
    left, top = max(left, 0), max(top, 0)
    inside = np.zeros((spread_y, spread_x), np.uint8)
    cv2.fillPoly(inside, [(corners - [left, top]).astype(np.int32)], 1)
    part = chances[top : top + spread_y, left : left + spread_x]
    if not part.size or cv2.mean(part, inside[: part.shape[0], : part.shape[1]])[0] < _IS_LINE:
        return None
    # A rectangle grown by a distance on each side; rapidocr rounds its corners and takes their rectangle again.
    grown = 2 * _GROWTH * width * height / (2 * (width + height))
    return np.asarray(cv2.boxPoints((middle, (width + grown, height + grown), angle)), np.float32)


def _cut_out(bgr: Any, corners: _Corners) -> Any:
    """Return the line as an upright picture."""
    # Top left, top right, bottom right, bottom left.
    by_x = corners[np.argsort(corners[:, 0], kind="stable")]
    left, right = (side[np.argsort(side[:, 1], kind="stable")] for side in (by_x[:2], by_x[2:]))
    points = np.array([left[0], right[0], right[1], left[1]], np.float32)
    width = max(1, round(max(np.linalg.norm(points[0] - points[1]), np.linalg.norm(points[3] - points[2]))))
    height = max(1, round(max(np.linalg.norm(points[0] - points[3]), np.linalg.norm(points[1] - points[2]))))
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    line = cv2.warpPerspective(
        bgr,
        cv2.getPerspectiveTransform(points, target),
        (width, height),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.rot90(line) if height >= width * _UPRIGHT_FROM else line


def _around(corners: _Corners, height: int, width: int) -> Box:
    left, top = corners.min(axis=0).clip(0)
    right, bottom = corners.max(axis=0).clip(0, [width, height])
    return Box(float(left), float(top), float(right - left), float(bottom - top))
