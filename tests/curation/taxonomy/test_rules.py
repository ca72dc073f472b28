"""The list of CVLUE's categories agrees with the paper's Table 2, and faults are named."""

from collections import Counter
from pathlib import Path

import pytest

from curation.benchmarks.rules.marked_yaml import FileInvalid
from curation.taxonomy.rules import parse, search_strings

CVLUE = (Path(__file__).parents[3] / "fixtures" / "taxonomies" / "cvlue.yaml").read_text(encoding="utf-8")


def categories():
    return [entry for field in parse(CVLUE, file="cvlue.yaml").fields for entry in field.categories]


def test_ninety_two_categories_in_fifteen_fields():
    fields = parse(CVLUE, file="cvlue.yaml").fields
    assert [len(f.categories) for f in fields] == [10, 5, 6, 5, 10, 5, 5, 5, 8, 5, 5, 6, 6, 5, 6]
    assert [e.number for e in categories()] == list(range(1, 93))


def test_numbers_are_those_of_the_published_folders():
    known = {1: "panda", 4: "dog", 15: "baozi", 16: "milk_tea", 51: "staff", 82: "guzheng", 84: "suona", 91: "tripod"}
    by_number = {e.number: e.slug for e in categories()}
    assert {n: by_number[n] for n in known} == known
    assert by_number[92] == "ceramic"


def test_groups_have_the_papers_sizes_and_say_why():
    assert Counter(e.group for e in categories()) == {"coco": 15, "closest": 22, "moderate": 55}
    assert all(e.reason for e in categories() if e.group != "moderate")
    inferred = [e.slug for e in categories() if e.group == "closest" and not e.reason.startswith("inferred: ")]
    assert inferred == ["guzheng", "suona"]  # the two that the paper's text names


def test_names_are_in_both_scripts():
    by_slug = {e.slug: e.name for e in categories()}
    assert by_slug["noodles"].model_dump(by_alias=True) == {"zh-Hans": "面条", "zh-Hant": "麵條", "en": "noodles"}
    assert by_slug["lantern"].zh_hant == "花燈"


def test_a_slug_or_number_that_stands_twice_is_a_fault():
    with pytest.raises(FileInvalid) as refused:
        parse(CVLUE.replace("slug: cow\n", "slug: panda\n").replace("number: 3\n", "number: 1\n"), file="c.yaml")
    assert [(p.key, p.expected) for p in refused.value.problems] == [
        ("fields.0.categories.1.slug", "a unique slug, panda exists already"),
        ("fields.0.categories.2.number", "a unique number, panda has it already"),
    ]


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("lion_dance", ["舞狮", "舞獅", "lion dance", "wushi", "ws"]),
        ("milk_tea", ["奶茶", "bubble tea", "milk tea", "naicha", "nc"]),
        ("t_shirt", ["t恤", "t-shirt", "t shirt", "txu", "tx"]),
        ("tv", ["电视", "電視", "tv", "dianshi", "ds"]),
    ],
)
def test_a_category_is_found_by_its_names_and_their_pinyin(slug, expected):
    (entry,) = (e for e in categories() if e.slug == slug)
    assert search_strings(slug, entry.name.model_dump(by_alias=True)) == expected


def test_every_category_has_pinyin_of_a_syllable_for_each_character():
    for entry in categories():
        names = entry.name.model_dump(by_alias=True)
        *others, initials = search_strings(entry.slug, names)
        assert len(initials) == len(names["zh-Hans"])
        assert initials.isascii()
        assert any(string.startswith(initials[0]) and len(string) > 1 for string in others)


def test_a_name_without_chinese_characters_has_no_pinyin():
    assert search_strings("food-and-drink", {"zh-Hans": "Food", "zh-Hant": "Food", "en": "Food  &  Drink"}) == [
        "food",
        "food & drink",
        "food and drink",
    ]
