"""Intervals of shares against published and hand-worked values."""

import numpy as np
import pytest

from evaluation.metrics.intervals import Interval, clustered, difference, wilson


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        # Newcombe (1998), table I: methods without continuity correction, 81/263, 15/148, 0/20, 1/29.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),
    ],
)
def test_wilson_as_published(hits, n, low, high):
    interval = wilson(hits, n)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


@pytest.mark.parametrize(("hits", "n"), [(0, 0), (3, 2), (-1, 4)])
def test_wilson_refuses_what_is_no_share(hits, n):
    with pytest.raises(ValueError, match="hits of"):
        wilson(hits, n)


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [  # Newcombe (1998), table II, method 10
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_a_difference_as_published(one, other, low, high):
    found = difference(one[0] / one[1], wilson(*one), other[0] / other[1], wilson(*other))
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert found.method == "square-and-add/wilson"


def test_a_difference_of_clusters_is_as_wide_as_their_own_intervals_say():
    one, other = Interval(0.7, 0.83, "bootstrap-percentile"), Interval(0.0, 0.12, "wilson-over-clusters")
    found = difference(0.75, one, 0.0, other)
    # By hand: 0.05 and 0.12 below, 0.08 and nothing above.
    assert found == (
        pytest.approx(0.62),
        pytest.approx(0.83),
        "square-and-add/bootstrap-percentile+wilson-over-clusters",
    )


def test_the_bootstrap_repeats_with_its_seed():
    hits, sizes = np.array([5, 0, 3, 4, 1]), np.array([5, 5, 5, 5, 5])
    first = clustered(hits, sizes, seed=11)
    assert first == clustered(hits, sizes, seed=11)
    assert clustered(np.arange(60), np.full(60, 60), seed=11) != clustered(np.arange(60), np.full(60, 60), seed=12)
    assert 0 <= first.low < 13 / 25 < first.high <= 1


def test_the_bootstrap_finds_the_normal_interval_of_many_clusters():
    rng = np.random.default_rng(0)
    hits = rng.binomial(1, 0.4, size=4000)
    interval = clustered(hits, np.ones(4000, dtype=np.int64), seed=1)
    share, half = hits.mean(), 1.96 * np.sqrt(hits.mean() * (1 - hits.mean()) / 4000)
    assert interval.low == pytest.approx(share - half, abs=0.002)
    assert interval.high == pytest.approx(share + half, abs=0.002)


def test_drawing_sorts_of_clusters_is_drawing_clusters():
    sums, sizes = np.array([0.0, 1.0, 2.0, 3.0] * 1500), np.full(6000, 3.0)
    few = clustered(sums, sizes, seed=1, resamples=400)
    many = clustered(sums + np.linspace(0, 1e-9, 6000), sizes, seed=1, resamples=400)
    assert few[:2] == pytest.approx(many[:2], abs=0.002)
    assert few.method == many.method


@pytest.mark.parametrize("hits", [0, 5])
def test_clusters_that_all_agree_leave_doubt_over_their_number(hits):
    interval = clustered(np.full(8, hits), np.full(8, 5), seed=1)
    expected = wilson(8 if hits else 0, 8)
    assert interval == (expected.low, expected.high, "wilson-over-clusters")


def test_an_empty_cluster_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        clustered(np.array([0, 0]), np.array([1, 0]), seed=1)
