"""Pairs of characters, and the passage that a result shows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotation.search.rules import PASSAGE, grams, passage


def test_pairs_are_sorted_signed_numbers_within_each_text():
    assert grams(["ab", "a"]) == [(0x61 << 16) | 0x62]
    assert grams(["灯笼"]) == [(0x706F << 16) | 0x7B3C]
    assert grams(["鿿a"]) == [((0x9FFF << 16) | 0x61) - (1 << 32)]
    assert grams(["𠮷野"]) == [((0x20BB7 << 16) ^ 0x91CE) & 0xFFFFFFFF]
    assert grams(["灯", "笼", ""]) == []


@given(st.text(max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_the_pairs_of_a_part_are_among_those_of_the_whole(text, start, end):
    assert set(grams([text[start:end]])) <= set(grams([text]))


def test_the_passage_is_of_the_text_with_most_words():
    assert passage(["一只黄色的狮子", "門口有紅色燈籠", "红色的墙"], ["红色", "灯笼"]) == "門口有紅色燈籠"
    assert passage(["一只狮子"], ["灯笼"]) == ""
    assert passage([], ["灯笼"]) == ""


def test_the_passage_of_a_long_text_has_the_word():
    text = "墙" * 1_000 + "燈籠" + "墙" * 500
    shown = passage([text], ["灯笼"])
    assert "燈籠" in shown
    assert len(shown) <= PASSAGE
