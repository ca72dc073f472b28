"""Spellings that searches take for the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.core.folding import fold, words_of


@pytest.mark.parametrize(
    ("typed", "folded"),
    [
        ("紅色燈籠", "红色灯笼"),
        ("乾隆皇帝吃麵", "干隆皇帝吃面"),
        ("後臺隻龍", "后台只龙"),
        ("𠮷野家的ＡＢＣ１２", "𠮷野家的abc12"),
        ("Straße  MUSTER", "strasse muster"),
        ("ｶﾞﾗｽ", "ガラス"),
        ("舞狮🦁👨‍👩‍👧❤️", "舞狮🦁👨👩👧❤"),
        ("一\u200b二\n三", "一二 三"),
        ("ﬁle ㎏ ①", "file kg 1"),
        ("\ufe0f", ""),
    ],
)
def test_spellings_of_one_text_are_folded_to_the_same(typed, folded):
    assert fold(typed) == folded
    assert fold(folded) == folded


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_folding_a_second_time_changes_nothing(text):
    once = fold(text)
    assert fold(once) == fold(fold(once))


def test_a_query_is_the_folded_words_each_once():
    assert words_of("  燈籠　ABC abc 灯笼 ") == ["灯笼", "abc"]
    assert words_of("\u200b") == []
