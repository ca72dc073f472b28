"""What is asked of a release: every kind with a suite, in the order of its files; templates reveal no answer."""

import hashlib

import pytest

from annotation.kinds.registry import KINDS
from evaluation.profiles.rows import Row, WrongInput
from evaluation.suites.rules import PUBLISHED, SUITES, Context, profiles_of

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
DIALOGUES = [
    {
        "id": 4711,
        "image": "images/test/b.png",
        "item": "dlg-000003",
        "category": "panda",
        "caption": "两只熊猫坐在草地上",
        "rounds": [
            {"question": "有几只熊猫？", "answer": "有两只熊猫。"},
            {"question": "它们在做什么？", "answer": "它们在吃竹子。"},
            {"question": "天气怎么样？", "answer": "天气是晴的。"},
        ],
        "scored_round": 2,
        "candidates": ["天气是晴的。", "它们在吃竹子。", "它们在睡觉。"],
    },
    {
        "id": 4712,
        "image": "images/train/c.png",
        "item": "dlg-000004",
        "category": "panda",
        "caption": "一只狗",
        "rounds": [{"question": "狗在哪里？", "answer": "狗在门口。"}],
        "scored_round": 0,
        "candidates": [],
    },
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
    assert profiles_of("dialogue") == ("cvlue-vd/full", "cvlue-vd/official")
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


def test_a_dialogue_is_asked_at_its_scored_round_with_numbered_candidates_and_no_later_round():
    numbers = [
        int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])
        for text in ("天气是晴的。", "它们在吃竹子。", "它们在睡觉。")
    ]
    asked = {
        "caption": "两只熊猫坐在草地上",
        "history": [["有几只熊猫？", "有两只熊猫。"]],
        "question": "它们在做什么？",
        "candidates": ["天气是晴的。", "它们在吃竹子。", "它们在睡觉。"],
        "answer_options": numbers,
    }
    found = list(PUBLISHED["dialogue"].template(DIALOGUES, 7))
    assert found == [{"id": "4711#2", "image": "images/test/b.png", **asked, "response": []}]
    gold = {"id": "4711#2", "gold": str(numbers[1]), "image": "images/test/b.png", "category": "panda"}
    assert list(PUBLISHED["dialogue"].gold(DIALOGUES[0], 7)) == [gold]
    row = Row("gold", 1, gold | next(PUBLISHED["dialogue"].asks(DIALOGUES[0], 7)))
    [(entry, right)] = SUITES["dialogue"].read(row, Context("content"))
    assert (entry.options, entry.names) == (tuple(asked["candidates"]), tuple(map(str, numbers)))
    assert entry.values == {
        "caption": asked["caption"],
        "history": [("有几只熊猫？", "有两只熊猫。")],
        "question": asked["question"],
    }
    assert (right.gold, right.tags) == (str(numbers[1]), {"category": "panda"})
    # What no one scores, and records from before rounds were scored, ask nothing.
    older = {name: value for name, value in DIALOGUES[0].items() if name not in ("scored_round", "candidates")}
    for record in (DIALOGUES[1], older):
        assert [list(PUBLISHED["dialogue"].gold(record, 7)), list(PUBLISHED["dialogue"].asks(record, 7))] == [[], []]
    short = row._replace(fields=row.fields | {"answer_options": numbers[:2]})
    with pytest.raises(WrongInput, match="answer_options: expected a number for each candidate"):
        list(SUITES["dialogue"].read(short, Context("content")))


@pytest.mark.parametrize(
    ("kind", "records"),
    [
        ("captions", PICTURES),
        ("vqa", QUESTIONS),
        ("multiple_choice", CHOICES),
        ("grounding", EXPRESSIONS),
        ("dialogue", DIALOGUES),
    ],
)
def test_a_template_asks_for_what_the_gold_holds(kind, records):
    gold = {row["id"] for record in records for row in PUBLISHED[kind].gold(record, 7)}
    assert {row["id"] for row in PUBLISHED[kind].template(records, 7)} == gold
