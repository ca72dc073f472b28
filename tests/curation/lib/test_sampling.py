"""How samples are drawn, and whether an inspection tells good work from poor."""

from fractions import Fraction
from itertools import combinations

import pytest

from curation.lib import sampling


def test_the_chance_is_the_share_of_samples_that_pass():
    draw = sampling.draw_from(10, sample_percent=30, pass_over_percent=97)
    assert draw == (10, 3, 0)
    drawn = list(combinations(range(10), 3))
    passing = [d for d in drawn if 0 not in d]  # one of ten is wrong
    assert draw.chance(90) == Fraction(len(passing), len(drawn)) == Fraction(7, 10)


@pytest.mark.parametrize(
    ("size", "sample", "over", "codes"),
    [
        (20, 10, 97, ["inspection_weak"]),  # the paper's lower bound: 0.8 with two wrong of twenty
        (100, 25, 97, []),
        (100, 10, 97, ["inspection_weak"]),
        (50, 25, 97, ["inspection_weak"]),
        (50, 40, 97, []),
        (1_000, 10, 97, []),
        (100, 33, 97, ["inspection_harsh"]),
        (200, 5, 99, ["inspection_weak"]),
        (400, 25, 99, ["inspection_harsh"]),
        (10, 100, 97, []),
    ],
)
def test_doubts(size, sample, over, codes):
    draw = sampling.draw_from(size, sample_percent=sample, pass_over_percent=over)
    assert [d.code for d in sampling.plan_warnings(draw)] == codes


def test_a_doubt_brings_its_numbers():
    (warning,) = sampling.plan_warnings(sampling.draw_from(20, sample_percent=10, pass_over_percent=97))
    assert warning.params | {"chance": round(warning.params["chance"], 4)} == {
        "size": 20,
        "sample": 2,
        "errors_allowed": 0,
        "right_percent": 90,
        "chance": 0.8053,  # 18 x 17 of 20 x 19
    }


def test_exactly_one_in_five_is_no_doubt():
    draw = sampling.Draw(10, 8, 0)
    assert (draw.chance(90), sampling.plan_warnings(draw)) == (Fraction(1, 5), [])
