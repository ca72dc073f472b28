"""The order in which options are printed: reproducible by hand, stable, and fair."""

import hashlib
from collections import Counter
from math import erfc, exp, pi, sqrt

import pytest

from annotation.kinds.option_order import LETTERS, LetterSpread, drawn_order, spread_of

OPTIONS = ["二胡", "琵琶", "古筝", "唢呐"]


def test_the_order_is_that_of_the_digests():
    # printf '7:12:二胡' | sha256sum: a409…, 琵琶 729f…, 古筝 4881…, 唢呐 211d…; with 13: 8a7c…, 0283…, b66f…, b345…
    assert drawn_order(OPTIONS, seed=7, number=12) == [3, 2, 1, 0]
    assert drawn_order(OPTIONS, seed=7, number=13) == [1, 0, 3, 2]
    assert hashlib.sha256("7:12:二胡".encode()).hexdigest()[:8] == "a409a742"
    assert [LETTERS[drawn_order(OPTIONS, seed=7, number=number).index(0)] for number in (12, 13)] == ["D", "B"]


def test_an_option_that_changes_leaves_the_others_in_order():
    changed = [*OPTIONS[:3], "笛子"]
    for number in range(200):
        before = [OPTIONS[i] for i in drawn_order(OPTIONS, seed=1, number=number) if i != 3]
        assert [changed[i] for i in drawn_order(changed, seed=1, number=number) if i != 3] == before


def test_the_order_in_which_distractors_are_written_does_not_matter():
    turned = [OPTIONS[0], *reversed(OPTIONS[1:])]
    for number in range(200):
        one, other = (drawn_order(options, seed=1, number=number) for options in (OPTIONS, turned))
        assert [OPTIONS[i] for i in one] == [turned[i] for i in other]


@pytest.mark.parametrize(
    ("counts", "statistic"),
    [((215, 215, 215, 215), 0.0), ((20, 30, 25, 25), 2.0), ((1, 0, 0, 0), 3.0), ((0, 0, 0, 100), 300.0)],
)
def test_chi_square_and_its_probability(counts, statistic):
    spread = spread_of(counts)
    assert (spread.counts, spread.statistic) == (counts, pytest.approx(statistic))
    # The distribution with three degrees of freedom has a closed form.
    tail = erfc(sqrt(statistic / 2)) + sqrt(2 * statistic / pi) * exp(-statistic / 2)
    assert spread.p_value == pytest.approx(tail, abs=1e-12)


def test_two_options_have_one_degree_of_freedom():
    assert spread_of([60, 40]) == LetterSpread((60, 40), 4.0, pytest.approx(erfc(sqrt(2))))


def test_without_questions_every_letter_is_equally_likely():
    assert spread_of([0, 0]) == LetterSpread((0, 0), 0.0, 1.0)


def test_tcc_benchs_860_questions_are_spread_evenly():
    spreads = []
    for seed in (1, 3, 4, 5):
        positions = Counter(drawn_order(OPTIONS, seed=seed, number=n).index(0) for n in range(860))
        spreads.append(spread_of([positions[position] for position in range(4)]))
    assert [spread.counts for spread in spreads] == [
        (210, 223, 225, 202),
        (223, 208, 211, 218),
        (235, 207, 219, 199),
        (210, 203, 215, 232),
    ]
    assert all(spread.p_value > 0.3 for spread in spreads)
    # No option is favoured, right or not: each of the 24 orders of four options comes up.
    assert len({tuple(drawn_order(OPTIONS, seed=1, number=n)) for n in range(860)}) == 24
