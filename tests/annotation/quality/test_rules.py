"""Numbers of inspection against hand-worked and published ones."""

import itertools

import pytest

from annotation.quality import rules
from curation.lib import sampling


@pytest.mark.parametrize(
    ("population", "percent", "size"), [(20, 10, 2), (200, 25, 50), (100, 10, 10), (7, 10, 1), (11, 25, 3), (1, 25, 1)]
)
def test_sample_sizes(population, percent, size):
    assert rules.sample_size(population, percent) == size


@pytest.mark.parametrize(("size", "allowed"), [(1, 0), (33, 0), (34, 1), (66, 1), (67, 2), (100, 2), (101, 3)])
def test_over_97_percent(size, allowed):
    assert rules.errors_allowed(size, 97) == allowed


def test_the_limit_agrees_with_the_comparison():
    for size, percent in itertools.product(range(1, 102), (90, 95, 97, 99)):
        allowed = rules.errors_allowed(size, percent)
        assert [rules.passes(e, size, percent) for e in range(size + 1)] == [e <= allowed for e in range(size + 1)]


@pytest.mark.parametrize(
    ("population", "size", "right_percent", "chance"),
    [
        (100, 10, 90, 0.33),
        (100, 10, 97, 0.73),
        (100, 25, 90, 0.05),
        (100, 25, 97, 0.42),
        (20, 2, 90, 0.81),
        (50, 5, 90, 0.58),
        (100, 25, 98, 0.56),
        (100, 10, 98, 0.81),
    ],
)
def test_chances_of_passing(population, size, right_percent, chance):
    allowed = rules.errors_allowed(size, 97)
    assert round(rules.pass_chance(population, size, allowed, right_percent), 2) == chance


def test_a_small_package_by_hand():
    # 3 of 10 drawn, one of ten wrong: it is missed with 7/10
    assert rules.pass_chance(10, 3, 0, 90) == 0.7


@pytest.mark.parametrize(
    ("right", "size", "low", "high"),
    [(19, 20, 0.751, 0.999), (20, 20, 0.832, 1.0), (0, 10, 0.0, 0.308), (5, 10, 0.187, 0.813)],
)
def test_clopper_pearson(right, size, low, high):
    found = rules.interval(right, size, 100_000)
    assert (found.method, round(found.low, 3), round(found.high, 3)) == ("clopper-pearson", low, high)


def test_a_whole_package_inspected_leaves_no_doubt():
    assert rules.interval(9, 10, 10) == ("hypergeometric", 0.9, 0.9)


@pytest.mark.parametrize(("population", "size"), [(20, 4), (40, 10), (100, 25)])
def test_the_interval_covers_at_least_95_percent(population, size):
    """Exactly: for each true count, the chance that the interval holds it."""
    for truth in range(population + 1):
        covered = 0.0
        for right in range(max(0, size - (population - truth)), min(size, truth) + 1):
            found = rules.interval(right, size, population)
            if found.low * population - 1e-9 <= truth <= found.high * population + 1e-9:
                below = sampling.at_most(right, population, truth, size)
                covered += float(below - sampling.at_most(right - 1, population, truth, size))
        assert covered >= 0.95


@pytest.mark.parametrize(
    ("right", "size", "low", "high"),
    [
        # 1 - 0.025 ** (1 / 10): none of ten right
        (0, 10, 0.0, 1 - 0.025**0.1),
        (10, 10, 0.025**0.1, 1.0),
        # a share of two from the table of Clopper and Pearson (1934)
        (5, 10, 0.1871, 0.8129),
        (9_700, 10_000, 0.96646, 0.97326),
    ],
)
def test_the_exact_interval_of_any_size(right, size, low, high):
    found = rules.clopper_pearson(right, size)
    assert (found.method, found.low, found.high) == (
        "clopper-pearson",
        pytest.approx(low, abs=5e-5),
        pytest.approx(high, abs=5e-5),
    )
