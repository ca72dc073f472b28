"""Which samples are chosen, what is shown of one, how a release is cited."""

import json
from datetime import date
from pathlib import Path

import pytest
import yaml

from annotation.kinds.tree import CodeNode, KeyedNode, ListNode, NumbersNode, RecordNode, TextNode
from evaluation.publication.rules import (
    LANGUAGES,
    WORDS,
    Citation,
    Part,
    Settings,
    licence_of,
    of_groups,
    parts_of,
    preferred_language,
    public_record,
    sample_ordinals,
    terms_sha256,
    without_small_groups,
)
from evaluation.suites.rules import PUBLISHED, profiles_of

TREE = RecordNode(
    fields={
        "category": CodeNode(list="categories"),
        "question": RecordNode(fields={"local": TextNode(lang="zh-Hans"), "translation": TextNode(lang="en")}),
        "options": ListNode(count=2, of=RecordNode(fields={"local": TextNode(lang="zh-Hans")}), answer=True),
    }
)
RECORD = {
    "category": "tea",
    "question": {"local": "这是什么？", "translation": "What is it?"},
    "options": [{"local": "茶"}, {"local": "酒"}],
    "licence": "CC0-1.0",
}


def test_samples_are_the_same_for_a_seed_and_differ_between_seeds():
    rows = range(101, 1_000_101)
    first = sample_ordinals(7, "train", rows, 200)
    assert (len(first), first == sorted(set(first)), min(first) >= 101, max(first) <= 1_000_100) == (
        200,
        True,
        True,
        True,
    )
    assert first == sample_ordinals(7, "train", rows, 200)
    assert first[:3] == [8984, 10956, 23790]
    assert first != sample_ordinals(8, "train", rows, 200)
    assert first != sample_ordinals(7, "valid", rows, 200)


def test_a_small_split_is_shown_whole():
    assert sample_ordinals(7, "train", range(5, 9), 4) == [5, 6, 7, 8]
    assert sample_ordinals(7, "train", range(5, 5), 4) == []
    assert len(sample_ordinals(7, "train", range(1, 202), 200)) == 200


def test_protocols_without_the_part_show_no_samples():
    assert Settings.of({}) == Settings([], True, 200, 20)
    part = {"samples": {"splits": ["valid"], "answers": False, "per_split": 3}, "least_group": 5}
    assert Settings.of({"publication": part}) == Settings(["valid"], False, 3, 5)


def test_a_sample_shows_its_values_in_order():
    shown = [(part.name, part.number, part.text, part.lang) for part in parts_of(TREE, RECORD)]
    assert shown == [
        ("category", 0, "tea", ""),
        ("question", 0, "这是什么？", "zh-Hans"),
        ("question", 0, "What is it?", "en"),
        ("options", 1, "茶", "zh-Hans"),
        ("options", 2, "酒", "zh-Hans"),
    ]


def test_boxes_of_a_sample_are_places_instead_of_texts():
    box = RecordNode(fields={"category": CodeNode(list="categories"), "box": NumbersNode(count=4)})
    tree = RecordNode(fields={"boxes": KeyedNode(of=box, answer=True)})
    record = {
        "boxes": [{"key": "a", "category": "tea", "box": [1, 2.5, 30, 40]}, {"key": "b", "category": "", "box": []}]
    }
    assert parts_of(tree, record) == [
        Part("category", 1, "tea", is_category=True),
        Part("box", 1, "", box=(1, 2.5, 30, 40)),
    ]
    assert parts_of(tree, public_record(tree, record, answers=False)) == []


def test_answers_are_left_out_of_samples_without_them():
    shown = parts_of(TREE, public_record(TREE, RECORD, answers=False))
    assert [part.name for part in shown] == ["category", "question", "question"]


def test_small_groups_are_left_out_and_the_whole_stays():
    sizes = (("category", "tea", 40), ("category", "boat", 20), ("category", "panda", 19), ("distance", "far", 79))
    groups = [{"group_by": by, "group": group, "n": n} for by, group, n in sizes]
    # The figure of pandas would follow from those of everything, tea and boats.
    assert without_small_groups(groups, 20) == [groups[0], groups[3]]
    assert without_small_groups(groups, 0) == groups
    rows = [{"group_by": by, "group": group} for by, group, _ in (("", "", 0), *sizes)]
    assert of_groups(rows, [groups[0]]) == rows[:2]


@pytest.mark.parametrize(
    ("authors", "author_line", "cff"),
    [
        (("Wang, Li",), "Wang, Li", [{"family-names": "Wang", "given-names": "Li"}]),
        (("团队 & Co",), "{团队 \\& Co}", [{"name": "团队 & Co"}]),
        ((), None, [{"name": "The set"}]),
    ],
)
def test_citations(authors, author_line, cff):
    cited = Citation(
        authors, "The set", 2026, "https://x.org/}a", "captions-v1", "s-captions-v1", "CC0-1.0", date(2026, 1, 2)
    )
    assert (f"  author  = {{{author_line}}}," in cited.bibtex()) == (author_line is not None)
    assert "url     = {https://x.org/a}" in cited.bibtex()
    content = yaml.safe_load(cited.cff())
    assert (content["authors"], content["date-released"], content["license"]) == (cff, date(2026, 1, 2), "CC0-1.0")
    assert "license" not in yaml.safe_load(cited._replace(licence="own-work").cff())


def test_terms_are_identified_by_their_text():
    assert (terms_sha256({}), terms_sha256({"en": ""})) == ("", "")
    assert terms_sha256({"en": "a"}) != terms_sha256({"en": "b"})


def test_the_language_is_the_first_that_pages_have():
    assert [preferred_language(h) for h in ("", "de", "zh", "zh-Hant-HK", "en-GB,zh;q=0.9", "zh;q=0.1,en;q=0.2")] == [
        *("en", "en", "zh-Hans", "zh-Hant", "en", "en")
    ]


def test_every_word_is_there_in_three_languages_and_none_is_left_out_of_another():
    assert all(text.strip() for words in WORDS.values() for text in words.values())
    assert len({frozenset(words) for words in WORDS.values()}) == 1


@pytest.mark.parametrize(
    ("code", "address"),
    [
        ("CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/"),
        ("CC-BY-NC-SA-3.0", "https://creativecommons.org/licenses/by-nc-sa/3.0/"),
        ("CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("MIT", "https://spdx.org/licenses/MIT.html"),
        ("own-work", ""),
        ("CC-BY-4.0/../x", ""),
    ],
)
def test_licences_lead_to_their_text_where_it_is_known(code, address):
    names = {"zh-Hans": "甲", "zh-Hant": "乙", "en": "A"}
    protocol = {"images": {"licences": [{"code": code, "name": names, "releasable": True}]}}
    assert [licence_of(code, protocol, language) for language in names] == [(name, address) for name in "甲乙A"]
    assert licence_of(code, {"images": {"licences": []}}, "en") == licence_of(code, {}, "en") == (code, address)


@pytest.mark.parametrize("language", LANGUAGES)
def test_profiles_are_named_as_inside_the_site_and_samples_are_no_examples(language):
    def locale(name):
        return json.loads((Path(__file__).parents[3] / "frontend/src/locales" / language / f"{name}.json").read_text())

    names = locale("submissions")["profileName"]
    assert {code: WORDS[language][code] for code in names} == names
    assert WORDS[language]["accuracy"] == locale("sets")["metric"]["accuracy"]
    assert set(names) == {profile for kind in PUBLISHED for profile in profiles_of(kind)}
    samples, examples = locale("samples")["title"], locale("sets")["start"]["shots"]
    assert (WORDS[language]["samples"], locale("sets")["scores"]["samples"]) == (samples, samples)
    assert samples != examples
