"""Expressions: one for each object of the main category, all different, each about a box of the base."""

from dataclasses import replace

import pytest

from annotation.kinds.context import Context, Language
from annotation.kinds.grounding import KIND, GroundingSettings
from annotation.kinds.prompt_values import prompt_values

SETTINGS = GroundingSettings(
    expressions_maximum=4, minimum_characters=2, other_script_percent=20, review_reasons=[], human_checks=[]
)
BOXES = [
    *({"key": f"k{n}", "category": "panda", "box": [10 * n, 0, 8, 8]} for n in range(3)),
    {"key": "tea", "category": "tea", "box": [50, 0, 8, 8]},
]
CONTEXT = Context(Language("zh-Hans"), width=100, height=50, main_category="panda", base={"boxes": BOXES})
TEXTS = ("最左边的熊猫", "抱着竹子的熊猫", "最右边的熊猫")


def content(*texts, boxes=BOXES):
    return {
        "expressions": [
            {"key": box["key"], "text": text, "box": list(box["box"])} for text, box in zip(texts, boxes, strict=False)
        ]
    }


def found(given, context=CONTEXT, *, complete=True):
    findings = KIND.check(given, SETTINGS, context, complete=complete)
    return [(finding.code, finding.field, finding.severity) for finding in findings]


def test_one_for_each_object_is_right():
    assert found(content(*TEXTS)) == []


@pytest.mark.parametrize("text", ["左边𠮷字招牌下的熊猫", "左邊的熊貓", "拿着🎋的熊猫", "左边的（胖）熊猫"])
def test_rare_characters_emoji_and_full_width_forms_are_written(text):
    assert found(content(text, *TEXTS[1:])) == []


def test_how_many_there_have_to_be():
    [finding] = KIND.check(content(*TEXTS[:2]), SETTINGS, CONTEXT, complete=True)
    assert (finding.code, finding.params) == ("expressions_too_few", {"count": 2, "expected": 3})
    assert found(content(*TEXTS[:2]), complete=False) == []
    five = [{"key": f"k{n}", "category": "panda", "box": [10 * n, 0, 8, 8]} for n in range(5)]
    context = replace(CONTEXT, base={"boxes": five})
    texts = [f"从左数第{n}只" for n in range(1, 6)]
    assert found(content(*texts[:4], boxes=five), context) == []  # of more objects their author chooses four
    assert found(content(*texts[:3], boxes=five), context) == [("expressions_too_few", "expressions", "error")]
    assert found(content(*texts, boxes=five), context) == [("expressions_too_many", "expressions", "error")]
    none = replace(CONTEXT, base={"boxes": BOXES[3:]})
    assert found({"expressions": []}, none) == [("expressions_too_few", "expressions", "error")]


@pytest.mark.parametrize("same", ["最左边的熊猫", "最左边的 熊猫。", "最左边的熊猫！"])
def test_expressions_that_say_the_same_are_refused(same):
    [finding] = KIND.check(content(TEXTS[0], TEXTS[1], same), SETTINGS, CONTEXT, complete=True)
    assert (finding.code, finding.field, finding.params) == ("expressions_equal", "expressions.k2.text", {"other": 0})


def test_a_text_that_is_missing_or_too_short():
    assert found(content(TEXTS[0], " ", TEXTS[2])) == [("expression_empty", "expressions.k1.text", "error")]
    assert found(content(TEXTS[0], " ", TEXTS[2]), complete=False) == []
    assert found(content(TEXTS[0], "胖", TEXTS[2])) == [("expression_too_short", "expressions.k1.text", "error")]


def test_words_of_another_script_are_warned_of():
    assert found(content("the left panda", *TEXTS[1:])) == [("other_script", "expressions.k0.text", "warn")]


def test_an_expression_is_about_an_object_of_the_main_category_where_it_is_now():
    moved = content(*TEXTS)
    moved["expressions"][1]["box"] = [10, 0, 8, 9]
    assert found(moved) == [("object_unknown", "expressions.k1.box", "error")]
    other = content(*TEXTS)
    other["expressions"].append({"key": "tea", "text": "那杯茶", "box": [50, 0, 8, 8]})
    assert found(other) == [("object_unknown", "expressions.tea.box", "error")]
    # Without a base only the texts are looked at.
    assert found(moved, replace(CONTEXT, base=None)) == []


def test_prompts_get_one_expression_at_a_time():
    values = prompt_values("grounding", content(*TEXTS), side="", order=list)
    assert values.parts == tuple({"expression": text} for text in TEXTS)
