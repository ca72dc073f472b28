"""Faces drawn by code, which the detector takes for faces: no test needs a photograph of a person."""

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]

_OVERSAMPLING = 4
_HAIR, _SKIN, _SHADE, _COAT, _LIPS, _MOUTH, _WHITE, _IRIS = (
    (45, 35, 30),
    (222, 184, 155),
    (190, 150, 125),
    (60, 70, 110),
    (175, 85, 85),
    (120, 50, 55),
    (245, 245, 245),
    (50, 35, 25),
)
_GROUND = (120, 140, 150)


def drawn_face(height: int, turned: int = 0) -> Pixels:
    """Return a square picture, 2.6 times as high as the face in its middle.

    Args:
        height: Of the face from the hair to the chin, in pixels.
        turned: Quarters of a turn, counter-clockwise.
    """
    side = round(height * 2.6)
    picture = np.full((side * _OVERSAMPLING, side * _OVERSAMPLING, 3), _GROUND, np.uint8)
    middle, half = side * _OVERSAMPLING // 2, height * _OVERSAMPLING / 2

    def oval(
        x: float, y: float, width: float, tall: float, colour: tuple[int, ...], arc: tuple[int, int] = (0, 360)
    ) -> None:
        centre = (round(middle + x * half), round(middle + y * half))
        cv2.ellipse(picture, centre, (round(width * half), round(tall * half)), 0, *arc, colour, -1, cv2.LINE_AA)

    def curve(x: float, y: float, width: float, tall: float, colour: tuple[int, ...], arc: tuple[int, int]) -> None:
        centre, thick = (round(middle + x * half), round(middle + y * half)), round(0.05 * half) + 1
        cv2.ellipse(picture, centre, (round(width * half), round(tall * half)), 0, *arc, colour, thick, cv2.LINE_AA)

    oval(0, 2.1, 1.9, 1.0, _COAT)
    oval(0, 1.0, 0.35, 0.5, _SHADE)
    oval(0, -0.15, 0.88, 1.12, _HAIR)
    oval(0, 0, 0.75, 1.0, _SKIN)
    oval(0, -0.8, 0.72, 0.35, _HAIR, (180, 360))
    for eye in (-0.3, 0.3):
        oval(eye, -0.12, 0.16, 0.085, _WHITE)
        oval(eye, -0.12, 0.08, 0.08, _IRIS)
        curve(eye, -0.12, 0.17, 0.1, _HAIR, (180, 360))
        curve(eye, -0.24, 0.2, 0.09, _HAIR, (190, 350))
    curve(0, 0.3, 0.12, 0.05, _SHADE, (0, 180))
    curve(-0.06, 0.1, 0.03, 0.18, _SHADE, (90, 270))
    oval(0, 0.52, 0.27, 0.09, _LIPS)
    oval(0, 0.52, 0.25, 0.015, _MOUTH)
    blurred = cv2.GaussianBlur(picture, (0, 0), _OVERSAMPLING * height / 60)
    upright = cv2.resize(blurred, (side, side), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(np.rot90(upright, turned), np.uint8)


def with_faces(width: int, height: int, faces: Iterable[tuple[int, int, Pixels]]) -> Pixels:
    """Return a grey picture with pictures of faces, each with the place of its left upper corner."""
    picture = np.full((height, width, 3), _GROUND, np.uint8)
    for left, top, face in faces:
        picture[top : top + face.shape[0], left : left + face.shape[1]] = face
    return picture
