"""Groups of cultural distance: what the programs find among CVLUE's 92 names, and the six corrections."""

import re
from pathlib import Path

import pytest

from curation.taxonomy.queries import category_list
from curation.taxonomy.rules import computed_group
from curation.taxonomy.rules.groups import coco_names, in_wordnet

# The paper's Table 2 in English, by the reading that docs/decisions explains: names with blanks, lemmas counted.
ABSENT = [
    "stuffed bun",
    "bubble tea",
    "Hanfu",
    "Tang suit",
    "cheongsam",
    "carrying pole",
    "Chinese cleaver",
    "wok spatula",
    "lion dance",
    "dragon boat",
    "mooncake",
    "Chinese brush",
    "Chinese zither",
    "erhu",
    "suona",
    "brush calligraphy",
    "Chinese shadow play",
    "paper cutting",
    "Terracotta Army",
]
EXACT = [
    "cow",
    "dog",
    "horse",
    "mouse",
    "bird",
    "cat",
    "apple",
    "carrot",
    "spoon",
    "bowl",
    "TV",
    "chair",
    "refrigerator",
    "scissors",
]


def entries():
    return [entry for _, entry in category_list("cvlue").entries()]


def test_19_names_are_absent_from_wordnet():
    absent = [entry.name.en for entry in entries() if not in_wordnet(entry.name.en)]
    assert sorted(absent) == sorted(ABSENT)
    assert len(absent) == 19


def test_14_names_are_exactly_those_of_coco():
    assert len(coco_names()) == 91
    assert sorted(e.name.en for e in entries() if e.name.en.lower() in coco_names()) == sorted(EXACT)
    assert len(EXACT) == 14


def test_cvlue_corrects_six_groups_each_with_a_reason():
    corrected = {
        entry.name.en: (computed_group(entry.name.en), entry.group, entry.reason)
        for entry in entries()
        if computed_group(entry.name.en) != entry.group
    }
    assert {name: groups[:2] for name, groups in corrected.items()} == {
        "human": ("moderate", "coco"),
        "cauliflower": ("moderate", "coco"),
        "carrot": ("coco", "moderate"),
        "hot pot": ("moderate", "closest"),
        "pipa": ("moderate", "closest"),
        "ding": ("moderate", "closest"),
    }
    assert all(reason for _, _, reason in corrected.values())
    groups = [entry.group for entry in entries()]
    assert (groups.count("coco"), groups.count("closest"), groups.count("moderate")) == (15, 22, 55)


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("noodles", "moderate"),  # only the singular is a lemma
        ("chopsticks", "moderate"),
        ("geese", "moderate"),  # an irregular plural
        ("  Tennis  Racket ", "coco"),
        ("", ""),
        ("scissors", "coco"),
        ("no such thing at all", "closest"),
    ],
)
def test_a_name_has_a_group(name, group):
    assert computed_group(name) == group


def test_the_lists_of_words_ship_with_their_licence_and_are_small():
    folder = Path(__file__).parents[3] / "fixtures" / "wordlists"
    assert sum(file.stat().st_size for file in folder.iterdir() if file.suffix == ".gz") <= 532_480
    assert re.search(r"WordNet 3\.0 Copyright 2006 by Princeton University", (folder / "WORDNET-LICENCE").read_text())
