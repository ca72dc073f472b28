"""The lists that ship agree with the papers' tables."""

import pytest

from curation.taxonomy.queries import category_list


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


def test_cmmu_has_seven_subjects_three_grades_and_two_levels_of_difficulty():
    assert english("cmmu") == ["Math", "Biology", "Physics", "Chemistry", "Geography", "Politics", "History"]
    assert [e.slug for e in entries("cmmu-grades")] == ["primary", "middle", "high"]
    assert [e.slug for e in entries("cmmu-difficulty")] == ["normal", "hard"]


def test_vistai_has_five_broad_categories():
    assert [(f.slug, len(f.categories)) for f in category_list("vistai").fields] == [
        ("humanities", 3),
        ("social_sciences", 3),
        ("natural_sciences", 6),
        ("engineering", 4),
        ("medicine", 5),
    ]


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
    small = {s.slug: s.published["valid"] for s in subjects if s.published["valid"] < 10}
    assert small == {"biology": 8, "music": 6}


@pytest.mark.parametrize("name", ["cmmu", "cmmu-difficulty", "cmmu-grades", "cvlue", "cvqa", "tcc-bench", "vistai"])
def test_a_list_is_named_as_its_file_and_numbered_through(name):
    assert category_list(name).name == name
    assert sorted(entry.number for entry in entries(name)) == list(range(1, len(entries(name)) + 1))
