"""Blind trials: where the right option is printed, what a reply says, and how long a question rests."""

import time
from datetime import timedelta

import pytest

from annotation.kinds.multiple_choice import MultipleChoiceSettings
from annotation.trials.rules import arrangements, letter_in, pause_after, prompt_languages, texts_of
from curation.prompts.queries import shipped

OPTIONS = ["南方", "北方", "东方", "西方"]
TRIALS = {"model": "m", "prompt": "choice-text-only", "tries": 4, "flagged_from": 4}


@pytest.mark.parametrize("options", range(2, 11))
def test_every_option_is_printed_once_at_each_letter(options):
    tries = arrangements(options)
    assert len(tries) == options
    assert [positions.index(0) for positions in tries] == list(range(options))  # the right one moves on by one letter
    for letter in range(options):
        assert sorted(positions[letter] for positions in tries) == list(range(options))


def test_the_four_tries_of_a_question():
    content = {"question": {"local": "哪里？"}, "options": [{"local": text} for text in OPTIONS]}
    printed = ["".join(texts_of(content, "local", at)["options"])[::2] for at in arrangements(4)]
    assert printed == ["南北东西", "西南北东", "东西南北", "北东西南"]


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("B", "B"),
        (" b\n", "B"),
        ("Ｂ", "B"),
        ("(B)", "B"),
        ("（B）", "B"),
        ("【B】", "B"),
        ("**B**", "B"),
        ('"B".', "B"),
        ("B.", "B"),
        ("B。", "B"),
        ("B. 北方", "B"),
        ("B、北方。", "B"),
        ("(B) “北方”", "B"),
        ("B\n北方", "B"),
        ("B.  北\n\n方", None),
        ("Answer: B", "B"),
        ("The correct answer is B.", "B"),
        ("The answer is: (B) 北方", "B"),
        ("答案：B", "B"),
        ("答案是B。", "B"),
        ("正确答案：B、北方", "B"),
        ("正確選項：B", "B"),
        ("The bird guards the south.\nSo north is wrong.\nAnswer: A", "A"),
        ("朱雀守护南方。\n\n**答案：A**", "A"),
        ("", None),
        ("?", None),
        ("E", None),  # four options
        ("АB", None),
        ("А", None),  # Cyrillic
        ("B or C", None),
        ("B, C", None),
        ("A. 北方", None),  # the text of another option
        ("北方", None),
        ("Because", None),
        ("A cat", None),
        ("I think B", None),
        ("I cannot see the picture.", None),
        ("Answer: none", None),
        ("Answer: B\nBut maybe C.", None),
        ("Without the picture I guess.\nB", None),  # no word before the letter
        ("Answer: A\nAnswer: B", "B"),
        ("B" * 100_000, None),
        ("(" * 50_000, None),
        (" " * 50_000 + "B", "B"),
        ("答案" * 20_000, None),
    ],
)
def test_a_letter_is_read_from_a_reply_that_has_exactly_one(reply, letter):
    assert letter_in(reply, OPTIONS) == letter


@pytest.mark.parametrize(
    "reply", ["Answer" + "\n" * 20_000 + "?", "答案：" + " " * 20_000 + "?", "A" + "\u0315\u0300" * 50_000]
)
def test_a_reply_that_repeats_itself_is_read_at_once(reply):
    started = time.process_time()
    assert letter_in(reply, OPTIONS) is None
    assert time.process_time() - started < 2  # hours, where the time grew with the cube of the length


def test_blanks_between_the_words_of_an_option_do_not_count():
    assert letter_in("A. the  south\nwind", ["the south  wind", "north"]) == "A"


def test_each_letter_is_read_up_to_the_tenth():
    options = [f"option {n}" for n in range(10)]
    assert [letter_in(letter, options) for letter in "ABCDEFGHIJK"] == [*"ABCDEFGHIJ", None]


def test_a_prompt_is_in_the_language_of_the_text():
    ours = ["en", "zh-Hans", "zh-Hant"]
    tags = ("zh-Hans", "zh-Hant", "zh-TW", "zh", "en", "ur-PK", "und")
    first = [prompt_languages(tag, ours)[0] for tag in tags]
    assert first == ["zh-Hans", "zh-Hant", "zh-Hant", "zh-Hans", "en", "en", "en"]
    assert prompt_languages("zh-Hant", ["en", "zh-Hans"])[0] == "zh-Hans"
    assert prompt_languages("ur", ["zh-Hans", "zh-Hant"])[0] == "zh-Hans"


def test_the_prompt_that_ships_has_no_place_for_a_picture():
    versions = [version for key, version in shipped().items() if key.name == "choice-text-only"]
    assert sorted(version.key.language for version in versions) == ["en", "zh-Hans", "zh-Hant"]
    assert [version.body.order for version in versions] == [["text"]] * 3


def test_a_question_rests_twice_as_long_after_each_failure():
    assert [pause_after(n) for n in (1, 2, 3)] == [timedelta(minutes=m) for m in (10, 20, 40)]
    assert pause_after(100) == pause_after(65_535) == timedelta(days=7)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"tries": 3, "flagged_from": 3}, "as many as options"),
        ({"tries": 4, "flagged_from": 5}, "not above tries"),
        ({"flagged_from": 0}, "greater than or equal to 1"),
        ({"model": ""}, "at least 1 character"),
        ({"seed": 1}, "Extra inputs"),
    ],
)
def test_what_a_protocol_may_not_say(changes, fault):
    with pytest.raises(ValueError, match=fault):
        MultipleChoiceSettings(options=4, review_reasons=[], blind_trials=TRIALS | changes)
    assert MultipleChoiceSettings(options=4, review_reasons=[]).blind_trials is None
