"""The lists that ship agree with the papers' tables."""

from collections import Counter

import pytest

from curation.benchmarks.rules.marked_yaml import FileInvalid
from curation.taxonomy.queries import category_list, pair_list
from curation.taxonomy.rules import parse_pairs


def entries(name):
    return [entry for field in category_list(name).fields for entry in field.categories]


def english(name):
    return [entry.name.en for entry in entries(name)]


def test_cvqa_has_ten_categories_with_definitions_and_short_names():
    assert english("cvqa") == [
        "Vehicles and Transportation",
        "Cooking and Food",
        "People and Everyday Life",
        "Sports and Recreation",
        "Plants and Animals",
        "Objects, Materials, and Clothing",
        "Brands and Products",
        "Geography, Buildings, and Landmarks",
        "Tradition, Art, and History",
        "Public Figure and Pop-Culture",
    ]
    assert [entry.short.en for entry in entries("cvqa")] == [
        "Vehicles",
        "Food",
        "People",
        "Sports",
        "Plants & Animals",
        "Objects",
        "Brands",
        "Geography",
        "Tradition",
        "Pop Culture",
    ]
    assert all(entry.definition and entry.definition.zh_hans for entry in entries("cvqa"))
    assert {entry.group for entry in entries("cvqa")} == {""}


def test_cvqa_has_thirty_nine_pairs():
    pairs = pair_list("cvqa-pairs").pairs
    assert len(pairs) == 39
    assert len({p.country.en for p in pairs}) == 30
    assert len({p.language.en for p in pairs}) == 31
    assert Counter(p.continent for p in pairs) == {"africa": 6, "asia": 19, "europe": 7, "latin_america": 7}
    scripts = Counter(p.script for p in pairs)
    assert (len(scripts), scripts["latin"]) == (13, 22)
    by_slug = {p.slug: p for p in pairs}
    assert by_slug["south_korea_korean"].script == "hangul"
    assert by_slug["pakistan_urdu"].script == by_slug["india_urdu"].script == "perso_arabic"
    assert by_slug["sri_lanka_sinhala"].script == "sinhalese"
    assert by_slug["philippines_filipino"].language.en == "Filipino"
    assert by_slug["egypt_egyptian_arabic"].country.zh_hans == "埃及"


def test_pairs_have_slugs_of_their_own():
    pair = (
        "  - slug: a_b\n"
        "    country: {zh-Hans: 甲, zh-Hant: 甲, en: A}\n"
        "    language: {zh-Hans: 乙, zh-Hant: 乙, en: B}\n"
        "    continent: asia\n"
        "    script: klingon\n"
    )
    with pytest.raises(FileInvalid) as refused:
        parse_pairs(f"name: x\nsource: y\npairs:\n{pair}", file="x.yaml")
    assert [(p.line, p.key) for p in refused.value.problems] == [(8, "pairs.0.script")]
    right = pair.replace("klingon", "latin")
    with pytest.raises(FileInvalid) as refused:
        parse_pairs(f"name: x\nsource: y\npairs:\n{right}{right}", file="x.yaml")
    assert [(p.line, p.key, p.expected) for p in refused.value.problems] == [
        (9, "pairs.1.slug", "a unique slug, a_b exists already")
    ]


def test_tcc_bench_has_eight_domains():
    assert english("tcc-bench") == [
        "Astronomy",
        "Music",
        "Custom",
        "Architecture",
        "Transportation",
        "Diet",
        "Clothing",
        "Artifact",
    ]
    assert " ".join(entry.name.zh_hans for entry in entries("tcc-bench")) == "天文 音乐 民俗 建筑 交通 饮食 服装 器物"
    sizes = [entry.published["test"] for entry in entries("tcc-bench")]
    assert sizes == [139, 76, 141, 111, 35, 66, 137, 155]
    assert sum(sizes) == 860


def test_cmmu_has_seven_subjects_of_three_grades():
    fields = category_list("cmmu").fields
    assert [f.slug for f in fields] == ["math", "biology", "physics", "chemistry", "geography", "politics", "history"]
    grades = [[c.slug.removeprefix(f"{f.slug}_") for c in f.categories] for f in fields]
    assert grades == [["primary", "middle", "high"]] * 7
    assert [e.slug for e in entries("cmmu") if "primary" in e.slug and not e.reason] == ["math_primary"]
    assert not any(e.reason for e in entries("cmmu") if "primary" not in e.slug)


def test_vistai_has_twenty_one_subjects():
    subjects = entries("vistai")
    assert len(subjects) == 21
    assert {s.slug: s.name.zh_hant for s in subjects if s.number in {1, 5, 21}} == {
        "accounting": "會計學",
        "chinese_literature": "中國文學",
        "veterinary_medicine": "獸醫學",
    }
    sums = {split: sum(s.published[split] for s in subjects) for split in ("test", "valid", "train")}
    assert sums == {"test": 3_795, "valid": 869, "train": 105}
    assert {s.published["train"] for s in subjects} == {5}
    assert min(s.published["test"] for s in subjects) == 100
    assert [(s.slug, s.published["valid"]) for s in subjects if s.published["valid"] < 10] == [
        ("biology", 8),
        ("music", 6),
    ]


@pytest.mark.parametrize("name", ["cmmu", "cvlue", "cvqa", "tcc-bench", "vistai"])
def test_a_list_is_named_as_its_file_and_numbered_through(name):
    assert category_list(name).name == name
    assert [entry.number for entry in entries(name)] == list(range(1, len(entries(name)) + 1))
