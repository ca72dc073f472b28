"""What a submission must contain, and that templates reveal no answer."""

import pytest

from annotation.kinds.registry import KINDS
from evaluation.submissions.queries import breakdowns, figures
from evaluation.submissions.rules import TASKS, evaluated_splits, most_rows, publishable_groups
from evaluation.suites.rules import SUITES

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


def test_submissions_offer_every_profile_of_the_suites_of_a_kind():
    assert set(KINDS) - set(TASKS) == {"boxes"}  # no profile scores boxes yet
    for kind, task in TASKS.items():
        suites = [suite for suite in SUITES.values() if suite.kind == kind]
        assert sorted(task.profiles) == sorted(name for suite in suites for name in suite.profiles)


def test_letters_of_choices_follow_the_order_of_the_releases_files():
    task = TASKS["multiple_choice"]
    (first,), (second,) = (task.gold(record, 7) for record in CHOICES)
    about = {"image": "images/test/a.png", "category": "food", "pair": "Chinese - China"}
    # Ordered by the sha256 of "7:<item>:<option>".
    assert first == {"id": "4711_0", "gold": "D", "options": ["TWO", "ONE", "THREE", "RIGHT"], **about}
    assert second == {"id": "4711_1", "gold": "C", "options": ["ONE", "THREE", "RIGHT", "TWO"], **about}
    assert "pair" in first
    assert not next(task.gold(CHOICES[0] | {"country": ""}, 7))["pair"]
    rows = list(task.template(CHOICES, 7))
    assert [[option["local"] for option in row["options"]] for row in rows] == [first["options"], second["options"]]
    assert {row["response"] for row in rows} == {""}
    assert "gold" not in rows[0]


def test_retrieval_asks_for_each_picture_and_each_text_once():
    found = list(TASKS["captions"].template(PICTURES, 7))
    assert [row["id"] for row in found if row["scope"] == "i2t"] == ["images/test/a.png", "images/test/b.png"]
    # By their sha256, and not by picture: 三 begins with 7, 四 with 9, 二 with a, 一 with e.
    texts = [row["id"] for row in found if row["scope"] == "t2i"]
    assert (sorted(texts), len(texts)) == (sorted("一二三四"), 4)
    assert texts != ["一", "二", "三", "四"]
    assert all(row.keys() == {"id", "scope", "response"} and row["response"] == [] for row in found)


def test_questions_are_numbered_as_in_the_published_files_and_come_without_answers():
    found = list(TASKS["vqa"].template(QUESTIONS, 7))
    assert found == [
        {"id": "3", "image": "images/test/a.png", "question": "几盏灯？", "response": ""},
        {"id": "4", "image": "images/test/a.png", "question": "挂在哪里？", "response": ""},
    ]
    assert [(row["id"], row["gold"]) for row in TASKS["vqa"].gold(QUESTIONS[0], 7)] == [("3", "三盏"), ("4", "门前")]


@pytest.mark.parametrize(
    ("kind", "records"), [("captions", PICTURES), ("vqa", QUESTIONS), ("multiple_choice", CHOICES)]
)
def test_a_template_asks_for_what_the_gold_holds(kind, records):
    gold = {row["id"] for record in records for row in TASKS[kind].gold(record, 7)}
    assert {row["id"] for row in TASKS[kind].template(records, 7)} == gold


@pytest.mark.parametrize(
    ("release", "splits"),
    [({"withheld": ["valid", "test"]}, ("valid", "test")), ({"withheld": []}, ("test",)), ({}, ("test",))],
)
def test_withheld_splits_are_evaluated_else_the_test_split(release, splits):
    assert evaluated_splits(release) == splits


def test_rows_are_limited_by_the_expected_ids():
    assert (most_rows(10), most_rows(50_000)) == (1_000, 500_000)


def test_figures_name_their_direction_and_directions_break_nothing_down():
    one = {"value": 0.5, "low": 0.1, "high": 0.9, "n": 2}
    metrics = dict.fromkeys(("i2t R@10", "i2t R@1", "t2i R@1"), one)
    report = {
        "metrics": metrics,
        "breakdowns": {
            "type": {"i2t": {"n": 2, "metrics": metrics}},
            "category": {"lantern": {"n": 3, "metrics": {"accuracy": one}}},
        },
    }
    assert figures(metrics) == [
        {"scope": "t2i", "metric": "R@1", **one},
        {"scope": "i2t", "metric": "R@1", **one},
        {"scope": "i2t", "metric": "R@10", **one},
    ]
    assert breakdowns(report["breakdowns"]) == [
        {
            "by": "category",
            "groups": [{"group": "lantern", "n": 3, "figures": [{"scope": "", "metric": "accuracy", **one}]}],
        }
    ]


def test_a_group_needs_enough_answers_for_each_of_its_metrics():
    def part(**ns):
        return {"n": sum(ns.values()), "metrics": {name: {"n": n} for name, n in ns.items()}}

    tea, panda, boat = part(t2i=30, i2t=6), part(t2i=30, i2t=5), part(t2i=30, i2t=0)
    report = {
        "metrics": part(t2i=90, i2t=11)["metrics"] | {"macro": {"value": 1}},
        "breakdowns": {"category": {"tea": tea, "panda": panda, "boat": boat}},
    }
    assert publishable_groups(report, 0) == report["breakdowns"]
    assert publishable_groups(report, 5) == report["breakdowns"]  # boats have no answers of that direction to reveal
    # With a figure for teas alone, those of pandas would follow.
    assert publishable_groups(report, 6) == {"category": {"boat": boat}}
