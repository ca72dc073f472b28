"""Dialogues: each question and answer is there, fragments and questions for reasons are pointed out."""

import pytest

from annotation.kinds.context import Context, Language
from annotation.kinds.dialogue import KIND, DialogueSettings
from annotation.kinds.prompt_values import prompt_values

SETTINGS = DialogueSettings(
    rounds=2, away_minutes=10, paused_maximum=3, other_script_percent=20, review_reasons=[], human_checks=[]
)
CHINESE, ENGLISH = Context(Language("zh-Hans")), Context(Language("en"))
GOOD = (("他穿着什么颜色的衣服？", "他穿着红色的衣服。"), ("旁边有几个人？", "旁边有三个人。"))


def content(*rounds):
    return {"rounds": [{"question": question, "answer": answer} for question, answer in rounds]}


def found(given, context=CHINESE, *, complete=True):
    findings = KIND.check(given, SETTINGS, context, complete=complete)
    return [(finding.code, finding.field, finding.severity) for finding in findings]


def of_first(question, answer, context=CHINESE):
    return [
        code for code, field, _ in found(content((question, answer), GOOD[1]), context) if field.startswith("rounds.0")
    ]


def test_full_sentences_about_objects_are_right():
    assert found(content(*GOOD)) == []


def test_what_is_missing_is_an_error_once_it_is_complete():
    assert found(content(("", " "), GOOD[1])) == [
        ("question_empty", "rounds.0.question", "error"),
        ("answer_empty", "rounds.0.answer", "error"),
    ]
    assert found(content(("", ""), GOOD[1]), complete=False) == []


@pytest.mark.parametrize(
    "answer",
    ["红色。", "两只", "三个人。", "紅色的衣服", "木头。", "🎋", "No", "红色"],
)
def test_fragments_are_pointed_out(answer):
    assert "answer_fragment" in of_first(GOOD[0][0], answer)


@pytest.mark.parametrize(
    "answer",
    [
        "他穿着红色的衣服。",
        "桌子是木头做的",
        "没有人。旁边没有人。",
        "他正在吃面。",
        "照片裡有兩隻貓。",
        "「它是𠮷字招牌。」",
        "不，他坐着。",
    ],
)
def test_full_sentences_are_not(answer):
    assert "answer_fragment" not in of_first(GOOD[0][0], answer)


@pytest.mark.parametrize(
    ("answer", "is_fragment"), [("Red.", True), ("A red coat", False), ("Two", True), ("He wears red.", False)]
)
def test_sentences_in_english_have_at_least_three_words(answer, is_fragment):
    assert ("answer_fragment" in of_first("What colour is it?", answer, ENGLISH)) is is_fragment


@pytest.mark.parametrize(
    "question",
    [
        "他为什么在笑？",
        "他為什麼在笑？",
        "他怎么会在那里？",
        "这意味着什么？",
        "红灯笼象征什么？",
        "這是什麼意思？",
        "Why is he laughing?",
        "What does the lantern mean?",
        "What do the colours symbolise?",
    ],
)
def test_questions_for_reason_or_meaning_are_pointed_out_and_marked(question):
    given = content((question, GOOD[0][1]), GOOD[1])
    [finding] = [f for f in KIND.check(given, SETTINGS, CHINESE, complete=True) if f.code == "question_reason"]
    assert (finding.field, finding.severity) == ("rounds.0.question", "warn")
    assert finding.spans[0].field == "rounds.0.question"


@pytest.mark.parametrize(
    "question", ["他穿着什么？", "人在做什麼？", "What is on the table?", "有什么颜色？", "怎么样的帽子？"]
)
def test_other_questions_are_not(question):
    assert "question_reason" not in of_first(question, GOOD[0][1])


def test_words_of_another_script_are_warned_of():
    assert of_first("Is there a dog here?", GOOD[0][1]) == ["other_script"]


def test_prompts_get_one_round_at_a_time_with_those_before():
    values = prompt_values("dialogue", content(*GOOD), side="", order=list)
    assert values.parts == (
        {"question": GOOD[0][0], "answer": GOOD[0][1], "history": []},
        {"question": GOOD[1][0], "answer": GOOD[1][1], "history": [GOOD[0]]},
    )
