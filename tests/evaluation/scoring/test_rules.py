"""Counts and values of hand-worked galleries."""

import numpy as np
import pytest

from evaluation.scoring.rules import Entry, bootstrap_seed, gallery_digest, score

X, Y, Z = (row.astype(np.float32) for row in np.eye(3))


def entry(item: int, image: int | None = None, texts: int = 2) -> Entry:
    return Entry(item, 1, image or item, "f" * 64, tuple(f"caption-{i}" for i in range(texts)))


def answers(**given):
    """``i1=X, t1=[X, Y]``: picture and texts of item 1; None failed; left out: missing."""
    found = {}
    for name, vector in given.items():
        item = int(name[1:])
        if name[0] == "i":
            found[item, "image"] = vector
        else:
            found |= {(item, f"caption-{i}"): v for i, v in enumerate(vector)}
    return found


def lines(entries, given, ks=(1, 2)):
    return {
        (s.scope, s.metric): (s.value, s.n_expected, s.n_scored, s.n_missing, s.n_failed)
        for s in score(entries, given, image="image", ks=ks, seed=1)
    }


def test_three_pictures_two_texts_each():
    """Text 1 of picture 3 looks like picture 1: five of six texts find theirs first; every picture finds one."""
    given = answers(i1=X, i2=Y, i3=Z, t1=[X, X], t2=[Y, Y], t3=[Z, X])
    assert lines([entry(1), entry(2), entry(3)], given) == {
        ("t2i", "R@1"): (5 / 6, 6, 6, 0, 0),
        # the stray text ties pictures 2 and 3 for the second place, and loses
        ("t2i", "R@2"): (5 / 6, 6, 6, 0, 0),
        # picture 1 ties its own texts with the stray one and loses the first place
        ("i2t", "R@1"): (2 / 3, 3, 3, 0, 0),
        ("i2t", "R@2"): (1.0, 3, 3, 0, 0),
    }


def test_a_missing_picture_takes_its_texts_out_and_leaves_them_as_distractors():
    given = answers(i1=X, t1=[X, X], t2=[Y, Y])
    assert lines([entry(1), entry(2)], given) == {
        ("t2i", "R@1"): (1.0, 4, 2, 2, 0),
        ("t2i", "R@2"): (1.0, 4, 2, 2, 0),
        ("i2t", "R@1"): (1.0, 2, 1, 1, 0),
        ("i2t", "R@2"): (1.0, 2, 1, 1, 0),
    }
    (first, *_) = score([entry(1), entry(2)], given, image="image", ks=(1,), seed=1)
    assert (first.details["images"], first.details["texts"]) == (1, 4)


def test_failures_are_counted_apart_from_what_is_missing():
    given = answers(i1=X, i2=None, i3=Z, t1=[X, None], t2=[Y, Y])
    assert lines([entry(1), entry(2), entry(3)], given, ks=(1,)) == {
        ("t2i", "R@1"): (1.0, 6, 1, 2, 3),
        ("i2t", "R@1"): (1.0, 3, 1, 1, 1),
    }


@pytest.mark.parametrize("given", [{}, answers(i1=None, t1=[None, None])], ids=["nothing", "all failed"])
def test_what_cannot_be_scored_has_no_value(given):
    found = score([entry(1)], given, image="image", ks=(1,), seed=1)
    assert [(s.value, s.low, s.high, s.n_scored) for s in found] == [(None, None, None, 0)] * 2
    assert {s.n_missing + s.n_failed for s in found} == {1, 2}


def test_items_that_share_a_picture_are_one_picture_with_all_their_texts():
    given = answers(i1=X, i2=X, i3=Z, t1=[Z], t2=[X], t3=[Z])
    found = lines([entry(1, 1, 1), entry(2, 1, 1), entry(3, 3, 1)], given, ks=(1,))
    assert found == {("t2i", "R@1"): (2 / 3, 3, 3, 0, 0), ("i2t", "R@1"): (0.5, 2, 2, 0, 0)}


@pytest.mark.parametrize("pictures", [2, 7, 12])
def test_a_constant_scorer_finds_nothing_but_what_k_hands_to_it(pictures):
    given = answers(
        **{f"i{n}": X for n in range(1, pictures + 1)}, **{f"t{n}": [X] * 5 for n in range(1, pictures + 1)}
    )
    found = lines([entry(n, texts=5) for n in range(1, pictures + 1)], given, ks=(1, 5, 10))
    for k in (1, 5, 10):
        assert found["t2i", f"R@{k}"][0] == (1.0 if k >= pictures else 0.0)
        assert found["i2t", f"R@{k}"][0] == (1.0 if k >= 5 * (pictures - 1) + 1 else 0.0)
    assert found["t2i", "R@1"][0] <= 1 / pictures


def test_the_interval_names_its_method_and_repeats():
    rng = np.random.default_rng(0)
    given = {}
    for n in range(1, 13):
        v = rng.normal(size=(6, 3)).astype(np.float32)
        given |= answers(**{f"i{n}": v[0], f"t{n}": list(v[1:])})
    entries = [entry(n, texts=5) for n in range(1, 13)]
    t2i, i2t = score(entries, given, image="image", ks=(5,), seed=9)
    assert t2i.details["interval"] == "bootstrap-percentile"
    assert i2t.details["interval"] == "wilson"
    assert t2i.low < t2i.value < t2i.high
    assert score(entries, given, image="image", ks=(5,), seed=9)[0] == t2i


def test_the_digest_names_content_and_order():
    first = gallery_digest([entry(1), entry(2)], "test")
    assert first == gallery_digest([entry(1), entry(2)], "test")
    others = [
        gallery_digest([entry(2), entry(1)], "test"),
        gallery_digest([entry(1), entry(2)], "valid"),
        gallery_digest([entry(1), entry(2)._replace(revision_no=2)], "test"),
        gallery_digest([entry(1), entry(2)._replace(rendition_sha256="0" * 64)], "test"),
    ]
    assert len({first, *others}) == 5
    assert 0 <= bootstrap_seed(first) < 2**32
