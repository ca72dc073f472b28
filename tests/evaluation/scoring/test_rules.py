"""Counts, values and ranks of hand-worked galleries, over everything and by group."""

import json

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import score as score_file
from evaluation.scoring.rules import (
    GROUP_BYS,
    NO_GROUP,
    Answer,
    Entry,
    Gallery,
    bootstrap_seed,
    gallery_digest,
    large_groups,
    lines_of,
    report_of,
    score,
)

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


def scored(entries, given, ks, seed=1):
    """Scores and ranks as lists."""
    gallery = Gallery(entries)
    gallery.fill(Answer(item, variant, vector) for (item, variant), vector in given.items())
    found, ranks = score(gallery, ks=ks, seed=seed)
    return found, list(ranks)


def lines(entries, given, ks=(1, 2)):
    return {
        (s.scope, s.metric): (s.value, s.n_expected, s.n_scored, s.n_missing, s.n_failed)
        for s in scored(entries, given, ks)[0]
        if not s.group_by
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
    (first, *_), ranks = scored([entry(1), entry(2)], given, (1,))
    assert [(r.scope, r.item_id, r.outcome, r.rank, [n[0] for n in r.nearest]) for r in ranks] == [
        ("t2i", 1, "right", 0, [1]),
        ("t2i", 1, "right", 0, [1]),
        ("t2i", 2, "missing", None, []),
        ("t2i", 2, "missing", None, []),
        ("i2t", 1, "right", 0, [1, 1, 2, 2]),
        ("i2t", 2, "missing", None, []),
    ]
    assert (first.details["images"], first.details["texts"]) == (1, 4)


def test_failures_are_counted_apart_from_what_is_missing():
    given = answers(i1=X, i2=None, i3=Z, t1=[X, None], t2=[Y, Y])
    assert lines([entry(1), entry(2), entry(3)], given, ks=(1,)) == {
        ("t2i", "R@1"): (1.0, 6, 1, 2, 3),
        ("i2t", "R@1"): (1.0, 3, 1, 1, 1),
    }
    _, ranks = scored([entry(1), entry(2), entry(3)], given, (1,))
    assert [(r.scope, r.outcome) for r in ranks] == [
        *(("t2i", outcome) for outcome in ("right", "failed", "failed", "failed", "missing", "missing")),
        *(("i2t", outcome) for outcome in ("right", "failed", "missing")),
    ]


@pytest.mark.parametrize(
    ("missing", "profile"), [(None, "cvlue-itr/paper"), (None, "cvlue-itr/official"), (7, "cvlue-itr/official")]
)
def test_without_ties_its_figures_are_those_of_profiles_for_ranked_lists(tmp_path, missing, profile):
    """A text without a vector is no query and in no list, as one that a file leaves out for the published scorer."""
    numbers = np.random.default_rng(3)
    pictures = numbers.normal(size=(60, 8)).astype(np.float32)
    texts = np.repeat(pictures, 5, 0) + numbers.normal(size=(300, 8)).astype(np.float32)
    pictures, texts = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (pictures, texts))
    vectors = {(n + 1, "image"): picture for n, picture in enumerate(pictures)}
    vectors |= {(n // 5 + 1, f"caption-{n % 5}"): text for n, text in enumerate(texts) if n != missing}
    own = lines([entry(n + 1, texts=5) for n in range(60)], vectors, ks=(1, 5, 10))

    similar = texts @ pictures.T
    gold = [{"id": f"i{n}", "scope": "i2t", "gold": [f"t{5 * n + i}" for i in range(5)]} for n in range(60)]
    gold += [{"id": f"t{n}", "scope": "t2i", "gold": [f"i{n // 5}"]} for n in range(300)]
    ranked = [
        {"id": f"i{n}", "response": [f"t{t}" for t in np.argsort(-similar[:, n]) if t != missing]} for n in range(60)
    ]
    ranked += [
        {"id": f"t{n}", "response": [f"i{i}" for i in np.argsort(-similar[n])]} for n in range(300) if n != missing
    ]
    files = tmp_path / "gold.jsonl", tmp_path / "ranked.jsonl"
    for file, rows in zip(files, (gold, ranked), strict=True):
        file.write_text("\n".join(map(json.dumps, rows)))
    report = score_file(PROFILES[profile], *files)
    assert {f"{scope} {metric}": values[0] for (scope, metric), values in own.items() if metric.startswith("R@")} == {
        name: metric["value"] for name, metric in report["metrics"].items()
    }
    assert own["t2i", "R@1"][1:4] == (300, 300 - (missing is not None), int(missing is not None))


@pytest.mark.parametrize("given", [{}, answers(i1=None, t1=[None, None])], ids=["nothing", "all failed"])
def test_what_cannot_be_scored_has_no_value(given):
    found, ranks = scored([entry(1)], given, (1,))
    assert [(r.rank, r.nearest) for r in ranks] == [(None, [])] * 3
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
    (t2i, i2t), _ = scored(entries, given, (5,), seed=9)
    assert t2i.details["interval"] == "bootstrap-percentile"
    assert i2t.details["interval"] == "wilson"
    assert t2i.low < t2i.value < t2i.high
    assert scored(entries, given, (5,), seed=9)[0] == [t2i, i2t]


def test_groups_search_the_whole_gallery_and_say_their_own_share():
    """Pictures 1 and 2 are lanterns, 3 a cow, 4 in no category; text 1 of picture 1 looks like picture 3."""
    of = {1: ("lantern", "closest"), 2: ("lantern", "closest"), 3: ("cow", "coco"), 4: (NO_GROUP, NO_GROUP)}
    entries = [entry(n)._replace(category=of[n][0], distance=of[n][1]) for n in (1, 2, 3, 4)]
    given = answers(i1=X, i2=Y, i3=Z, i4=-X, t1=[Z, X], t2=[Y, Y], t3=[Z, Z], t4=[-X, -X])
    found, ranks = scored(entries, given, (1,))
    assert {(s.group_by, s.group): (s.value, s.n_expected) for s in found if s.scope == "t2i"} == {
        ("", ""): (7 / 8, 8),
        ("category", "lantern"): (3 / 4, 4),
        ("category", "cow"): (1.0, 2),
        ("category", NO_GROUP): (1.0, 2),
        ("distance", "closest"): (3 / 4, 4),
        ("distance", "coco"): (1.0, 2),
        ("distance", NO_GROUP): (1.0, 2),
    }
    first = ranks[0]
    assert (first.scope, first.ordinal, first.item_id, first.variant) == ("t2i", 0, 1, "caption-0")
    # looks exactly like picture 3, and at right angles to 1, 2 and 4: its own stands behind what it ties with
    assert (first.rank, first.nearest) == (
        3,
        [[3, "image", 1.0], [2, "image", 0.0], [4, "image", 0.0], [1, "image", 0.0]],
    )
    # pictures ask in the release's order, after the texts; picture 3 meets a stranger's text as near as its own
    assert [(r.ordinal, r.item_id, r.variant, r.rank) for r in ranks if r.scope == "i2t"] == [
        (0, 1, "image", 0),
        (1, 2, "image", 0),
        (2, 3, "image", 1),
        (3, 4, "image", 0),
    ]


def test_a_list_without_groups_is_scored_as_a_whole_alone():
    found, _ = scored([entry(1), entry(2)], answers(i1=X, i2=Y, t1=[X, X], t2=[Y, Y]), (1,))
    assert {s.group_by for s in found} == {""}


@settings(max_examples=40, deadline=None)
@drawn(seed=st.integers(0, 2**32 - 1), pictures=st.integers(1, 9), lost=st.integers(0, 4))
def test_groups_add_up_to_the_whole(seed, pictures, lost):
    rng = np.random.default_rng(seed)
    entries, given = [], {}
    for n in range(1, pictures + 1):
        category = str(rng.choice(["a", "b", NO_GROUP]))
        entries.append(entry(n)._replace(category=category, distance={"a": "coco", "b": "closest"}.get(category, "-")))
        v = np.sign(rng.normal(size=(3, 4))).astype(np.float32) / 2
        given |= answers(**{f"i{n}": v[0], f"t{n}": list(v[1:])})
    for key in list(given)[:lost]:
        given[key] = None
    for key in list(given)[-lost:] if lost else []:
        del given[key]
    found, ranks = scored(entries, given, (1, 2))
    # A report has every digit, also after a database kept it, which orders names anew.
    report = report_of(found, split="test")
    kept = list(lines_of(json.loads(json.dumps(report, sort_keys=True))))
    searched = [s._replace(details={**s.details, "split": "test"}) for s in found]
    assert sorted(kept, key=lambda s: s[:4]) == sorted(searched, key=lambda s: s[:4])
    whole = {(s.scope, s.metric): s for s in found if not s.group_by}
    for group_by in {s.group_by for s in found} - {""}:
        for key, line in whole.items():
            parts = [s for s in found if s.group_by == group_by and (s.scope, s.metric) == key]
            for count in ("n_expected", "n_scored", "n_missing", "n_failed"):
                assert sum(getattr(s, count) for s in parts) == getattr(line, count)
            assert sum(s.details.get("hits", 0) for s in parts) == line.details.get("hits", 0)
    assert group_names(found) == {(by, getattr(e, by)) for e in entries for by in groupings(entries)}
    for (scope, metric), line in whole.items():
        told = [r.rank for r in ranks if r.scope == scope]
        assert len(told) == line.n_expected
        assert sum(rank is not None for rank in told) == line.n_scored
        assert sum(rank is not None and rank < int(metric[2:]) for rank in told) == line.details.get("hits", 0)


def groupings(entries):
    return [by for by in GROUP_BYS if {getattr(e, by) for e in entries} - {NO_GROUP}]


def group_names(found):
    return {(s.group_by, s.group) for s in found if s.group_by}


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


@pytest.mark.parametrize(
    ("sizes", "total", "chosen"),
    [
        ({"a": 40, "b": 25, "c": 20}, 85, {"a", "b", "c"}),
        ({"a": 40, "b": 25, "c": 19}, 84, {"a"}),  # c alone would be the whole without a and b
        ({"a": 40, "b": 25, "c": 19, "d": 1}, 85, {"a", "b"}),
        ({"a": 40, "b": 25}, 66, {"a"}),  # one has no group
        ({"a": 40, "c": 1}, 41, set()),
        ({}, 0, set()),
    ],
)
def test_no_figure_follows_for_fewer_than_the_least(sizes, total, chosen):
    assert large_groups(sizes, total=total, least=20) == chosen
    assert large_groups(sizes, total=total, least=0) == set(sizes)
