"""Concepts in texts: planted ones in four scripts are found, near misses are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.kinds.context import Concept
from annotation.kinds.leaks import in_picture, leaks

BIRD = Concept(("朱雀", "Vermilion Bird", "朱鸟"), "神兽", "mythical creature")
GODDESS = Concept(("女娲", "Nüwa"))
PITCHES = Concept(("律吕",))
CAULDRON = Concept(("鼎", "ding vessel"))
ZITHER = Concept(("琴",))
RARE = Concept(("𠮷祥物",))
FOX = Concept(("fox", "story", "Calf"))
WALL = Concept(("长城", "the Great Wall", "an Old Dragon"))
TIGER = Concept(("白虎（西方之神）", "White Tiger [Baihu (god)]"))
ALL = (BIRD, GODDESS, PITCHES, CAULDRON, ZITHER, RARE, FOX, WALL, TIGER)


def named(text, concepts=ALL):
    """Names of the concepts, each with the text that names it."""
    cut = lambda start, end: text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")  # noqa: E731
    return [(leak.concept.names[0], cut(leak.start, leak.end)) for leak in leaks(text, concepts)]


@pytest.mark.parametrize(
    ("text", "concept", "part"),
    [
        # Simplified, traditional, with what shows nothing or little between the characters.
        ("图中朱雀守护哪个方位？", "朱雀", "朱雀"),
        ("圖中朱鳥守護哪個方位？", "朱雀", "朱鳥"),
        ("这只朱 雀是什么？", "朱雀", "朱 雀"),
        ("「朱·雀」是什么？", "朱雀", "朱·雀"),
        ("朱\u200b雀是什么？", "朱雀", "朱\u200b雀"),
        ("女媧補天的故事", "女娲", "女媧"),
        ("一件𠮷祥物", "𠮷祥物", "𠮷祥物"),
        ("🏮🐦朱雀", "朱雀", "朱雀"),
        # English: case, width, plural, hyphens, other marks.
        ("What do vermilion-birds guard?", "朱雀", "vermilion-birds"),
        ("ＶＥＲＭＩＬＩＯＮ　ＢＩＲＤ", "朱雀", "ＶＥＲＭＩＬＩＯＮ　ＢＩＲＤ"),
        ("the Vermilion Bird's tail", "朱雀", "Vermilion Bird"),
        ("two foxes", "fox", "foxes"),
        ("their stories", "fox", "stories"),
        ("ding vessels of bronze", "鼎", "ding vessels"),
        ("a cow with calves", "fox", "calves"),
        # Articles, and names with brackets.
        ("Where is a great wall?", "长城", "great wall"),
        ("Which old dragons?", "长城", "old dragons"),
        ("白虎守护哪里？", "白虎（西方之神）", "白虎"),
        ("西方之神是谁？", "白虎（西方之神）", "西方之神"),
        ("白虎，西方之神", "白虎（西方之神）", "白虎，西方之神"),
        ("Who is the white tiger?", "白虎（西方之神）", "white tiger"),
        # Pinyin: tones as marks, as digits, none; joined, split; ü as u, v or itself.
        ("Where is Zhūquè?", "朱雀", "Zhūquè"),
        ("Where is zhu que?", "朱雀", "zhu que"),
        ("Where is Zhu-Que's tail?", "朱雀", "Zhu-Que"),
        ("zhu1que4 在哪里？", "朱雀", "zhu1que4"),
        ("two zhuques", "朱雀", "zhuques"),
        ("Nǚ Wā mended the sky", "女娲", "Nǚ Wā"),
        ("nvwa", "女娲", "nvwa"),
        ("ＮＵＷＡ", "女娲", "ＮＵＷＡ"),
        ("the lülǚ", "律吕", "lülǚ"),
        ("the lulu", "律吕", "lulu"),
        ("the lv lv", "律吕", "lv lv"),
    ],
)
def test_planted_concepts_are_found(text, concept, part):
    assert named(text) == [(concept, part)]


@pytest.mark.parametrize(
    "text",
    [
        "a wedding in the building",  # ding: one syllable has no pinyin
        "the Qin dynasty",  # 琴
        "vermilion paint, a bird",
        "vermilions birding",
        "azhuquer",
        "zhuqueen",
        "朱红的麻雀",
        "foxtrot",
        "boxes",
        "history",
        "",
        "🏮",
    ],
)
def test_near_misses_are_not(text):
    assert named(text) == []


def test_every_place_is_reported_once_and_the_longer_of_two_names():
    tiger, pattern = Concept(("白虎",)), Concept(("白虎纹",))
    assert named("白虎纹和白虎", (tiger, pattern)) == [("白虎纹", "白虎纹"), ("白虎", "白虎")]
    places = named("朱雀、朱雀和 Zhuque", (BIRD, Concept(("朱雀",))))
    assert places == [("朱雀", "朱雀"), ("朱雀", "朱雀"), ("朱雀", "Zhuque")]


def test_a_name_of_one_character_is_not_certain():
    assert [(leak.start, leak.is_certain) for leak in leaks("鼎盛时期的鼎", (CAULDRON,))] == [(0, False), (5, False)]
    assert [leak.is_certain for leak in leaks("the ding vessel", (CAULDRON,))] == [True]


@pytest.mark.parametrize(
    ("text", "names", "is_certain"),
    [
        # Pinyin without tones is also English.
        ("How did this custom change?", ["嫦娥", "Chang'e"], False),
        ("Changes of what?", ["嫦娥"], False),
        ("Which dish is like sushi?", ["素食"], False),
        ("Women of which dynasty?", ["我们"], False),
        ("WHAT DO WOMEN WEAR?", ["我们"], False),
        ("two long men", ["龙门", "Longmen"], False),
        ("Who is it? Zhuque?", ["朱雀"], False),
        # With tones, or as a name inside a sentence, it is not.
        ("Who is chang2e2?", ["嫦娥"], True),
        ("Who is cháng é?", ["嫦娥"], True),
        ("Is Lü Lü a colour?", ["律吕"], True),
        ("Who is Zhu Que?", ["朱雀"], True),
        # A Latin name that is written as it was given is.
        ("who is chang'e?", ["嫦娥", "Chang'e"], True),
        ("two zhuques?", ["朱雀", "Zhuque"], True),
        ("the chang-es", ["Chang'e"], True),
        # What is a name only by a part of a concept's.
        ("Which god is it?", ["白虎 (god)"], False),
        ("Which 白虎 is it?", ["白虎 (god)"], True),
        ("Where is Lushan?", ["An Lushan"], False),
        ("Where is the Wall?", ["The Wall"], True),
        # Places that overlap are certain if one of them is.
        ("the white tiger god", ["白虎 (white tiger god)", "White Tiger"], True),
    ],
)
def test_what_may_be_another_word_by_chance_is_not_certain(text, names, is_certain):
    assert [leak.is_certain for leak in leaks(text, (Concept(tuple(names)),))] == [is_certain]


def test_a_letter_after_an_article_is_no_name():
    assert named("Is it Q or the A?", (Concept(("A Q",)),)) == []


@pytest.mark.parametrize(
    ("tag", "noun", "phrase"),
    [
        ("zh-Hans", "神兽", "图中的神兽"),
        ("zh-Hant", "神獸", "圖中的神獸"),
        ("zh", "", "图中的事物"),
        ("en", "mythical creature", "the mythical creature in the picture"),
        ("en-GB", "", "what the picture shows"),
        ("ar", "حيوان", "حيوان"),
        ("ar", "", ""),
    ],
)
def test_what_takes_its_place(tag, noun, phrase):
    assert in_picture(tag, noun) == phrase


@given(st.text(alphabet=st.sampled_from("朱雀鳥 zhuqeVrmilonBd-'1é\u200b𠮷🏮、"), max_size=30))
def test_places_are_in_order_and_inside_the_text(text):
    found = leaks(text, ALL)
    ends = [position for leak in found for position in (leak.start, leak.end)]
    assert ends == sorted(ends)
    assert all(0 <= leak.start < leak.end <= len(text.encode("utf-16-le")) // 2 for leak in found)
