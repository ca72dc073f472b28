"""Paired comparison: cases worked by hand, every sign flip counted, the systems exchanged."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.comparison import METHOD, paired, sign_flip_p

CASES = json.loads((Path(__file__).parents[2] / "data" / "metrics" / "comparison.json").read_text())


def compared(one, other, sizes, seed=5):
    return paired(np.array(one), np.array(other), np.array(sizes), seed=seed)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_hand_worked(case):
    found = compared(case["only_one"], case["only_other"], case["sizes"])
    assert found.difference == pytest.approx(case["difference"], abs=1e-15)
    assert found.p == pytest.approx(case["p"], abs=1e-15)
    assert found.method == METHOD
    assert -1 <= found.low <= found.difference <= found.high <= 1
    if "interval" in case:
        low, high, method = case["interval"]
        assert (round(found.low, 7), round(found.high, 7), found.interval) == (low, high, method)


clusters = st.lists(
    st.integers(1, 5).flatmap(
        lambda size: st.integers(0, size).flatmap(
            lambda a: st.tuples(st.just(a), st.integers(0, size - a), st.just(size))
        )
    ),
    min_size=1,
    max_size=9,
)


@settings(max_examples=80, deadline=None)
@given(clusters=clusters)
def test_the_chance_is_that_of_every_way_to_turn_the_signs(clusters):
    d = np.array([one - other for one, other, _ in clusters])
    sums = [abs(int((d * signs).sum())) for signs in itertools.product((1, -1), repeat=len(d))]
    assert sign_flip_p(d) == pytest.approx(np.mean([s >= abs(int(d.sum())) for s in sums]), abs=1e-12)


@settings(max_examples=80, deadline=None)
@given(clusters=clusters, seed=st.integers(0, 2**31))
def test_exchanged_systems_turn_every_sign(clusters, seed):
    one, other, sizes = (list(column) for column in zip(*clusters, strict=True))
    here, there = compared(one, other, sizes, seed), compared(other, one, sizes, seed)
    assert (there.difference, there.low, there.high) == (-here.difference, -here.high, -here.low)
    assert (there.p, there.method, there.interval) == (here.p, here.method, here.interval)


@settings(max_examples=30, deadline=None)
@given(clusters=clusters, seed=st.integers(0, 2**31))
def test_the_order_of_pictures_does_not_matter(clusters, seed):
    turned = list(reversed(clusters))
    assert compared(*zip(*clusters, strict=True), seed) == compared(*zip(*turned, strict=True), seed)


def test_at_the_size_of_a_benchmark_it_finds_what_was_put_in():
    """8,973 pictures, five texts each; the first system has three texts in a hundred more."""
    rng = np.random.default_rng(0)
    difficulty = rng.normal(size=(8973, 1))
    one = difficulty + rng.normal(size=(8973, 5)) < 0.1
    other = difficulty + rng.normal(size=(8973, 5)) < 0.0
    found = compared((one & ~other).sum(axis=1), (~one & other).sum(axis=1), np.full(8973, 5))
    assert found.difference == pytest.approx(0.028, abs=0.004)
    assert found.low < found.difference < found.high
    assert found.low > 0
    assert 0 < found.p < 1e-12
    # a fair pair: same difficulty, fresh luck
    again = difficulty + rng.normal(size=(8973, 5)) < 0.0
    fair = compared((again & ~other).sum(axis=1), (~again & other).sum(axis=1), np.full(8973, 5))
    assert fair.p > 0.01
    assert fair.low < 0 < fair.high


def test_nothing_in_common_has_no_numbers():
    assert paired(*(np.zeros(0, dtype=np.int64),) * 3, seed=1) == (None, None, None, None, METHOD, "")


@pytest.mark.parametrize(("one", "other", "sizes"), [([0], [0], [0]), ([-1], [0], [1]), ([1], [1], [1])])
def test_what_is_no_count_is_refused(one, other, sizes):
    with pytest.raises(ValueError, match="every cluster"):
        compared(one, other, sizes)
