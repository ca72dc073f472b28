"""The values of contents for the variables of prompts."""

from functools import partial

from annotation.kinds.option_order import LETTERS, drawn_order
from annotation.kinds.prompt_values import VARIABLES_OF, QuestionValues, prompt_values
from annotation.kinds.registry import KINDS
from annotation.kinds.texts import text_groups
from curation.prompts.rules import VARIABLES
from tests.kinds import tree_of

ORDER = partial(drawn_order, seed=0, number=7)
CHOICE = {
    "category": "food",
    "question": {"local": "这是什么？", "translated": "What is this?"},
    "options": [{"local": a, "translated": b} for a, b in (("粽子", "zongzi"), ("饺子", "dumpling"), ("馒头", "bun"))],
}


def test_texts_are_parts() -> None:
    assert prompt_values("captions", {"captions": ["甲", "乙"]}, side="", order=ORDER).parts == (
        {"caption": "甲"},
        {"caption": "乙"},
    )
    pairs = {"pairs": [{"question": "几只？", "answer": "两只"}]}
    assert prompt_values("vqa", pairs, side="", order=ORDER) == QuestionValues(
        ({"question": "几只？", "answer": "两只"},)
    )


def test_options_have_the_same_letters_in_both_languages() -> None:
    local, translated = (
        prompt_values("multiple_choice", CHOICE, side=side, order=ORDER) for side in ("", "translated")
    )
    assert local.sides == translated.sides == ("local", "translated")
    [here], [there] = local.parts, translated.parts
    order = ORDER(["粽子", "饺子", "馒头"])
    assert here["answer"] == there["answer"] == LETTERS[order.index(0)]
    assert here["options"] == [CHOICE["options"][i]["local"] for i in order]
    assert there["options"] == [CHOICE["options"][i]["translated"] for i in order]
    assert (here["question"], there["question"]) == ("这是什么？", "What is this?")


def test_a_question_in_one_language_has_one_side() -> None:
    content = {
        "category": "food",
        "question": {"local": "?"},
        "options": [{"local": "a"}, {"local": "b"}],
    }
    assert prompt_values("multiple_choice", content, side="translated", order=ORDER).sides == ("local",)


def test_every_kind_with_texts_has_values_that_prompts_name() -> None:
    contents = {
        "captions": {"captions": ["甲"]},
        "vqa": {"pairs": [{"question": "?", "answer": "!"}]},
        "multiple_choice": CHOICE,
        "grounding": {"expressions": [{"key": "a", "text": "左边的", "box": []}]},
        "dialogue": {"rounds": [{"question": "?", "answer": "!"}]},
    }
    assert contents.keys() == {kind for kind in KINDS if text_groups(tree_of(kind))} == VARIABLES_OF.keys()
    for kind, content in contents.items():
        [values] = prompt_values(kind, content, side="", order=ORDER).parts
        assert set(values) == VARIABLES_OF[kind] <= set(VARIABLES)
    assert prompt_values("unknown", {}, side="", order=ORDER).parts == ({},)
