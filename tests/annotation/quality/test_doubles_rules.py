"""Agreement of two people's boxes, worked by hand."""

import pytest

from annotation.quality.rules.doubles import Compared, compared, figures, matches


def drawn(*boxes):
    return {"boxes": [{"key": key, "category": category, "box": list(place)} for key, category, place in boxes]}


A = ("a", "panda", (0, 0, 10, 10))
B = ("b", "bowl", (20, 0, 10, 10))


def values(*pictures):
    return {figure.name: figure.value for figure in figures(pictures)}


def test_the_same_boxes_agree_completely():
    other = drawn(("x", "panda", (0, 0, 10, 10)), ("y", "bowl", (20, 0, 10, 10)))
    assert [(m.one, m.other, m.iou) for m in matches(drawn(A, B), other)] == [("a", "x", 1.0), ("b", "y", 1.0)]
    assert values(compared(drawn(A, B), other)) == {"mean_iou": 1.0, "f1": 1.0, "label_kappa": 1.0}


def test_half_an_overlap_matches_and_less_does_not():
    # 10 x 10 and 10 x 5 within it: exactly one half.
    assert [m.iou for m in matches(drawn(A), drawn(("x", "panda", (0, 0, 10, 5))))] == [0.5]
    assert matches(drawn(A), drawn(("x", "panda", (0, 0, 10, 4.99)))) == []


def test_the_best_pair_is_matched_first_whatever_the_order_and_the_category():
    near, nearer = ("x", "panda", (0, 0, 10, 8)), ("y", "bowl", (0, 0, 10, 9))
    for other in (drawn(near, nearer), drawn(nearer, near)):
        assert [(m.one, m.other) for m in matches(drawn(A), other)] == [("a", "y")]


def test_a_box_is_matched_once():
    twice = drawn(("x", "panda", (0, 0, 10, 9)), ("y", "panda", (0, 0, 10, 8)))
    also = drawn(A, ("b", "panda", (0, 0, 10, 7)))
    # a-x 0.9 first, then b-y 7/8.
    assert [(m.one, m.other, m.iou) for m in matches(also, twice)] == [("a", "x", 0.9), ("b", "y", 0.875)]


def test_what_only_one_found_lowers_f1_alone():
    result = compared(drawn(A, B), drawn(("x", "panda", (0, 0, 10, 8))))
    assert result == Compared(3, (0.8,), (("panda", "panda"),))
    assert values(result) == {"mean_iou": 0.8, "f1": pytest.approx(2 / 3), "label_kappa": None}


def test_kappa_of_labels_is_fleiss_whoever_is_first():
    # Of four matches three agree; of eight labels five are panda: (3/4 - 34/64) / (1 - 34/64).
    labels = (("panda", "panda"), ("panda", "panda"), ("bowl", "bowl"), ("bowl", "panda"))
    turned = tuple((other, one) for one, other in labels)
    for each in (labels, turned):
        assert values(Compared(8, (1.0,) * 4, each))["label_kappa"] == pytest.approx(14 / 30)


def test_pictures_without_boxes_have_no_figures():
    assert values(compared(drawn(), drawn())) == {"mean_iou": None, "f1": None, "label_kappa": None}
    assert values() == {"mean_iou": None, "f1": None, "label_kappa": None}


def test_nothing_in_common_is_zero():
    assert values(compared(drawn(A), drawn(("x", "panda", (50, 50, 10, 10))))) == {
        "mean_iou": None,
        "f1": 0.0,
        "label_kappa": None,
    }


def test_intervals_are_of_whole_pictures_and_the_same_each_time():
    pictures = [Compared(4, (1.0, 0.9), (("a", "a"), ("b", "b"))), Compared(4, (0.6,), (("a", "b"),))] * 10
    first, second = figures(pictures), figures(pictures)
    assert first == second
    for figure in first:
        assert figure.low < figure.value < figure.high
    assert all(figure.low is None for figure in figures(pictures[:1]))
    mean = next(figure for figure in first if figure.name == "mean_iou")
    assert mean.value == pytest.approx(2.5 / 3)
