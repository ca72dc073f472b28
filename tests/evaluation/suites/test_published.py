"""What is asked of a release: every kind with a suite, in the order of its files; templates reveal no answer."""

import pytest

from annotation.kinds.registry import KINDS
from evaluation.suites.rules import PUBLISHED, SUITES, profiles_of

PICTURES = [
    {"image": "images/test/a.png", "captions": ["一", "二"], "category": "lantern"},
    {"image": "images/test/b.png", "captions": ["二", "三"], "category": ""},
    {"image": "images/test/a.png", "captions": ["四"], "category": "lantern"},
]
QUESTIONS = [
    {
        "image": "images/test/a.png",
        "item": "vqa-000002",
        "category": "lantern",
        "pairs": [{"question": "几盏灯？", "answer": "三盏"}, {"question": "挂在哪里？", "answer": "门前"}],
    }
]
EXPRESSIONS = [
    {
        "image": "images/test/a.png",
        "item": "ref-000003",
        "category": "panda",
        "width": 640,
        "height": 480,
        "expressions": [
            {"key": "a", "text": "左边的熊猫", "box": [1, 2, 3, 4]},
            {"key": "b", "text": "右边的熊猫", "box": [5, 2, 3, 4.5]},
        ],
    }
]
CHOICES = [
    {
        "id": "4711",
        "slot": slot,
        "item": f"mcq-{slot + 8:06d}",
        "image": "images/test/a.png",
        "category": "food",
        "language_name": "Chinese",
        "country": "China",
        "question": {"local": "这是什么？", "translated": "What is this?"},
        "options": [{"local": text, "translated": text.lower()} for text in ("RIGHT", "ONE", "TWO", "THREE")],
    }
    for slot in range(2)
]


def test_every_kind_with_a_suite_is_asked_and_scored_by_the_profiles_of_its_suites():
    assert set(PUBLISHED) == {suite.kind for suite in SUITES.values() if suite.kind}
    assert set(KINDS) - set(PUBLISHED) == {"boxes"}  # no profile scores boxes yet
    assert profiles_of("boxes") == ()
    assert profiles_of("vqa") == ("cvlue-vqa/official", "cvlue-vqa/official-strict", "cvlue-vqa/exact")
    assert profiles_of("multiple_choice") == (
        "cvqa-mcq/generated",
        "cvqa-mcq/paper",
        "tcc-mcq/paper",
        "tcc-mcq/official",
        "tcc-mcq/robust",
        "vistai-mcq/robust",
        "vistai-mcq/official",
        "vistai-mcq/paper",
    )


def test_letters_of_choices_follow_the_order_of_the_releases_files():
    asked = PUBLISHED["multiple_choice"]
    (first,), (second,) = (asked.gold(record, 7) for record in CHOICES)
    about = {"image": "images/test/a.png", "category": "food", "pair": "Chinese - China"}
    # Ordered by the sha256 of "7:<item>:<option>".
    assert first == {"id": "4711_0", "gold": "D", "options": ["TWO", "ONE", "THREE", "RIGHT"], **about}
    assert second == {"id": "4711_1", "gold": "C", "options": ["ONE", "THREE", "RIGHT", "TWO"], **about}
    assert "pair" in first
    assert not next(asked.gold(CHOICES[0] | {"country": ""}, 7))["pair"]
    rows = list(asked.template(CHOICES, 7))
    assert [[option["local"] for option in row["options"]] for row in rows] == [first["options"], second["options"]]
    assert {row["response"] for row in rows} == {""}
    assert "gold" not in rows[0]


def test_retrieval_asks_for_each_picture_and_each_text_once():
    found = list(PUBLISHED["captions"].template(PICTURES, 7))
    assert [row["id"] for row in found if row["scope"] == "i2t"] == ["images/test/a.png", "images/test/b.png"]
    # By their sha256, and not by picture: 三 begins with 7, 四 with 9, 二 with a, 一 with e.
    texts = [row["id"] for row in found if row["scope"] == "t2i"]
    assert (sorted(texts), len(texts)) == (sorted("一二三四"), 4)
    assert texts != ["一", "二", "三", "四"]
    assert all(row.keys() == {"id", "scope", "response"} and row["response"] == [] for row in found)


def test_questions_are_numbered_as_in_the_published_files_and_come_without_answers():
    found = list(PUBLISHED["vqa"].template(QUESTIONS, 7))
    assert found == [
        {"id": "3", "image": "images/test/a.png", "question": "几盏灯？", "response": ""},
        {"id": "4", "image": "images/test/a.png", "question": "挂在哪里？", "response": ""},
    ]
    assert [(row["id"], row["gold"]) for row in PUBLISHED["vqa"].gold(QUESTIONS[0], 7)] == [
        ("3", "三盏"),
        ("4", "门前"),
    ]


def test_expressions_are_numbered_as_in_the_published_files_and_come_without_boxes():
    found = list(PUBLISHED["grounding"].template(EXPRESSIONS, 7))
    about = {"image": "images/test/a.png", "width": 640, "height": 480}
    assert found == [
        {"id": "41", "text": "左边的熊猫", **about, "response": []},
        {"id": "42", "text": "右边的熊猫", **about, "response": []},
    ]
    gold = list(PUBLISHED["grounding"].gold(EXPRESSIONS[0], 7))
    assert [(row["id"], row["gold"]) for row in gold] == [("41", [1, 2, 3, 4]), ("42", [5, 2, 3, 4.5])]


@pytest.mark.parametrize(
    ("kind", "records"),
    [("captions", PICTURES), ("vqa", QUESTIONS), ("multiple_choice", CHOICES), ("grounding", EXPRESSIONS)],
)
def test_a_template_asks_for_what_the_gold_holds(kind, records):
    gold = {row["id"] for record in records for row in PUBLISHED[kind].gold(record, 7)}
    assert {row["id"] for row in PUBLISHED[kind].template(records, 7)} == gold
