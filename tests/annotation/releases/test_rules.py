"""Splits, gates and records, without a database."""

import hashlib
import itertools
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from annotation.kinds.published import Column
from annotation.releases import rules
from annotation.releases.exporters.columns import shared_columns
from annotation.releases.exporters.registry import DATA
from annotation.releases.rules import (
    Candidate,
    KindSnapshot,
    PerCategory,
    Picture,
    Settings,
    Snapshot,
    Stock,
    Unfinished,
)
from curation.benchmarks.queries import preset
from tests.annotation.releases.exporters.generated import facts

CVLUE = {"train": 60, "valid": 10, "test": 30}
SHARES = st.sampled_from([CVLUE, {"train": 0, "valid": 50, "test": 50}, {"train": 34, "valid": 33, "test": 33}])
SIZES = st.dictionaries(st.sampled_from([f"c{i}" for i in range(30)]), st.integers(1, 40), min_size=1)
SEED = st.integers(0, 2**63 - 1)


def picture(number: int, **values: object) -> Picture:
    facts = {
        "id": 1000 + number,
        "number": number,
        "state": "accepted",
        "cleared": True,
        "licence": "CC0-1.0",
        "consented": True,
        "subset": "A",
        "source": {"kind": "own", "uses": {"research": True, "commercial": True}, "secret": "never published"},
        "category": "panda",
        "category_number": 1,
        "rendition_id": 7,
        "key": f"renditions/{number}/7-clean.png",
        "sha256": "ab" * 32,
        "width": 640,
        "height": 480,
    }
    return Picture(**facts | values)


def snapshot(*pictures: Picture, near: list[tuple[int, int, int]] | None = None, **own: Any) -> Snapshot:
    """A release of captions on these pictures; ``own``: more of what it has of its kind."""
    candidates = [Candidate(100 + p.number, p.number, 0, 1, p) for p in pictures]
    return Snapshot(5, [KindSnapshot("captions", candidates, **own)], near or [])


SETTINGS = Settings(
    shares=CVLUE,
    gates=list(rules.GATES),
    exporters=["jsonl"],
    licence="",
    releasable=frozenset({"CC0-1.0"}),
    asks_consent=True,
    donors="ask",
)


# --- splits


@pytest.mark.parametrize(
    ("total", "counts"),
    [
        (0, (0, 0, 0)),
        (1, (1, 0, 0)),
        (3, (2, 0, 1)),
        (10, (6, 1, 3)),
        # CVLUE's pictures: shares 18,005.4, 3,000.9 and 9,002.7 (the paper counts 17,920, 3,116 and 8,973).
        (30_009, (18_005, 3_001, 9_003)),
    ],
)
def test_largest_remainder(total, counts):
    assert tuple(rules.apportion(total, CVLUE).values()) == counts


def test_of_equal_remainders_the_earlier_split_wins():
    assert rules.apportion(1, {"train": 1, "valid": 1, "test": 1}) == {"train": 1, "valid": 0, "test": 0}


def test_small_categories_together_still_fill_every_split():
    # Rounding each alone would put all ten pictures into train.
    counts = rules.counts_by_stratum({f"c{i}": 1 for i in range(10)}, CVLUE, seed=1)
    assert {split: sum(c[split] for c in counts.values()) for split in CVLUE} == {"train": 6, "valid": 1, "test": 3}


@given(sizes=SIZES, shares=SHARES, seed=SEED)
def test_totals_are_exact_and_every_stratum_is_within_one_of_its_share(sizes, shares, seed):
    counts = rules.counts_by_stratum(sizes, shares, seed)
    assert {split: sum(c[split] for c in counts.values()) for split in shares} == rules.apportion(
        sum(sizes.values()), shares
    )
    for stratum, size in sizes.items():
        assert sum(counts[stratum].values()) == size
        for split, share in shares.items():
            assert abs(100 * counts[stratum][split] - size * share) < 100


@given(sizes=SIZES, seed=SEED, parts=st.lists(st.integers(0, 60), min_size=4, max_size=6).filter(any))
def test_with_more_splits_no_cell_and_no_total_moves_by_one(sizes, seed, parts):
    shares = {f"s{i}": part for i, part in enumerate(parts)}
    whole, total = sum(parts), sum(sizes.values())
    counts = rules.counts_by_stratum(sizes, shares, seed)
    for stratum, size in sizes.items():
        assert sum(counts[stratum].values()) == size
        assert all(abs(whole * counts[stratum][s] - size * share) < whole for s, share in shares.items())
    for split, share in shares.items():
        assert abs(whole * sum(c[split] for c in counts.values()) - total * share) < whole


@given(pictures=st.dictionaries(st.integers(1, 10_000), st.sampled_from(["a", "b", "c", ""]), max_size=60), seed=SEED)
def test_every_picture_is_in_one_split_whatever_order_rows_come_in(pictures, seed):
    drawn = rules.draw_splits(pictures, CVLUE, seed)
    assert drawn.keys() == pictures.keys()
    assert Counter(drawn.values()) == Counter(rules.apportion(len(pictures), CVLUE))
    assert rules.draw_splits(dict(sorted(pictures.items(), reverse=True)), CVLUE, seed) == drawn


def test_the_draw_is_what_the_card_says():
    numbers = range(1, 11)
    order = sorted(numbers, key=lambda n: hashlib.sha256(f"42:{n}".encode()).digest())
    expected = dict.fromkeys(order[:6], "train") | {order[6]: "valid"} | dict.fromkeys(order[7:], "test")
    assert rules.draw_splits(dict.fromkeys(numbers, "panda"), CVLUE, 42) == expected
    assert rules.draw_splits(dict.fromkeys(numbers, "panda"), CVLUE, 43) != expected


# --- splits that earlier releases gave

STRATA = st.dictionaries(st.integers(1, 10_000), st.sampled_from(["test", "b", "c", ""]), max_size=60)


def table_of(strata: dict[int, str], drawn: dict[int, str]) -> dict[str, Counter]:
    found = {stratum: Counter() for stratum in strata.values()}
    for number, stratum in strata.items():
        found[stratum][drawn[number]] += 1
    return found


@given(strata=STRATA, shares=SHARES, seed=SEED, data=st.data())
def test_no_picture_ever_moves_and_shares_are_filled_as_far_as_what_is_kept_allows(strata, shares, seed, data):
    numbers = sorted(strata)
    kept = {
        number: data.draw(st.sampled_from(list(shares)))
        for number in (data.draw(st.lists(st.sampled_from(numbers), unique=True)) if numbers else [])
    }
    drawn = rules.draw_splits(strata, shares, seed, previous=kept)
    assert drawn.keys() == strata.keys()
    assert {number: drawn[number] for number in kept} == kept
    expected = rules.counts_by_stratum(Counter(strata.values()), shares, seed)
    before, after = table_of(strata, kept | dict.fromkeys(strata.keys() - kept.keys(), "new")), table_of(strata, drawn)
    for stratum, counts in after.items():
        for split in shares:
            # A split of a stratum goes beyond its share by what was kept alone.
            assert counts[split] <= max(expected[stratum][split], before[stratum][split])
    assert sum(drawn[number] == "train" for number in numbers) >= sum(s == "train" for s in kept.values())


@given(strata=STRATA, seed=SEED, data=st.data())
def test_what_fits_is_filled_exactly(strata, seed, data):
    whole = rules.draw_splits(strata, CVLUE, seed)
    kept = {number: split for number, split in whole.items() if data.draw(st.booleans())}
    drawn = rules.draw_splits(strata, CVLUE, seed, previous=kept)
    assert table_of(strata, drawn) == table_of(strata, whole)
    assert rules.draw_splits(strata, CVLUE, seed, previous={}) == whole
    assert rules.draw_splits(strata, CVLUE, seed, previous=whole) == whole


@given(
    data=st.data(),
    strata=st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3, unique=True),
)
def test_the_whole_comes_as_near_to_its_shares_as_the_strata_let_it(data, strata):
    splits = ("train", "valid", "test")
    expected = {s: {n: data.draw(st.integers(0, 3)) for n in splits} for s in strata}
    kept = {s: {n: data.draw(st.integers(0, 4)) for n in splits} for s in strata}
    new = {s: sum(expected[s].values()) - sum(kept[s].values()) for s in strata}
    if min(new.values()) < 0:
        return
    allocated = rules.allocate_new_pictures(expected, kept, new)

    def served(table: dict[str, dict[str, int]]) -> int:
        """Pictures that go to splits which are short over all strata."""
        short = {n: max(sum(expected[s][n] - kept[s][n] for s in strata), 0) for n in splits}
        return sum(min(short[n], sum(table[s][n] for s in strata)) for n in splits)

    def divisions(stratum: str) -> list[dict[str, int]]:
        room = [range(max(expected[stratum][n] - kept[stratum][n], 0) + 1) for n in splits]
        return [dict(zip(splits, c, strict=True)) for c in itertools.product(*room) if sum(c) == new[stratum]]

    for stratum in strata:
        assert allocated[stratum] in divisions(stratum)
    best = max(
        served(dict(zip(strata, table, strict=True))) for table in itertools.product(*(divisions(s) for s in strata))
    )
    assert served(allocated) == best


def test_new_pictures_fill_what_is_short():
    # Ten pictures lie 6, 1, 3; of ten more the test has three too many already, so the others get all of them.
    kept = dict.fromkeys(range(1, 5), "train") | {5: "valid"} | dict.fromkeys(range(6, 15), "test")
    drawn = rules.draw_splits(dict.fromkeys(range(1, 21), "panda"), CVLUE, 1, previous=kept)
    assert Counter(drawn.values()) == {"train": 9, "valid": 2, "test": 9}
    order = sorted(range(15, 21), key=lambda n: hashlib.sha256(f"1:{n}".encode()).digest())
    assert {n: drawn[n] for n in order} == dict.fromkeys(order[:5], "train") | {order[5]: "valid"}


@pytest.mark.parametrize(
    ("size", "counts"),
    [
        (3, (3, 0, 0)),  # too few for anything but the examples
        (80, (5, 0, 75)),
        (111, (5, 6, 100)),  # as two subjects of the paper's Table 7: 6 and 8 instead of 10
        (113, (5, 8, 100)),
        (115, (5, 10, 100)),
        (227, (5, 41, 181)),  # 18 : 80 of the 222 that the examples leave: 40.8
    ],
)
def test_a_category_is_divided_by_numbers(size, counts):
    shares = {"train": 2, "valid": 18, "test": 80}
    rule = PerCategory(train=5, test_minimum=100, valid_target=10)
    assert tuple(rules.counts_per_category({"law": size}, shares, rule)["law"].values()) == counts
    drawn = rules.draw_splits(dict.fromkeys(range(size), "law"), shares, 7, per_category=rule)
    assert Counter(drawn.values()) == {n: c for n, c in zip(shares, counts, strict=True) if c}


def test_numbers_hold_where_the_shares_say_nothing_of_the_rest():
    rule = PerCategory(train=0, test_minimum=2, valid_target=3)
    shares = {"train": 100, "valid": 0, "test": 0}
    assert rules.counts_per_category({"a": 9}, shares, rule) == {"a": {"train": 0, "valid": 3, "test": 6}}


def test_splits_are_listed_as_people_say_them():
    assert rules.in_order({"test": 30, "train": 60, "dev": 1, "valid": 10}) == ["train", "valid", "test", "dev"]


# --- gates


def failed(*pictures: Picture, splits: dict[int, str] | None = None) -> list[tuple[str, str]]:
    now = snapshot(*pictures)
    return [(g.code, g.label) for g in rules.gate_failures(now, SETTINGS, splits or now.splits(SETTINGS, 1))]


def test_nothing_fails_when_all_gates_pass():
    assert failed(*(picture(n) for n in range(1, 20))) == []


def test_each_failure_is_listed():
    assert failed() == [("nothing_accepted", "captions")]
    assert failed(
        picture(1, state="received"),
        picture(2, cleared=False),
        picture(3, licence="unclear"),
        picture(4, rendition_id=0, licence="unclear"),
    ) == [
        ("image_file_missing", "img-0004"),
        ("image_not_accepted", "img-0001"),
        ("personal_information", "img-0002"),
        ("licence", "img-0003"),
        ("licence", "img-0004"),
    ]


def test_pictures_of_another_subset_fail_whatever_the_protocol_lists():
    settings = replace(SETTINGS, gates=[], subset_of={"captions": "A", "vqa": "B"})
    now = snapshot(picture(1), picture(2, subset="B"), picture(3, subset=""))
    failures = rules.gate_failures(now, settings, dict.fromkeys((1, 2, 3), "train"))
    assert [(g.code, g.label, g.params) for g in failures] == [
        ("image_outside_subset", "img-0002", {"subset": "B", "expected": "A", "total": 2}),
        ("image_outside_subset", "img-0003", {"subset": "", "expected": "A", "total": 2}),
    ]
    assert rules.gate_failures(now, replace(settings, subset_of={}), dict.fromkeys((1, 2, 3), "train")) == []


def test_near_duplicates_may_not_be_in_two_splits():
    now = snapshot(picture(1), picture(2), picture(3), near=[(1, 3, 4)])
    assert rules.gate_failures(now, SETTINGS, {1: "train", 2: "test", 3: "train"}) == []
    [gate] = rules.gate_failures(now, SETTINGS, {1: "train", 2: "train", 3: "test"})
    assert gate == (
        "near_duplicate_across_splits",
        {"other": "img-0003", "distance": 4, "splits": ["train", "test"], "total": 1},
        "img-0001 · img-0003",
        "/pictures/1001",
    )


def test_pictures_without_consent_fail():
    assert failed(picture(1), picture(2, consented=False)) == [("consent", "img-0002")]
    settings = replace(SETTINGS, asks_consent=False)
    assert rules.gate_failures(snapshot(picture(1, consented=False)), settings, {1: "train"}) == []


RESEARCH = {"research": True, "commercial": False}


@pytest.mark.parametrize(
    ("donors", "licence", "source", "lacking"),
    [
        ("ask", "CC-BY-4.0", {"kind": "own", "uses": RESEARCH}, ["commercial"]),
        ("ask", "CC-BY-NC-ND-4.0", {"kind": "own", "uses": RESEARCH}, []),
        ("ask", "per-picture", {"kind": "own", "uses": RESEARCH}, []),
        ("ask", "CC-BY-NC-ND-4.0", {"kind": "donated"}, ["research"]),
        ("ask", "CC-BY-4.0", {"kind": "donated"}, ["research", "commercial"]),
        ("ask", "CC-BY-4.0", {"kind": "external"}, []),
        ("waive", "CC-BY-4.0", {"kind": "own", "uses": RESEARCH}, ["waived"]),
        ("waive", "CC-BY-4.0", {"kind": "own", "waived": True}, []),
        ("none", "CC-BY-4.0", {"kind": "own"}, []),
    ],
)
def test_what_donors_did_not_allow_is_not_released(donors, licence, source, lacking):
    settings = replace(SETTINGS, gates=["donor_uses"], donors=donors, licence=licence)
    failures = rules.gate_failures(snapshot(picture(1, source=source)), settings, {1: "train"})
    expected = {"lacking": lacking, "licence": licence, "total": 1}
    assert [(g.code, g.params, g.label) for g in failures] == (
        [("donor_uses", expected, "img-0001")] if lacking else []
    )


OPEN = {"research": True, "commercial": True}


@pytest.mark.parametrize(
    ("licence", "source", "research_only", "marked"),
    [
        ("own-open", {"kind": "own", "uses": OPEN}, False, True),
        ("own-open", {"kind": "own", "uses": RESEARCH}, True, False),
        ("own-research", {"kind": "own", "uses": RESEARCH}, True, True),
        ("own-open", {"kind": "donated", "uses": RESEARCH}, True, False),
        ("own-open", {"kind": "donated", "uses": None}, False, True),
        ("CC-BY-NC-2.0", {"kind": "external", "uses": None}, True, True),
        ("CC-BY-4.0", {"kind": "external", "uses": RESEARCH}, False, True),
    ],
)
def test_pictures_for_research_only_are_marked(licence, source, research_only, marked):
    settings = replace(SETTINGS, gates=["research_only_marked"], licence="per-picture", releasable=frozenset({licence}))
    given = picture(1, licence=licence, source=source)
    assert rules.occasional_fields(Candidate(1, 1, 0, 1, given), settings, several=False) == {
        "research_only": research_only
    }
    failures = [(g.code, g.params["licence"]) for g in rules.gate_failures(snapshot(given), settings, {1: "test"})]
    assert failures == ([] if marked else [("research_only_marked", licence)])
    one_licence = replace(settings, licence="CC-BY-4.0")
    assert rules.gate_failures(snapshot(given), one_licence, {1: "test"}) == []


def test_unfinished_items_and_small_categories_link_to_where_they_are_fixed():
    now = replace(
        snapshot(picture(1), unfinished=[Unfinished(7, 12, "made"), Unfinished(9, 14, "returned")]),
        stock=[Stock("panda", 1), Stock("tea", 100), Stock("kite", 0)],
    )
    expected = [
        ("item_not_accepted", {"state": "made", "total": 2}, "cap-000012", "/items/7"),
        ("item_not_accepted", {"state": "returned", "total": 2}, "cap-000014", "/items/9"),
        ("quota", {"accepted": 1, "minimum": 100, "total": 2}, "panda", "/pictures?category=panda"),
        ("quota", {"accepted": 0, "minimum": 100, "total": 2}, "kite", "/pictures?category=kite"),
    ]
    gates = rules.gate_failures(now, replace(SETTINGS, quota=100), {1: "train"})
    assert gates == expected
    assert rules.count_failures(gates) == {"item_not_accepted": 2, "quota": 2}
    assert rules.gate_failures(now, SETTINGS, {1: "train"}) == expected[:2]  # a protocol without quotas


def test_categories_need_pictures_of_the_subsets_with_a_quota():
    stock = [Stock("panda", 9, {"A": 5, "B": 1, "": 3}), Stock("tea", 4, {"A": 4})]
    now = replace(snapshot(picture(1)), stock=stock)
    settings = replace(SETTINGS, quota=5, subset_quotas={"A": 5, "B": 1})

    def failures(**more):
        return [(g.params, g.path) for g in rules.gate_failures(now, replace(settings, **more), {1: "train"})]

    of_a = ({"accepted": 4, "minimum": 5, "subset": "A", "total": 3}, "/pictures?category=tea&subset=A")
    assert failures() == [
        ({"accepted": 4, "minimum": 5, "total": 3}, "/pictures?category=tea"),
        of_a,
        ({"accepted": 0, "minimum": 1, "subset": "B", "total": 3}, "/pictures?category=tea&subset=B"),
    ]
    # The quota of the kind's subset alone counts, for pictures of others get no items of it.
    assert failures(subset_of={"captions": "A"}) == [(of_a[0] | {"total": 1}, of_a[1])]


def test_what_is_left_out_is_counted():
    now = snapshot(picture(1), outside={"made": 3, "todo": 0, "no_item": 5, "excluded": 2})
    assert now.left_out() == {"item_made": 3, "item_excluded": 2, "picture_without_item": 5}


def several(**kinds: list[Picture]) -> Snapshot:
    """A release of several kinds, each on its pictures."""
    candidates = {kind: [Candidate(100 + p.number, p.number, 0, 1, p) for p in of] for kind, of in kinds.items()}
    return Snapshot(5, [KindSnapshot(kind, of) for kind, of in candidates.items()])


def test_a_picture_has_one_split_for_all_kinds_drawn_as_if_there_were_one():
    every = [picture(n) for n in range(1, 41)]
    mixed = several(captions=every[:30], vqa=every[20:])
    splits = mixed.splits(SETTINGS, 7)
    assert splits == snapshot(*every).splits(SETTINGS, 7)
    assert [p.number for p in mixed.pictures()] == list(range(1, 41))
    assert Counter(splits.values()) == {"train": 24, "valid": 4, "test": 12}


def test_a_failure_of_a_picture_is_listed_once_and_those_of_kinds_for_each():
    bad = picture(1, cleared=False)
    now = several(captions=[bad, picture(2)], vqa=[bad], multiple_choice=[])
    now = replace(
        now,
        kinds=[
            now.kinds[0],
            replace(now.kinds[1], unfinished=[Unfinished(9, 14, "returned")], outside={"made": 2, "no_item": 1}),
            replace(now.kinds[2], outside={"made": 1}),
        ],
    )
    failures = rules.gate_failures(now, replace(SETTINGS, subset_of={"vqa": "B"}), {1: "train", 2: "test"})
    assert [(g.code, g.label) for g in failures] == [
        ("nothing_accepted", "multiple_choice"),
        ("image_outside_subset", "img-0001"),
        ("personal_information", "img-0001"),
        ("item_not_accepted", "vqa-000014"),
    ]
    assert now.left_out() == {"item_made": 3, "picture_without_item": 1}


def test_near_duplicates_of_two_kinds_may_not_be_in_two_splits():
    now = replace(several(captions=[picture(1)], vqa=[picture(2)]), near=[(1, 2, 3)])
    [failure] = rules.gate_failures(now, SETTINGS, {1: "train", 2: "test"})
    assert (failure.code, failure.label) == ("near_duplicate_across_splits", "img-0001 · img-0002")
    assert rules.gate_failures(now, SETTINGS, {1: "test", 2: "test"}) == []


def test_each_kind_of_a_release_has_its_quota():
    stock = [Stock("panda", 9, {"A": 5, "B": 4}), Stock("tea", 4, {"A": 4})]
    settings = replace(SETTINGS, quota=5, subset_quotas={"A": 5, "B": 1}, subset_of={"vqa": "A"})

    def failures(*kinds):
        now = replace(several(**{kind: [picture(1, subset="A")] for kind in kinds}), stock=stock)
        return [g.path for g in rules.gate_failures(now, settings, {1: "train"})]

    tea = "/pictures?category=tea"
    assert failures("vqa") == [f"{tea}&subset=A"]
    assert failures("captions", "vqa") == [tea, f"{tea}&subset=A", f"{tea}&subset=B"]
    assert failures("captions", "vqa") == failures("captions")


def test_labels_count_releases_of_a_kind_and_of_several():
    taken = ["captions-v1", "captions-v4", "vqa-v2", "cvlue-v1", "cvlue-large-v7"]
    assert rules.next_label("captions", taken) == "captions-v5"
    assert rules.next_label("cvlue", taken) == "cvlue-v2"
    assert rules.next_label("lantern", taken) == "lantern-v1"
    assert rules.in_kind_order(["vqa", "unknown", "captions", "vqa"]) == ["captions", "vqa", "unknown"]


def test_many_failures_are_counted_and_some_named():
    now = snapshot(*(picture(n, cleared=False) for n in range(1, 251)))
    failures = rules.gate_failures(now, SETTINGS, now.splits(SETTINGS, 1))
    assert len(failures) == rules.MOST_LISTED == 200
    assert {g.params["total"] for g in failures} == {250}


def test_an_item_whose_base_moved_is_not_released():
    candidates = [Candidate(100 + n, n, 0, 1, picture(n)) for n in (1, 2)]
    now = Snapshot(5, [KindSnapshot("grounding", candidates, moved={102})])
    settings = replace(SETTINGS, gates=[])
    [failure] = rules.gate_failures(now, settings, now.splits(settings, 1))
    assert (failure.code, failure.label, failure.path) == ("base_current", "ref-000002", "/items/102")
    assert failure.params == {"picture": "img-0002", "total": 1}


def test_boxes_with_fewer_of_the_main_category_than_the_subset_asks_for_fail():
    settings = replace(SETTINGS, gates=["subset_against_boxes"], main_minimums={"A": 2, "B": 0})
    pictures = [picture(1), picture(2), picture(3, subset="B"), picture(4, category=None, category_number=None)]
    counted = {101: 1, 102: 2, 103: 0, 104: 0}
    candidates = [Candidate(100 + p.number, p.number, 0, 1, p) for p in pictures]
    now = Snapshot(5, [KindSnapshot("captions", candidates), KindSnapshot("boxes", candidates, main_boxes=counted)])
    [failure] = rules.gate_failures(now, settings, now.splits(settings, 1))
    assert (failure.code, failure.label, failure.path) == ("subset_against_boxes", "box-000001", "/items/101")
    assert failure.params == {
        "boxes": 1,
        "minimum": 2,
        "subset": "A",
        "category": "panda",
        "picture": "img-0001",
        "total": 1,
    }


def test_an_unknown_gate_fails():
    settings = replace(SETTINGS, gates=["from_next_year"])
    now = snapshot(picture(1))
    assert [(g.code, g.params) for g in rules.gate_failures(now, settings, {1: "train"})] == [
        ("unknown_gate", {"name": "from_next_year"})
    ]


def test_a_protocol_may_leave_gates_out_but_not_those_without_which_there_is_nothing():
    settings = replace(SETTINGS, gates=[])
    now = snapshot(picture(1, cleared=False, rendition_id=0))
    assert [g.code for g in rules.gate_failures(now, settings, {1: "train"})] == ["image_file_missing"]


# --- records


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({}, "images/test/A/1-panda/A-1-7.png"),
        ({"subset": ""}, "images/test/1-panda/1-7.png"),
        ({"category": None, "category_number": None}, "images/test/A/0-none/A-0-7.png"),
    ],
)
def test_pictures_are_named_as_cvlue_names_them(values, path):
    assert rules.picture_path(picture(7, **values), "test") == path


def test_a_record_holds_what_is_published_and_no_more():
    made = rules.record(
        Candidate(55, 123, 0, 2, picture(7)),
        {"captions": list("abcde")},
        kind="captions",
        split="train",
        protocol_version=1,
    )
    assert made == {
        "id": 7,
        "label": "img-0007",
        "item": "cap-000123",
        "revision": 2,
        "image": "images/train/A/1-panda/A-1-7.png",
        "image_sha256": "ab" * 32,
        "width": 640,
        "height": 480,
        "category": "panda",
        "subset": "A",
        "licence": "CC0-1.0",
        "source": {"kind": "own", "url": "", "author": ""},
        "split": "train",
        "protocol_version": 1,
        "captions": ["a", "b", "c", "d", "e"],
    }
    line = rules.canonical(made)
    assert json.loads(line) == made
    assert line.startswith(b'{"captions":["a","b","c","d","e"],"category":"panda",')
    assert line.endswith(b"}\n")


CAIRO = rules.Origin("arz-EG", "Egyptian Arabic", "Egypt", "africa")


@pytest.mark.parametrize(
    ("language", "translation", "fields"),
    [
        ("zh-Hans", "", {}),
        ("", "", {}),
        (
            "team",
            "en",
            {
                "language": "arz-EG",
                "language_name": "Egyptian Arabic",
                "translation_language": "en",
                "country": "Egypt",
                "continent": "africa",
            },
        ),
        (
            "zh-Hans",
            "en",
            {
                "language": "zh-Hans",
                "language_name": "",
                "translation_language": "en",
                "country": "",
                "continent": "",
            },
        ),
    ],
)
def test_records_name_their_languages_where_there_are_several(language, translation, fields):
    settings = replace(SETTINGS, language=language, translation=translation)
    origin = CAIRO if language == "team" else rules.Origin()
    item = Candidate(55, 123, 2, 1, picture(7, origin=origin))
    assert rules.occasional_fields(item, settings, several=False) == fields
    assert rules.occasional_fields(item, settings, several=True) == {"slot": 2} | fields


def test_records_have_a_field_for_each_further_dimension():
    settings = replace(SETTINGS, axes=("grade", "difficulty"))
    item = Candidate(55, 123, 0, 1, picture(7, axes={"grade": "high", "old": "x"}))
    fields = rules.occasional_fields(item, settings, several=False)
    assert fields == {"axis_grade": "high", "axis_difficulty": ""}
    common = shared_columns(replace(facts("captions", 1), columns=sorted(fields)))
    assert {name: common[name] for name in common if name in fields} == {
        "axis_difficulty": Column("string", "the picture's difficulty, empty where it was not chosen"),
        "axis_grade": Column("string", "the picture's grade, empty where it was not chosen"),
    }
    protocol = preset("cmmu").content
    assert rules.Settings.of(protocol).axes == ["grade", "difficulty"]


def test_a_questions_category_replaces_its_pictures():
    content = {"category": "food", "question": {"local": "?"}}
    made = rules.record(Candidate(1, 1, 0, 1, picture(1)), content, kind="captions", split="train", protocol_version=1)
    assert (made["category"], made["image"]) == ("food", "images/train/A/1-panda/A-1-1.png")


def test_content_cannot_overwrite_where_it_comes_from():
    with pytest.raises(ValueError, match="licence"):
        rules.record(
            Candidate(1, 1, 0, 1, picture(1)), {"licence": "x"}, kind="captions", split="train", protocol_version=1
        )


@pytest.mark.parametrize("preset", sorted((Path(__file__).parents[3] / "fixtures" / "protocols").glob("*.yaml")))
def test_every_gate_and_format_of_the_presets_exists(preset):
    release = yaml.safe_load(preset.read_text())["release"]
    assert set(release["gates"]) <= set(rules.GATES)
    assert set(release["exporters"]) <= set(DATA)


# --- Warnings


def asked(*questions: tuple[int, int, str]) -> list[tuple[str, str]]:
    """Each warning's item and the item that asks the same, of items on pictures with a question each."""
    candidates = [Candidate(item, item, 0, 1, picture(number)) for number, item, _ in questions]
    keys = {item: {"local": question} for _, item, question in questions if question}
    found = rules.repeated_questions(Snapshot(5, [KindSnapshot("multiple_choice", candidates)]), keys)
    assert {w.params["total"] for w in found} <= {len(found)}
    return [(w.label, w.params["other"]) for w in found]


def test_questions_asked_twice_on_a_picture_are_listed():
    assert asked((1, 11, "a"), (1, 12, "b"), (1, 13, "a"), (2, 14, "a"), (2, 15, ""), (2, 16, "")) == [
        ("mcq-000013", "mcq-000011")
    ]


# --- Authors of pictures


@pytest.mark.parametrize(
    ("source", "named", "author"),
    [
        ({"kind": "own"}, True, "Mona"),
        ({"kind": "own", "author": "M. B."}, True, "M. B."),
        ({"kind": "donated"}, True, ""),
        ({"kind": "external"}, True, ""),
        ({"kind": "own"}, False, ""),
    ],
)
def test_the_contributor_of_an_own_picture_is_its_author_where_licences_differ(source, named, author):
    candidate = Candidate(1, 1, 0, 1, picture(1, source=source, contributor="Mona"))
    facts = {"kind": "captions", "split": "test", "protocol_version": 1}
    made = rules.record(candidate, {"captions": []}, **facts, names_contributors=named)
    assert made["source"]["author"] == author
