"""Searching a picture for what a person should look at before others see it; to be called in a child process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np
from PIL import Image

from curation.detectors import faces, text_lines
from curation.detectors.boxes import Box, Pixels
from curation.detectors.personal_text import Sort, is_password_label, personal

#: What can be searched for (the protocol's ``images.redaction.propose``), and the name under which results are stored.
#: Another network, or another way of searching, gets another name, so that pictures are searched again.
DETECTORS: Final[dict[str, str]] = {"faces": "centerface-1", "text": "pp-ocr-6"}

What = Literal["face", "plate", "text", "address"]
_WHAT: Final[dict[Sort, What]] = {
    "plate": "plate",
    "telephone": "text",
    "email": "text",
    "password": "text",
    "address": "address",
    "identity": "text",
}
#: Most regions of one detector: a crowd, or a wall of telephone numbers. Those that are most certain are kept.
MOST_REGIONS: Final = 80
# A line below another has this many of its heights between them, at most.
_NEXT_LINE: Final = 1.5


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of a picture that is proposed.

    Attributes:
        key: Its name, unique among all detectors of the picture.
        what: What it shows.
        box: Left, top, width and height in pixels of the picture.
        score: How certain the detector is, up to 1.
    """

    key: str
    what: What
    box: Box
    score: float


def search(path: Path, target: str) -> list[Region]:
    """Return the regions of a picture that a detector proposes, the most certain first.

    Args:
        path: A picture that was cleaned: upright, with red, green and blue.
        target: A key of :data:`DETECTORS`.
    """
    picture, scale = load(path, max(faces.LONGEST_SIDE, text_lines.LONGEST_SIDE))
    found = _faces(picture) if target == "faces" else _texts(picture)
    found = sorted(found, key=lambda region: -region[2])[:MOST_REGIONS]
    return [
        Region(f"{target}-{index}", what, Box(*(side / scale for side in box)), round(min(1.0, score), 3))
        for index, (what, box, score) in enumerate(found)
    ]


def load(path: Path, longest_side: int) -> tuple[Pixels, float]:
    """Decode a picture, reduced so that its longer side has at most so many pixels; return it and the factor."""
    with Image.open(path) as picture:
        size = picture.size
        # A JPEG is decoded at a half or a quarter where that is still large enough.
        picture.draft("RGB", (longest_side, longest_side))
        picture.thumbnail((longest_side, longest_side), Image.Resampling.BOX)
        return np.asarray(picture.convert("RGB")), picture.size[0] / size[0]


_Found = tuple[What, Box, float]


def _faces(picture: Pixels) -> list[_Found]:
    rows = faces.FaceDetector().find(picture).tolist()
    return [("face", Box(left, top, right - left, bottom - top), score) for left, top, right, bottom, score in rows]


def _texts(picture: Pixels) -> list[_Found]:
    return personal_lines(text_lines.TextReader().read(picture))


def personal_lines(lines: Sequence[text_lines.Line]) -> list[_Found]:
    """Return the lines that are proposed: those that look personal, and those below or beside the word "password"."""
    found: dict[int, What] = {}
    for index, line in enumerate(lines):
        if sort := personal(line.text):
            found[index] = _WHAT[sort]
        elif is_password_label(line.text):
            found.update(dict.fromkeys(_following(lines, index), "text"))
    return [(what, lines[index].box, lines[index].certainty) for index, what in found.items()]


def _following(lines: Sequence[text_lines.Line], index: int) -> list[int]:
    """Return the line to the right of a line and the one below it, where there are any."""
    label = lines[index].box
    right: list[tuple[float, int]] = []
    below: list[tuple[float, int]] = []
    for other, line in enumerate(lines):
        gap_x = line.box.x - (label.x + label.width)
        gap_y = line.box.y - (label.y + label.height)
        if (
            abs(line.box.y + line.box.height / 2 - label.y - label.height / 2) < label.height / 2
            and gap_x > -label.height
        ):
            right.append((gap_x, other))
        elif 0 <= gap_y + label.height / 2 <= (_NEXT_LINE + 0.5) * label.height and (
            line.box.x < label.x + label.width and label.x < line.box.x + line.box.width
        ):
            below.append((gap_y, other))
    return [min(side)[1] for side in (right, below) if side]
