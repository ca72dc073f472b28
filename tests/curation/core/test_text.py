"""How text is stored and counted."""

import pytest

from curation.core import text
from curation.core.errors import TextRefused


@pytest.mark.parametrize(
    ("given", "count"),
    [
        ("一只黄色的舞狮", 7),
        ("一只黄色的舞狮。", 7),
        ("，。！？ …", 0),
        ("𠮷野家の店", 5),
        ("🏮灯笼🏮", 2),
        ("ＡＢＣ１２３", 6),
        ("e\u0301te\u0301", 3),
        ("👨‍👩‍👧在院子里", 4),
        ("葛\U000e0100城", 2),
        ("a b\tc", 3),
        ("", 0),
        ("\u3164\uffa0\u115f\u1160", 0),
        ("\u115f\u1161字", 2),
        ("\u2800\U000e0041\u200b", 0),
    ],
    ids=[
        "han",
        "full stop",
        "punctuation",
        "rare character",
        "emoji",
        "full width",
        "combining",
        "joined emoji",
        "variation selector",
        "blanks",
        "empty",
        "fillers",
        "a vowel on a filler",
        "blank braille and a tag",
    ],
)
def test_only_letters_and_numbers_count(given, count):
    assert text.count_characters(given) == count


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("  两只 舞狮\u3000", "两只 舞狮"),
        ("e\u0301", "é"),
        ("ＡＢ，１", "ＡＢ，１"),
        ("一\n二", "一 二"),
        ("一\u2028二\u2029三", "一 二 三"),
        ("\u200d", "\u200d"),
    ],
    ids=["outer blanks go, inner stay", "composed", "full width kept", "one line", "separators", "joiner kept"],
)
def test_text_is_stored_composed_and_stripped(given, stored):
    assert text.clean(given) == stored


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("a\0b", "control_character"),
        ("\ud842x", "lone_surrogate"),
        ("abc\u202edef", "direction_control"),
        ("\x07", "control_character"),
    ],
)
def test_what_is_never_stored_is_refused(given, reason):
    with pytest.raises(TextRefused) as refused:
        text.clean(given)
    assert refused.value.params == {"reason": reason}


def test_lines_are_kept_where_asked():
    assert text.clean("一\r\n二\n", lines=True) == "一\n二"
    assert text.clean("一\u2028二\u2029", lines=True) == "一\n二"


INVISIBLE = [
    "\u3164",
    "\uffa0",
    "\u115f",
    "\u1160",
    "\u2800",
    "\U000e0041",
    "\u200b",
    "\u200d",
    "\u034f",
    "\ufe0f",
    "\u2060",
]


@pytest.mark.parametrize("character", INVISIBLE, ids=lambda c: f"U+{ord(c):04X}")
def test_invisible_characters_show_nothing_and_change_no_text(character):
    assert text.shows_nothing(f" {character}\n{character}")
    assert text.looks_equal("Which colour?", f"{character}Which colour?{character}")
    assert text.looks_equal("黄色 的", f"黄色 {character * 2}的") == (character != "\u2800")
    assert not text.shows_nothing(f"!{character}")
    assert not text.looks_equal("Which colour?", f"Which colours?{character}")


@pytest.mark.parametrize(
    ("one", "other"),
    [("می\u200cخواهم", "میخواهم"), ("葛\U000e0100城", "葛城"), ("❤\ufe0f", "❤"), ("ක්\u200dෂ", "ක්ෂ")],
    ids=["Persian", "variant", "emoji", "Sinhala"],
)
def test_a_joiner_or_selector_that_shows_is_a_difference(one, other):
    assert not text.looks_equal(one, other)
    assert text.looks_equal(one, f"{one}\u200c")


def test_length_in_a_browser():
    assert text.utf16_length("𠮷a") == 3
