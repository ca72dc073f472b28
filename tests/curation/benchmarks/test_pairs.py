"""Pairs of country and language: the file that ships agrees with the paper, and its tags with the register."""

from collections import Counter

import langcodes
import pytest

from curation.benchmarks.queries import pair_list, pairs_of
from curation.benchmarks.rules import parse_pairs
from curation.benchmarks.rules.marked_yaml import FileInvalid

# What ISO 15924 calls the scripts of the file.
SCRIPTS = {
    "amharic": "Ethi",
    "arabic": "Arab",
    "bengali": "Beng",
    "chinese": "Hans",
    "cyrillic": "Cyrl",
    "devanagari": "Deva",
    "hangul": "Kore",
    "japanese": "Jpan",
    "latin": "Latn",
    "perso_arabic": "Arab",
    "sinhalese": "Sinh",
    "tamil": "Taml",
    "telugu": "Telu",
}


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
        "    tag: aa-ET\n"
        "    country: {zh-Hans: 甲, zh-Hant: 甲, en: A}\n"
        "    language: {zh-Hans: 乙, zh-Hant: 乙, en: B}\n"
        "    continent: asia\n"
        "    script: klingon\n"
    )
    with pytest.raises(FileInvalid) as refused:
        parse_pairs(f"name: x\nsource: y\npairs:\n{pair}", file="x.yaml")
    assert [(p.line, p.key) for p in refused.value.problems] == [(9, "pairs.0.script")]
    right = pair.replace("klingon", "latin")
    with pytest.raises(FileInvalid) as refused:
        parse_pairs(f"name: x\nsource: y\npairs:\n{right}{right}", file="x.yaml")
    assert [(p.line, p.key, p.expected) for p in refused.value.problems] == [
        (10, "pairs.1.slug", "a unique slug, a_b exists already")
    ]


@pytest.mark.parametrize("pair", pair_list("cvqa-pairs").pairs, ids=lambda pair: pair.slug)
def test_a_tag_is_registered_and_means_the_script_of_the_pair(pair):
    assert langcodes.tag_is_valid(pair.tag)
    assert langcodes.standardize_tag(pair.tag) == pair.tag
    likely = langcodes.Language.get(pair.tag, normalize=False).maximize()
    assert likely.script == SCRIPTS[pair.script]
    assert pair.tag.endswith(f"-{likely.territory}")


def test_tags_name_languages_and_countries():
    pairs = pair_list("cvqa-pairs").pairs
    assert len({pair.tag for pair in pairs}) == 39
    assert len({pair.tag.partition("-")[0] for pair in pairs}) == 31
    assert len({pair.tag.rpartition("-")[2] for pair in pairs}) == 30
    tags = {pair.slug: pair.tag for pair in pairs}
    assert (tags["egypt_egyptian_arabic"], tags["china_chinese"]) == ("arz-EG", "zh-Hans-CN")
    assert (tags["pakistan_urdu"], tags["india_urdu"]) == ("ur-PK", "ur-IN")


@pytest.mark.parametrize("tag", ["team", "EN", "e", "en_GB", "en-gb", "zh-hans", "en-GB-oxendict", "", " en"])
def test_the_form_of_a_tag_is_checked(tag):
    text = (
        "name: x\nsource: y\npairs:\n"
        "  - slug: a_b\n"
        f"    tag: {tag!r}\n"
        "    country: {zh-Hans: 甲, zh-Hant: 甲, en: A}\n"
        "    language: {zh-Hans: 乙, zh-Hant: 乙, en: B}\n"
        "    continent: asia\n"
        "    script: latin\n"
    )
    with pytest.raises(FileInvalid) as refused:
        parse_pairs(text, file="x.yaml")
    assert [(p.line, p.key) for p in refused.value.problems] == [(5, "pairs.0.tag")]


def test_a_protocol_without_a_list_has_no_pairs():
    assert pairs_of({}) == pairs_of({"taxonomy": {"list": "cvlue", "pairs": None}}) == []
    assert len(pairs_of({"taxonomy": {"list": "cvqa", "pairs": "cvqa-pairs"}})) == 39
