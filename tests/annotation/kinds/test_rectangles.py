"""Overlap of rectangles, exact at its limits."""

import pytest

from annotation.kinds.rectangles import Rectangle, inside, iou, overlap_reaches

UNIT = Rectangle.of((0, 0, 10, 10))


def test_coordinates_are_read_in_hundredths():
    assert Rectangle.of((0.1, 0.29, 1.15, 2.675)) == (10, 29, 115, 268)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ((0, 0, 10, 10), 1.0),
        ((0, 0, 10, 5), 0.5),
        ((5, 0, 10, 10), 1 / 3),
        ((10, 0, 10, 10), 0.0),  # they share an edge
        ((20, 20, 1, 1), 0.0),
        ((0, 0, 0, 10), 0.0),
    ],
)
def test_intersection_over_union(other, expected):
    assert iou(UNIT, Rectangle.of(other)) == iou(Rectangle.of(other), UNIT) == pytest.approx(expected)


def test_rectangles_without_an_area_have_no_overlap():
    empty = Rectangle.of((3, 3, 0, 0))
    assert iou(empty, empty) == 0.0
    assert not overlap_reaches(empty, empty, 1)


def test_a_limit_belongs_to_what_reaches_it():
    assert overlap_reaches(UNIT, Rectangle.of((0, 0, 10, 9)), 90)
    assert not overlap_reaches(UNIT, Rectangle.of((0, 0, 10, 8.99)), 90)


@pytest.mark.parametrize(
    ("box", "fits"),
    [
        ((0, 0, 640, 480), True),
        ((0, 0, 640.01, 480), False),
        ((-0.01, 0, 10, 10), False),
        ((630, 470.5, 10, 9.5), True),
        ((630, 470.5, 10, 9.51), False),
        ((0.07, 0.1, 639.93, 479.9), True),  # as floats, these edges are a little outside
    ],
)
def test_a_rectangle_may_touch_the_picture_s_edges(box, fits):
    assert inside(Rectangle.of(box), 640, 480) is fits
