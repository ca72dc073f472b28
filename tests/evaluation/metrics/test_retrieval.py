"""Ranks against hand-worked cases and a naive sort; recall with its intervals."""

import json
import tracemalloc
from math import fsum
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.retrieval import recall_at, search, search_both_ways
from tests.evaluation.metrics.ranks import ranks

CASES = json.loads((Path(__file__).parents[2] / "data" / "metrics" / "retrieval.json").read_text())


def unit(rng, n, d):
    rows = rng.normal(size=(n, d))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def naive(queries, gallery, query_owner, gallery_owner):
    """Sort the whole gallery, others before gold where scores are equal, and look for the first gold entry."""
    found = []
    for q, owner in zip(queries.astype(np.float64), query_owner, strict=True):
        scores = [float(np.dot(q, g)) for g in gallery.astype(np.float64)]
        entries = sorted(zip(scores, gallery_owner, strict=True), key=lambda e: (-round(e[0], 12), e[1] == owner))
        found.append(
            1 + sum(1 for _, o in entries[: [o for _, o in entries].index(owner)] if o != owner),
        )
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_hand_worked(case):
    pictures = np.array(case["pictures"], dtype=np.float32)
    texts = np.array(case["texts"], dtype=np.float32)
    owner = np.array(case["owner"], dtype=np.int64)
    own = np.arange(len(pictures))
    assert ranks(texts, pictures, query_owner=owner, gallery_owner=own).tolist() == case["t2i"]
    asked = np.array([i for i, r in enumerate(case["i2t"]) if r is not None])
    found = ranks(pictures[asked], texts, query_owner=own[asked], gallery_owner=owner)
    assert found.tolist() == [r for r in case["i2t"] if r is not None]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    pictures=st.integers(1, 12),
    each=st.integers(1, 4),
    d=st.integers(1, 8),
    coarse=st.booleans(),
    block=st.sampled_from([9, 200, 48_000_000]),
)
def test_ranks_equal_a_naive_sort_whatever_the_blocks(seed, pictures, each, d, coarse, block):
    rng = np.random.default_rng(seed)
    p, t = unit(rng, pictures, d), unit(rng, pictures * each, d)
    if coarse:  # few different directions: many ties
        p, t = np.sign(p).astype(np.float32), np.sign(t).astype(np.float32)
    owner, own = np.repeat(np.arange(pictures), each), np.arange(pictures)
    for q, g, qo, go in [(t, p, owner, own), (p, t, own, owner)]:
        assert ranks(q, g, query_owner=qo, gallery_owner=go, block_bytes=block).tolist() == naive(q, g, qo, go)


def plain(queries, gallery, query_owner, gallery_owner, wanted):
    """The whole matrix, sorted row by row; of equal scores what is not gold first, then by place."""
    rank, nearest = [], []
    for q, owner in zip(queries.astype(np.float64), query_owner, strict=True):
        scores = [round(float(np.dot(q, g)), 12) for g in gallery.astype(np.float64)]
        order = sorted(range(len(gallery)), key=lambda i: (-scores[i], gallery_owner[i] == owner, i))
        first = next(at for at, i in enumerate(order) if gallery_owner[i] == owner)
        rank.append(first + 1)
        nearest.append((order + [-1] * wanted)[:wanted])
    return rank, nearest


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    pictures=st.integers(1, 14),
    each=st.integers(1, 4),
    d=st.integers(1, 8),
    coarse=st.booleans(),
    wanted=st.sampled_from([1, 3, 10]),
    block=st.sampled_from([9, 700, 48_000_000]),
)
def test_the_nearest_are_exact_whatever_the_blocks(seed, pictures, each, d, coarse, wanted, block):
    rng = np.random.default_rng(seed)
    p, t = unit(rng, pictures, d), unit(rng, pictures * each, d)
    if coarse:
        p, t = np.sign(p).astype(np.float32), np.sign(t).astype(np.float32)
    owner, own = np.repeat(np.arange(pictures), each), np.arange(pictures)
    for q, g, qo, go in [(t, p, owner, own), (p, t, own, owner)]:
        found = search(q, g, query_owner=qo, gallery_owner=go, nearest=wanted, block_bytes=block)
        rank, nearest = plain(q, g, qo, go, wanted)
        assert (found.rank.tolist(), found.nearest.tolist()) == (rank, nearest)
        scores = np.where(found.nearest >= 0, np.einsum("nd,nkd->nk", q.astype(np.float64), g[found.nearest]), np.nan)
        np.testing.assert_allclose(found.similarity, scores, atol=1e-12)


def hardly_apart(rng, n, directions, d):
    """Vectors of a few directions, of which many are equal and others differ by a few units of the last place."""
    rows = unit(rng, directions, d)[rng.integers(0, directions, n)]
    steps = rng.integers(-2, 3, n)
    rows[:, 0] = np.abs(rows[:, 0]) + np.float32(0.25)
    for _ in range(2):
        moved = steps != 0
        rows[moved, 0] = np.nextafter(rows[moved, 0], np.sign(steps[moved]).astype(np.float32))
        steps -= np.sign(steps)
    return rows


def by_exact_sums(queries, gallery, query_owner, gallery_owner, wanted):
    """As ``plain``, by sums without rounding of products that float64 holds exactly."""
    rank, nearest, similarity = [], [], []
    for q, owner in zip(queries.astype(np.float64), query_owner, strict=True):
        scores = [fsum(row) for row in (q * gallery.astype(np.float64)).tolist()]
        order = sorted(range(len(gallery)), key=lambda i: (-scores[i], gallery_owner[i] == owner, i))
        rank.append(1 + next(at for at, i in enumerate(order) if gallery_owner[i] == owner))
        nearest.append((order + [-1] * wanted)[:wanted])
        similarity.append([scores[i] if i >= 0 else np.nan for i in nearest[-1]])
    return rank, nearest, similarity


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    pictures=st.integers(1, 60),
    each=st.integers(1, 5),
    directions=st.sampled_from([1, 3, 40, 400]),
    d=st.sampled_from([2, 16, 50]),
    wanted=st.sampled_from([0, 1, 10]),
    block=st.sampled_from([9, 30_000, 64_000_000]),
    power=st.sampled_from([0, 0, 0, -70, 70]),
)
def test_what_float32_cannot_tell_apart_is_told_apart(seed, pictures, each, directions, d, wanted, block, power):
    """Scores that differ by less than float32 can say, ties, and vectors whose products float32 cannot hold at all."""
    rng = np.random.default_rng(seed)
    p, t = (hardly_apart(rng, n, directions, d) * np.float32(2.0**power) for n in (pictures, pictures * each))
    own, owner = np.arange(pictures), rng.permutation(np.repeat(np.arange(pictures), each))
    for q, g, qo, go in [(t, p, owner, own), (p, t, own, owner)]:
        found = search(q, g, query_owner=qo, gallery_owner=go, nearest=wanted, block_bytes=block)
        rank, nearest, similarity = by_exact_sums(q, g, qo, go, wanted)
        assert (found.rank.tolist(), found.nearest.tolist()) == (rank, nearest)
        np.testing.assert_allclose(found.similarity.ravel(), np.ravel(similarity), rtol=0, atol=1e-13 * 4.0**power)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), pictures=st.integers(1, 12), d=st.integers(1, 8), power=st.integers(-3, 3))
def test_ranks_stay_under_monotone_transforms_and_any_order(seed, pictures, d, power):
    """Scores scaled, turned in space, or raised alike: their order is the same, and so are the ranks."""
    rng = np.random.default_rng(seed)
    p, t = unit(rng, pictures, d), unit(rng, pictures * 3, d)
    owner, own = np.repeat(np.arange(pictures), 3), np.arange(pictures)
    before = ranks(t, p, query_owner=owner, gallery_owner=own)
    scaled = ranks(t * np.float32(2.0**power), p, query_owner=owner, gallery_owner=own)
    turned = rng.permutation(d)
    axes = ranks(-t[:, turned], -p[:, turned], query_owner=owner, gallery_owner=own)
    shared = np.full((len(t), 1), 0.5, np.float32), np.full((len(p), 1), 0.5, np.float32)
    raised = ranks(np.hstack([t, shared[0]]), np.hstack([p, shared[1]]), query_owner=owner, gallery_owner=own)
    for after in (scaled, axes, raised):
        assert after.tolist() == before.tolist()
    asked, listed = rng.permutation(len(t)), rng.permutation(len(p))
    moved = ranks(t[asked], p[listed], query_owner=owner[asked], gallery_owner=own[listed])
    assert moved.tolist() == before[asked].tolist()


@pytest.mark.parametrize("d", [1, 3, 64, 513])
@pytest.mark.parametrize("g", [1, 2, 11, 97])
def test_a_constant_scorer_is_last_everywhere(d, g):
    """The same vector everywhere, of odd lengths and sizes that make matrix products add in different orders."""
    vector = unit(np.random.default_rng(d), 1, d)
    owner, own = np.repeat(np.arange(g), 5), np.arange(g)
    t2i = ranks(vector.repeat(5 * g, 0), vector.repeat(g, 0), query_owner=owner, gallery_owner=own, block_bytes=300_000)
    assert set(t2i.tolist()) == {g}
    i2t = ranks(vector.repeat(g, 0), vector.repeat(5 * g, 0), query_owner=own, gallery_owner=owner)
    assert set(i2t.tolist()) == {5 * (g - 1) + 1}
    for k in (1, 5, 10):
        value = recall_at(t2i, k, cluster=owner, seed=1).value
        assert value == (1.0 if k >= g else 0.0)
    assert recall_at(t2i, 1, cluster=owner, seed=1).value <= 1 / g


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_refused(bad):
    good = np.eye(2, dtype=np.float32)
    spoilt = good.copy()
    spoilt[0, 0] = bad
    own = np.arange(2)
    for q, g in [(spoilt, good), (good, spoilt)]:
        with pytest.raises(ValueError, match="no finite number"):
            ranks(q, g, query_owner=own, gallery_owner=own)


def test_a_query_without_gold_is_refused():
    with pytest.raises(ValueError, match="no gold"):
        ranks(
            np.eye(2, dtype=np.float32),
            np.eye(2, dtype=np.float32)[:1],
            query_owner=np.arange(2),
            gallery_owner=np.arange(1),
        )


def test_no_query_no_ranks():
    empty = np.zeros((0, 4), dtype=np.float32)
    none = np.zeros(0, dtype=np.int64)
    assert ranks(empty, empty, query_owner=none, gallery_owner=none).tolist() == []
    with pytest.raises(ValueError, match="no query"):
        recall_at(np.zeros(0, dtype=np.int64), 1)


def test_recall_counts_what_stands_among_the_first_k():
    rank = np.array([1, 2, 5, 6, 10, 11, 1, 40])
    assert [(r.value, r.hits, r.queries) for r in (recall_at(rank, k) for k in (1, 5, 10))] == [
        (0.25, 2, 8),
        (0.5, 4, 8),
        (0.75, 6, 8),
    ]
    assert recall_at(rank, 1).interval.method == "wilson"


def test_recall_by_picture_resamples_pictures():
    """Five texts of a picture that always agree are one observation, not five."""
    rank = np.repeat([1, 1, 1, 9, 9, 9], 5)
    pictures = np.repeat(np.arange(6), 5)
    by_picture = recall_at(rank, 1, cluster=pictures, seed=3).interval
    alone = recall_at(rank, 1).interval
    assert by_picture.method == "bootstrap-percentile"
    assert by_picture.high - by_picture.low > 1.5 * (alone.high - alone.low)
    assert recall_at(rank, 1, cluster=pictures, seed=3).interval == by_picture


def test_memory_does_not_hold_every_pair():
    rng = np.random.default_rng(0)
    own, owner = np.arange(300), np.repeat(np.arange(300), 5)
    p = unit(rng, 300, 64)
    t = (p[owner] + 0.3 * unit(rng, 1_500, 64)).astype(np.float32)
    tracemalloc.start()
    found = search(t, p, query_owner=owner, gallery_owner=own, block_bytes=100_000)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.rank.min() == 1
    answer = found.rank.nbytes + found.nearest.nbytes + found.similarity.nbytes
    # what is neither the block nor the answer are a few numbers for each query and entry
    assert most < 100_000 + answer + 100 * (len(t) + len(p))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    texts=st.integers(0, 40),
    pictures=st.integers(0, 12),
    coarse=st.booleans(),
    block=st.sampled_from([9, 2_000, 48_000_000]),
)
def test_both_ways_at_once_are_each_way_alone(seed, texts, pictures, coarse, block):
    """Some entries have no gold one on the other side; they are no queries, and distract all the same."""
    rng = np.random.default_rng(seed)
    t, p = unit(rng, texts, 5), unit(rng, pictures, 5)
    if coarse:
        t, p = np.sign(t), np.sign(p)
    of_texts, of_pictures = rng.integers(0, 15, texts), rng.permutation(15)[:pictures]
    both = search_both_ways(t, p, text_owner=of_texts, picture_owner=of_pictures, nearest=3, block_bytes=block)
    sides = [(t, of_texts, p, of_pictures), (p, of_pictures, t, of_texts)]
    for result, (queries, owner, gallery, gallery_owner) in zip(both, sides, strict=True):
        has = np.isin(owner, gallery_owner)
        alone = search(queries[has], gallery, query_owner=owner[has], gallery_owner=gallery_owner, nearest=3)
        assert (result.rank.tolist(), result.nearest.tolist()) == (alone.rank.tolist(), alone.nearest.tolist())
        np.testing.assert_allclose(result.similarity, alone.similarity, atol=1e-12)
