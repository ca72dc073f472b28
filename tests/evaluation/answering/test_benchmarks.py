"""A small set in each benchmark's own form: asked as its paper says, answered by a double, scored to exact figures."""

import json
import re
from fractions import Fraction

import pytest

from curation.wire.servers import ModelServer
from evaluation.backends.chat import ChatGenerator
from evaluation.backends.chat_requests import Paid
from tests.evaluation.answering import benchmarks
from tests.evaluation.answering.double import plain, text
from tests.model_server import StandIn

COUNTS = ("n_expected", "n_scored", "n_missing", "n_unparsable", "n_failed", "n_unknown_ids", "n_duplicate")


def counts(report):
    return {name: report[name] for name in COUNTS if report[name]}


def test_vqa(tmp_path, double, answered, scored):
    double.replies = {"灯": "是的", "几只": "3或2个", "熊猫": "竹叶"}
    gold = benchmarks.cvlue_vqa(tmp_path)
    rows = answered("vqa", gold, pictures=benchmarks.cvlue_pictures(tmp_path / "pictures"))
    assert rows == [
        {"id": "66376", "response": "是的"},
        {"id": "66377", "response": "3或2个"},
        {"id": "66378", "response": "竹叶"},
    ]
    assert text(double.asks[0]) == "用尽量简洁的数字或中文短语回答以下问题: 熊猫在吃什么？"  # the longest text first
    report, values = scored("cvlue-vqa/official", gold)
    assert values == {"accuracy": pytest.approx(2 / 3)}
    assert counts(report) == {"n_expected": 3, "n_scored": 3}


@pytest.mark.parametrize(("scale", "corners"), [("1", "[0, 0, 20, 10]"), ("1/2", "[0, 0, 10, 5]")])
def test_grounding_in_pixels_of_the_picture_that_was_sent(tmp_path, double, answered, scored, scale, corners):
    double.replies = {"左边": f'{{"bbox_2d": {corners}}}', "熊猫": "<box>(0,0),(1000,1000)</box>", "竹子": "没有"}
    gold, folder = benchmarks.cvlue_grounding(tmp_path), benchmarks.cvlue_pictures(tmp_path / "pictures")
    rows = answered("grounding", gold, pictures=folder, scale=Fraction(scale))
    sent = {"1": [40, 20], "1/2": [20, 10]}[scale]
    assert (rows[0]["box_form"], rows[0]["resized"]) == ("xyxy", sent)
    report, values = scored("cvlue-vg/paper", gold)
    assert values == {"IoU": pytest.approx((0.5 + 1 + 0) / 3), "IoU>0.5": pytest.approx(1 / 3)}
    assert counts(report) == {"n_expected": 3, "n_scored": 2, "n_unparsable": 1}


# The right box of the first question is the left half of 40 × 20, that of the second all of 32 × 24.
@pytest.mark.parametrize(
    ("form", "scale", "replies", "resized"),
    [
        (
            "grid1000",  # Qwen2-VL
            "1/2",
            [
                "<|object_ref_start|>1,2,3,4<|object_ref_end|><|box_start|>(0,0),(500,1000)<|box_end|>",
                "(0,0),(1000,500)",  # a server dropped the marks
            ],
            None,
        ),
        ("grid1000", "1", ['[{"bbox_2d": [0, 0, 500, 1000], "label": "左"}]', '{"bbox_2d": [0, 0, 1000, 500]}'], None),
        ("grid1000", "1", ["<ref>左</ref><box>[[0, 0, 500, 1000]]</box>", "<box>[[0, 0, 1000, 500]]</box>"], None),
        ("xyxy", "1/2", ['```json\n[{"bbox_2d": [0, 0, 10, 10]}]\n```', "[[0, 0, 16, 6]]"], [[20, 10], [16, 12]]),
        ("xyxy", "1", ['{"bbox_2d": [0, 0, 20, 20]}', "<box>(0,0),(32,12)</box>"], [[40, 20], [32, 24]]),
        ("xywh", "1/2", ["[0, 0, 10, 10]", "[0, 0, 16, 6]"], [[20, 10], [16, 12]]),
        ("fraction", "1/2", ["[0, 0, 0.5, 1]", "[0.0, 0.0, 1.0, 0.5]"], None),
    ],
)
def test_grounding_in_the_form_that_the_systems_record_names(
    tmp_path, double, answered, scored, form, scale, replies, resized
):
    double.replies = dict(zip(("左边", "熊猫"), replies, strict=True)) | {"竹子": "没有"}
    gold, folder = benchmarks.cvlue_grounding(tmp_path), benchmarks.cvlue_pictures(tmp_path / "pictures")
    parameters = {"box_form": form}
    rows = answered("grounding", gold, pictures=folder, scale=Fraction(scale), parameters=parameters)
    assert [row["box_form"] for row in rows] == [form] * 3
    assert [row.get("resized") for row in rows[:2]] == (resized or [None, None])
    report, values = scored("cvlue-vg/paper", gold)
    assert values == {"IoU": pytest.approx((1 + 0.5 + 0) / 3), "IoU>0.5": pytest.approx(1 / 3)}
    assert counts(report) == {"n_expected": 3, "n_scored": 2, "n_unparsable": 1}


def test_a_refused_question_has_no_form_of_boxes(tmp_path, double, answered):
    double.replies = {"左边": "<refused>", "熊猫": "[0, 0, 1, 1]", "竹子": "没有"}
    gold, folder = benchmarks.cvlue_grounding(tmp_path), benchmarks.cvlue_pictures(tmp_path / "pictures")
    rows = answered("grounding", gold, pictures=folder, parameters={"box_form": "fraction"})
    assert rows[0] == {"id": rows[0]["id"], "error": "refused"}
    assert rows[1]["box_form"] == "fraction"


def test_dialogue_ranks_candidates_by_the_texts_of_their_ids(tmp_path, double, answered, scored):
    double.scores = {"黑白相间": -1, "在吃竹子": -2, "红色": -3, "绿色": -4, "不知道": -5}
    gold, texts = benchmarks.cvlue_dialogue(tmp_path)
    folder = benchmarks.cvlue_pictures(tmp_path / "pictures")
    rows = answered("dialogue", gold, can=("generate", "likelihood"), pictures=folder, dialogues=texts)
    assert rows == [
        {"id": "7#1", "response": ["3", "4", "1", "2"]},
        {"id": "7#2", "response": ["4", "1", "2", "5"]},
        {"id": "8#1", "response": ["3", "1", "2", "5"]},
    ]
    assert [text(ask) for ask in double.asks] == [
        "描述: 一只熊猫 对话历史:  根据图片描述和对话历史用一句话回答以下问题. 问题: 它是什么颜色的？ 答案:",
        (
            "描述: 一只熊猫 对话历史: 它是什么颜色的？ 黑白相间 "
            "根据图片描述和对话历史用一句话回答以下问题. 问题: 它在做什么？ 答案:"
        ),
        "描述: 一把唢呐 对话历史:  根据图片描述和对话历史用一句话回答以下问题. 问题: 它是什么颜色的？ 答案:",
    ]
    assert all(count_end for _, count_end in double.calls)
    _, values = scored("cvlue-vd/full", gold)
    assert values == {
        "R@1": pytest.approx(2 / 3),
        "R@5": 1.0,
        "R@10": 1.0,
        "MRR": pytest.approx((1 + 1 + 1 / 2) / 3),
        "mean rank": pytest.approx(4 / 3),
    }


def test_retrieval_ranks_in_both_directions(tmp_path, double, answered, scored):
    gold = benchmarks.cvlue_retrieval(tmp_path)
    folder = benchmarks.cvlue_pictures(tmp_path / "pictures")
    rows = {row["id"]: row["response"] for row in answered("retrieval", gold, can=("embed",), pictures=folder)}
    assert rows["green one"] == [benchmarks.SUONA, benchmarks.PANDA]
    assert set(rows[benchmarks.PANDA][:2]) == {"red one", "red two"}
    _, values = scored("cvlue-itr/paper", gold)
    assert (values["i2t R@1"], values["i2t R@5"]) == (1.0, 1.0)
    assert (values["t2i R@1"], values["t2i R@5"]) == (0.75, 1.0)  # "red and blue" is of the green picture


CVQA_PROMPT = (
    "Location: China. Question: 这是什么？ Options: A. 瓶 B. 碗 C. 盘 D. green 灯 Short Answer:",
    "Question: What is this? Options: A. vase B. bowl C. plate D. green lamp Short Answer:",
)


@pytest.mark.parametrize(
    ("setting", "side", "prompt"), [("located", None, CVQA_PROMPT[0]), ("plain", "en", CVQA_PROMPT[1])]
)
def test_cvqa_by_the_probability_of_letters(tmp_path, double, answered, scored, setting, side, prompt):
    double.scores = {"A": -3, "B": -1, "C": -4, "D": -2}
    gold = benchmarks.cvqa(tmp_path)
    rows = answered("cvqa", gold, can=("generate", "likelihood"), setting=setting, side=side)
    assert rows[1] == {"id": "6_0", "response": "B", "log_probabilities": [-3.0, -1.0, -4.0, -2.0]}
    assert prompt in [text(ask) for ask in double.asks]
    assert double.calls[0] == (["A", "B", "C", "D"], False)
    report, values = scored("cvqa-mcq/paper", gold)
    assert values == {"accuracy": 0.5}
    assert report["breakdowns"]["pair"]["Japanese - Japan"]["metrics"]["accuracy"]["value"] == 1.0


def test_cvqa_without_options_ranks_their_texts(tmp_path, double, answered, scored):
    double.scores = {"red ミャクミャク": -1, "瓶": -0.5}
    gold = benchmarks.cvqa(tmp_path)
    answered("cvqa", gold, can=("likelihood",), setting="open")
    assert sorted(map(text, double.asks)) == ["写真のキャラクターの名前は?", "这是什么？"]
    assert ["瓶", "碗", "盘", "green 灯"] in [candidates for candidates, _ in double.calls]
    assert scored("cvqa-mcq/paper", gold)[1] == {"accuracy": 0.5}


def test_cvqa_by_embeddings_compares_the_question_with_each_option(tmp_path, double, answered, scored):
    gold = benchmarks.cvqa(tmp_path)
    rows = answered("cvqa", gold, can=("embed",))
    assert "这是什么？ green 灯" in double.asks
    assert [row["Prediction"] for row in rows] == ["B", "D"]
    assert scored("cvqa-mcq/paper", gold)[1] == {"accuracy": 1.0}


def test_cvqa_of_a_model_without_probabilities_is_a_profile_of_its_own(tmp_path, double, answered, scored):
    double.replies = {"Japan": "(B)", "China": "不知道"}
    gold = benchmarks.cvqa(tmp_path)
    answered("cvqa", gold)
    assert scored("cvqa-mcq/generated", gold)[1] == {"accuracy": 0.5}


def test_tcc(tmp_path, double, answered, scored):
    double.replies = {"第1题": "答案：B", "第2题": "答案C", "第3题": "<refused>"}
    gold = benchmarks.tcc(tmp_path)
    rows = answered("tcc", gold)
    assert rows[2] == {"id": "3", "error": "refused"}
    assert double.calls[0][1].temperature == 0
    assert double.calls[0][1].max_tokens == 8192
    assert double.calls[0][1].detail == "low"
    report, values = scored("tcc-mcq/paper", gold)
    assert values == {"accuracy": pytest.approx(1 / 3)}
    assert counts(report) == {"n_expected": 3, "n_scored": 1, "n_unparsable": 1, "n_failed": 1}
    report, values = scored("tcc-mcq/robust", gold)
    assert values == {"accuracy": pytest.approx(2 / 3)}
    assert report["breakdowns"]["domain"]["Diet"]["metrics"]["accuracy"]["value"] == 0.5


def test_tcc_in_english_asks_the_translated_questions_step_by_step(tmp_path, double, answered):
    answered("tcc", benchmarks.tcc(tmp_path), setting="cot", language="en")
    prompt = text(double.asks[0])
    assert "step by step" in prompt
    assert 'Question: "Question 1?"\n(A) "option 1A"' in prompt


def test_cmmu_in_all_rotations(tmp_path, double, answered, scored):
    double.replies = {
        **{f"{letter}. 波": letter for letter in "ABCD"},
        "哪些对": "A和C",
        "光具有": "粒子性",
        "力是": "五十公斤",
    }
    gold = benchmarks.cmmu(tmp_path)
    rows = answered("cmmu", gold, prompt=2)
    assert [(row["id"], row["response"]) for row in rows] == [
        ("physics_1-0", "B"),
        ("physics_1-1", "C"),
        ("physics_1-2", "D"),
        ("physics_1-3", "A"),
        ("history_2-0", "A和C"),
        ("physics_3-0", "粒子性"),
        ("physics_3-1", "五十公斤"),
    ]
    shifts = [text(ask) for ask in double.asks if "光是什么" in text(ask)]
    assert shifts[:2] == [
        "光是什么？\nA. 粒\nB. 波\nC. 热\nD. 声\n请直接回答选项字母。",
        "光是什么？\nA. 声\nB. 粒\nC. 波\nD. 热\n请直接回答选项字母。",
    ]
    assert {(n, d.temperature, d.max_tokens) for n, d in double.calls} == {(5, 0.0, 10), (2, 0.2, 128)}
    report, values = scored("cmmu/fbq-rules", gold)
    assert {name: values[name] for name in ("accuracy", "MCQ", "MRQ", "FBQ")} == {
        "accuracy": 0.75,
        "MCQ": 1.0,
        "MRQ": 1.0,
        "FBQ": 0.5,
    }
    assert counts(report) == {"n_expected": 4, "n_scored": 4}
    assert scored("cmmu/paper", gold)[0]["missing_replies"]["judge_reply"]["n"] == 2


def test_cmmu_by_the_probability_of_letters_keeps_text_for_sets_and_blanks(tmp_path, double, answered):
    double.scores = {"C": -1}
    rows = answered("cmmu", benchmarks.cmmu(tmp_path), can=("generate", "likelihood"), means="likelihood")
    assert [row["response"] for row in rows] == ["C", "C", "C", "C", "", "", ""]


def test_cmmu_step_by_step_asks_a_drawn_sample_of_choices_alone(tmp_path, double, answered):
    rows = answered("cmmu", benchmarks.cmmu(tmp_path), setting="cot", sample=1, seed=3)
    assert [row["id"] for row in rows] == [f"physics_1-{i}" for i in range(4)]
    assert "请逐步分析" in text(double.asks[0])


def test_vistai(tmp_path, double, answered, scored):
    double.replies = {"第1題": "想一想\n答案: A", "第2題": "答案：B", "第3題": "選 D"}
    gold = benchmarks.vistai(tmp_path)
    rows = answered("vistai", gold)
    assert [row["id"] for row in rows] == ["music/1", "physics/2", "music/3"]
    assert "think step by step" in text(double.asks[0])
    assert scored("vistai-mcq/robust", gold)[1] == {"accuracy": pytest.approx((1 / 2 + 1) / 2)}


def test_vistai_dialogues_wait_for_a_judge(tmp_path, double, answered, scored):
    double.replies = {"椅子": "博愛座"}
    gold = benchmarks.vistai_dialogue(tmp_path)
    assert answered("vistai-dialogue", gold) == [{"id": "1298207433180839936", "answer": "博愛座"}]
    assert double.asks[0].messages[0].text == "請問兩種顏色的椅子各自代表什麼？"
    report, _ = scored("vistai-dialogue/robust", gold)
    assert report["missing_replies"]["response"] == {"n": 1, "of": "the judge, whose replies are the rows"}


# --- nothing of the gold reaches the system ---------------------------------------------------------------------------


@pytest.mark.parametrize("suite", benchmarks.VARIED)
def test_the_right_answers_change_nothing_that_is_asked(tmp_path, double, answered, suite):
    can = ("generate", "likelihood")
    gold = benchmarks.of_suite(suite, tmp_path)
    answered(suite, gold, can=can)
    first, double.asks = plain(double.asks), []
    answered(suite, benchmarks.with_other_answers(suite, gold), can=can, out="other.jsonl")
    assert first
    assert plain(double.asks) == first
    assert "GOLD" not in repr(plain(double.asks))


@pytest.mark.parametrize("suite", benchmarks.VARIED)
def test_the_right_answers_change_no_byte_that_is_sent(tmp_path, monkeypatch, double, answered, suite):
    with StandIn(model="m", says=lambda _: "A") as server:
        chat = ChatGenerator(
            ModelServer("own", server.address), "m", lambda _, send: Paid(send(lambda _: None)), parallel=4, seconds=5.0
        )
        monkeypatch.setattr(double, "generate", chat.generate)
        gold = benchmarks.of_suite(suite, tmp_path)
        options = {"prompt": 2} if suite == "cmmu" else {}
        rows = answered(suite, gold, **options)
        first, server.bodies = sorted(server.bodies), []
        assert answered(suite, benchmarks.with_other_answers(suite, gold), out="other.jsonl", **options) == rows
        assert len(first) == len(rows)
        assert sorted(server.bodies) == first
        assert not any(word in body for body in first for word in (b"GOLD", "解析".encode()))


def test_the_right_answers_of_tables_and_dialogues_change_nothing_either(tmp_path, double, answered):
    for right, name in (("BCA", "one"), ("DDD", "two")):
        answered("tcc", benchmarks.tcc(tmp_path, right), out=f"{name}.jsonl")
    asked = plain(double.asks)
    assert asked[:3] == asked[3:]
    assert not re.search(r"解释\d|explanation", repr(asked))
    double.asks = []
    gold, texts = benchmarks.cvlue_dialogue(tmp_path)
    benchmarks.cvlue_pictures(tmp_path / "pictures")
    for name in ("three", "four"):
        answered("dialogue", gold, can=("likelihood",), dialogues=texts, out=f"{name}.jsonl")
        data = json.loads(gold.read_text())["data"]
        benchmarks.array(gold, {"data": [row | {"answer": row["answer_options"][0]} for row in data]})
    asked = plain(double.asks)
    assert asked[:3] == asked[3:]
