"""Agreement measures against examples worked by hand."""

import numpy as np
import pytest

from annotation.quality.rules.agreement import METHOD, NAMES, RESAMPLES, SEED, Unit, measures, observed


def value(units, name):
    return {m.name: m.value for m in measures(units)}[name]


def test_cohen_by_hand():
    """Fifty proposals, two readers: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no.

    Observed 35/50 = 0.7; chance 25/50 * 30/50 + 25/50 * 20/50 = 0.5; kappa (0.7 - 0.5) / (1 - 0.5) = 0.4.
    """
    units = [Unit(1, ("y", "y"), 20), Unit(1, ("y", "n"), 5), Unit(1, ("n", "y"), 10), Unit(1, ("n", "n"), 15)]
    assert value(units, "cohen_kappa") == pytest.approx(0.4)
    assert observed(units) == pytest.approx(0.7)


FOURTEEN_RATERS = """
    0 0 0 0 14
    0 2 6 4 2
    0 0 3 5 6
    0 3 9 2 0
    2 2 8 1 1
    7 7 0 0 0
    3 2 6 3 0
    2 5 3 2 2
    6 5 2 1 0
    0 2 2 3 7
"""


def test_fleiss_by_hand():
    """Ten subjects, fourteen raters, five categories, as textbooks print it.

    Category totals 20, 28, 39, 21, 32 of 140: chance = (20² + 28² + 39² + 21² + 32²) / 140² = 4,170 / 19,600.
    Sums of squares a row: 196 60 70 94 74 98 58 46 66 66 = 828; agreeing pairs (828 - 140) / (14 * 13) = 688 / 182
    over ten rows: 0.37802. kappa = (0.37802 - 0.21276) / (1 - 0.21276) = 0.20993.
    """
    units = []
    for n, line in enumerate(FOURTEEN_RATERS.split("\n")[1:-1]):
        counts = [int(c) for c in line.split()]
        units.append(Unit(n, tuple(str(c) for c, times in enumerate(counts) for _ in range(times))))
    by_hand = (688 / 1_820 - 4_170 / 19_600) / (1 - 4_170 / 19_600)
    assert by_hand == pytest.approx(0.20993, abs=1e-5)
    assert value(units, "fleiss_kappa") == pytest.approx(by_hand)
    assert value(units, "cohen_kappa") is None


def test_fleiss_counts_things_with_the_most_frequent_number_of_judges():
    """Six things have three judges (three aaa, three abb), three things have two.

    Of the six: 12 a and 6 b of 18, so chance is (144 + 36) / 324 = 5/9; agreement (3 * 1 + 3 * 1/3) / 6 = 2/3;
    kappa (2/3 - 5/9) / (1 - 5/9) = 1/4. The three pairs are more rows than the triples, but fewer things.
    """
    triples = [Unit(1, ("a", "a", "a"), 3), Unit(1, ("a", "b", "b"), 3)]
    pairs = [Unit(1, ("a", "b")), Unit(1, ("b", "a")), Unit(1, ("a", "a"))]
    assert value(triples + pairs, "fleiss_kappa") == pytest.approx(1 / 4)
    assert value(pairs + triples, "fleiss_kappa") == pytest.approx(1 / 4)


def test_of_equally_frequent_numbers_of_judges_fleiss_takes_the_smallest():
    triples = [Unit(1, ("a", "b", "b"), 2)]
    pairs = [Unit(1, ("a", "a")), Unit(1, ("b", "b"))]
    assert value(triples + pairs, "fleiss_kappa") == pytest.approx(1.0)
    assert value(pairs + triples, "fleiss_kappa") == pytest.approx(1.0)


def test_krippendorff_by_hand_for_two_judges():
    """Ten things, 0 and 1: 14 zeros and 6 ones among 20; four things differ, so four pairs each way.

    alpha = 1 - (20 - 1) * 4 / (14 * 6) = 1 - 76/84 = 0.09524.
    """
    first, second = "0100000010", "1110010000"
    units = [Unit(1, pair) for pair in zip(first, second, strict=True)]
    assert value(units, "krippendorff_alpha") == pytest.approx(1 - 76 / 84)


def test_krippendorff_by_hand_where_some_did_not_judge():
    """Four judges, twelve things, five categories, gaps; the last thing has one judgement and does not count.

    Forty judgements count: 9, 13, 10, 5 and 3 of each category, so sum of squares 81+169+100+25+9 = 384.
    Agreeing pairs: 1: 7, 2: 10, 3: 8, 4: 4, 5: 3 = 32. alpha = 1 - 39 * (40 - 32) / (1,600 - 384) = 1 - 312/1,216.
    """
    judges = ["123321412...", "12332241 25.3".replace(" ", ""), ".3332342251.", "1233244 1251.".replace(" ", "")]
    units = []
    for ratings in zip(*judges, strict=True):
        given = tuple(r for r in ratings if r != ".")
        units.append(Unit(1, given))
    assert value(units, "krippendorff_alpha") == pytest.approx(1 - 312 / 1_216)
    assert round(1 - 312 / 1_216, 3) == 0.743


def test_one_category_alone_leaves_all_undefined():
    found = measures([Unit(1, ("right", "right"), 9), Unit(2, ("right", "right"), 4)])
    assert [(m.name, m.value, m.low, m.high) for m in found] == [(name, None, None, None) for name in NAMES]


def test_nothing_judged_twice_is_undefined():
    assert [m.value for m in measures([])] == [None, None, None]
    assert [m.value for m in measures([Unit(1, ("right",), 9)])] == [None, None, None]
    assert observed([]) is None


def test_perfect_agreement_is_one_and_intervals_need_two_clusters():
    units = [Unit(1, ("a", "a"), 3), Unit(1, ("b", "b"), 3)]
    assert [(m.value, m.low, m.high) for m in measures(units)] == [(1.0, None, None)] * 3
    units += [Unit(2, ("a", "a"), 3), Unit(2, ("b", "b"), 3)]
    assert [(m.value, m.low, m.high) for m in measures(units)] == [(1.0, 1.0, 1.0)] * 3


def test_intervals_are_the_same_each_time_and_hold_the_value():
    units = [
        Unit(c, pair, 1 + (c * 7 + i) % 5)
        for c in range(12)
        for i, pair in enumerate([("a", "a"), ("b", "b"), ("a", "b"), ("b", "a")])
    ]
    found = measures(units)
    assert found == measures(units)
    assert all(m.low < m.value < m.high for m in found)
    assert (RESAMPLES, METHOD) == (1_000, "cluster-bootstrap-percentile-1000")


def kappa_of(table):
    """Cohen's kappa of a table of counts; None where it is undefined."""
    n = table.sum()
    agreed, expected = np.trace(table) / n, (table.sum(axis=1) * table.sum(axis=0)).sum() / n**2
    return None if 1 - expected < 1e-12 else (agreed - expected) / (1 - expected)


def test_an_interval_is_that_of_resamples_computed_one_by_one():
    """Each resample has a package as often as it was drawn; of one category alone it has no measure."""
    tables = np.array([[[9, n], [0, 2 if n < 5 else 0]] for n in range(6)])
    units = [
        Unit(n, ("ab"[row], "ab"[column]), int(tables[n, row, column]))
        for n, row, column in np.ndindex(6, 2, 2)
        if tables[n, row, column]
    ]
    drawn = np.random.default_rng(SEED).multinomial(6, np.full(6, 1 / 6), size=RESAMPLES)
    kappas = [kappa_of(sum(n * table for n, table in zip(times, tables, strict=True))) for times in drawn]
    low, high = np.quantile([one for one in kappas if one is not None], [0.025, 0.975])
    kappa = measures(units)[0]
    assert kappa[1:4] == pytest.approx((kappa_of(tables.sum(axis=0)), low, high))


def test_resamples_without_chance_are_left_out():
    """Two packages: of one category, and of two. A resample of the first alone has no measure."""
    units = [Unit(1, ("a", "a"), 5), Unit(2, ("a", "b"), 2), Unit(2, ("b", "b"), 3)]
    kappa = measures(units)[0]
    assert kappa.value == pytest.approx(1 - (2 / 10) / (1 - (7 * 5 + 3 * 5) / 100))
    assert kappa.low == pytest.approx(1 - (2 / 5) / (1 - (2 * 0 + 3 * 5) / 25))
