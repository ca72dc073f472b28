"""CVLUE's files of dialogues: training with answers and candidates, the test without answers, the key apart."""

import json

import pytest

from annotation.releases.exporters import registry
from annotation.releases.exporters.base import Whole
from annotation.releases.rules import dialogues, scored_round, text_id
from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import score
from evaluation.profiles.rows import rows
from evaluation.suites.rules import read_dialogues
from tests.annotation.releases.exporters.generated import Generated, facts, texts, write

NAMES = ["cvlue-vd-train.json", "cvlue-vd-valid.json", "cvlue-vd-test.json", "cvlue-vd-test-gold.json"]
ANSWERS = {f"第{i}样是灯{n * i % 30}。" for n in range(1, 11) for i in range(1, 11)}


def read(withheld=("test",), items=10):
    written = texts("cvlue_published", Generated(facts("dialogue", items, withheld=withheld)))
    return {name: json.loads(text) for name, text in written.items()}


def question(n, i):
    return f"第{n}张图片里的第{i}样东西是什么？"


def answer(n, i):
    return f"第{i}样是灯{n * i % 30}。"


def test_training_has_every_answer_and_a_hundred_candidates_or_all_there_are():
    files = read()
    assert list(files) == [*NAMES, "cvlue-vd-id2question.json", "cvlue-vd-id2answer.json"]
    first = files["cvlue-vd-train.json"][0]
    assert {name: first[name] for name in ("image_id", "image", "caption")} == {
        "image_id": 1,
        "image": "images/train/A/1-panda/A-1-1.png",
        "caption": "第1张图片里有灯",
    }
    assert [(one["question"], one["answer"]) for one in first["dialog"]] == [
        (text_id(question(1, i)), text_id(answer(1, i))) for i in range(1, 11)
    ]
    own = {answer(n, i) for n in range(1, 7) for i in range(1, 11)}  # of the split
    sizes = {len(one["answer_options"]) for row in files["cvlue-vd-train.json"] for one in row["dialog"]}
    assert sizes == {len(own)} == {56}
    for row in files["cvlue-vd-train.json"]:
        for one in row["dialog"]:
            assert one["answer"] in one["answer_options"]
            assert len(set(one["answer_options"])) == 56
    large = read(items=40)
    assert {len(one["answer_options"]) for row in large["cvlue-vd-train.json"] for one in row["dialog"]} == {100}


def test_texts_are_those_of_the_open_splits_by_number():
    files = read()
    open_ = [(n, i) for n in range(1, 8) for i in range(1, 11)]  # training and validation
    assert files["cvlue-vd-id2question.json"] == {str(text_id(question(*at))): question(*at) for at in open_}
    assert files["cvlue-vd-id2answer.json"] == {str(text_id(answer(*at))): answer(*at) for at in open_}
    named = {one for row in files["cvlue-vd-train.json"] for turn in row["dialog"] for one in turn["answer_options"]}
    assert {str(one) for one in named} <= files["cvlue-vd-id2answer.json"].keys()


def test_the_test_ends_with_the_scored_question_and_has_no_answer_to_it():
    files = read()
    test = files["cvlue-vd-test.json"]
    assert list(test) == ["dialogs", "id2question", "id2answer"]
    for n, row in zip((8, 9, 10), test["dialogs"], strict=True):
        number = scored_round(0, n, 10)
        assert (row["image_id"], row["caption"], len(row["dialog"])) == (n, f"第{n}张图片里有灯", number)
        *earlier, last = row["dialog"]
        assert earlier == [
            {"question": text_id(question(n, i)), "answer": text_id(answer(n, i))} for i in range(1, number)
        ]
        assert last.keys() == {"question", "answer_options"}
        assert last["question"] == text_id(question(n, number))
        said = {test["id2answer"][str(one)] for one in last["answer_options"]}
        assert said == ANSWERS  # of all splits; there are fewer than a hundred
        assert len(last["answer_options"]) == len(ANSWERS)
        assert answer(n, number) in said
        # Nothing of later rounds.
        assert not {question(n, i) for i in range(number + 1, 11)} & set(test["id2question"].values())


@pytest.mark.parametrize("withheld", [("test",), ()])
def test_right_answers_are_a_file_of_their_own_and_a_key_where_they_are_withheld(withheld):
    files, about = read(withheld), facts("dialogue", 10, withheld=withheld)
    gold = files["cvlue-vd-test-gold.json"]["data"]
    assert gold == [
        {
            "image_id": n,
            "image": f"images/test/A/1-panda/A-1-{n}.png",
            "caption": f"第{n}张图片里有灯",
            "dialog_id": scored_round(0, n, 10),
            "question": text_id(question(n, scored_round(0, n, 10))),
            "answer_options": row["dialog"][-1]["answer_options"],
            "answer": text_id(answer(n, scored_round(0, n, 10))),
        }
        for n, row in zip((8, 9, 10), files["cvlue-vd-test.json"]["dialogs"], strict=True)
    ]
    written = [job.file for job in registry.work(["cvlue_published"], Whole.of(about))]
    keys = {file.name for file in written if file.is_key}
    assert keys == ({"cvlue-vd-test-gold.json", "dialogue-test-key.jsonl"} if withheld else set())


def test_no_public_file_depends_on_which_answer_of_the_test_is_right(tmp_path, monkeypatch):
    """Two dialogues that differ in nothing but their scored answers, which change places, have the same public files.

    The seed of the candidates follows from all answers, so it is held fixed here.
    """

    class Changed(Generated):
        def _rounds(self, ordinal):
            made = super()._rounds(ordinal)
            if ordinal in (8, 9):
                at, other = scored_round(0, ordinal, 10), 17 - ordinal
                made[at - 1]["answer"] = answer(other, scored_round(0, other, 10))
            return made

    monkeypatch.setattr(dialogues, "_secret", lambda seed, turns: "fixed")
    about, formats = facts("dialogue", 10, withheld=["test"]), ["jsonl", "parquet", "csv", "cvlue_published"]
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder, content in zip(folders, (Generated(about), Changed(about)), strict=True):
        folder.mkdir()
        write(folder, content, formats, always=False)
    changed = {path.name for path in folders[0].iterdir() if path.read_bytes() != (folders[1] / path.name).read_bytes()}
    assert changed == {"cvlue-vd-test-gold.json"}


def test_public_records_of_the_test_end_with_the_scored_question():
    files = texts("jsonl", Generated(facts("dialogue", 10, withheld=["test"])))
    records = [json.loads(line) for line in files["dialogue-test.jsonl"].splitlines()]
    for n, record in zip((8, 9, 10), records, strict=True):
        number = scored_round(0, n, 10)
        assert record["scored_round"] == len(record["rounds"]) == number
        assert record["rounds"][-1] == {"question": question(n, number), "answer": ""}
        assert [one["answer"] for one in record["rounds"][:-1]] == [answer(n, i) for i in range(1, number)]
        assert set(record["candidates"]) == ANSWERS
    training = [json.loads(line) for line in files["dialogue-train.jsonl"].splitlines()]
    assert {(one["scored_round"], len(one["rounds"]), *one["candidates"]) for one in training} == {(0, 10)}
    assert training[0]["caption"] == "第1张图片里有灯"
    table = texts("csv", Generated(facts("dialogue", 10)))["dialogue-test.csv"].splitlines()[0]
    assert ("caption,scored_round,no,question,answer" in table, "candidates" in table) == (True, False)


def test_the_gold_gets_full_marks_and_the_texts_are_read_for_answering(tmp_path):
    write(tmp_path, Generated(facts("dialogue", 40, withheld=["test"])), ["cvlue_published"])
    gold, answers = tmp_path / "cvlue-vd-test-gold.json", tmp_path / "answers.json"
    filled = [
        {name: row.fields[name] for name in ("image_id", "image", "dialog_id", "question")}
        | {
            "answer_sort": [
                row.fields["answer"],
                *(one for one in row.fields["answer_options"] if one != row.fields["answer"]),
            ]
        }
        for row in rows(gold)
    ]
    assert {len(row["answer_sort"]) for row in filled} == {100}
    answers.write_text(json.dumps(filled), encoding="utf-8")
    values = {
        name: {metric: one["value"] for metric, one in score(PROFILES[name], gold, answers)["metrics"].items()}
        for name in ("cvlue-vd/official", "cvlue-vd/full")
    }
    recalls = {"R@1": 1.0, "R@5": 1.0, "R@10": 1.0}
    assert values == {"cvlue-vd/official": recalls, "cvlue-vd/full": recalls | {"MRR": 1.0, "mean rank": 1.0}}
    asked = read_dialogues(tmp_path / "cvlue-vd-test.json")
    assert [row.fields["dialog_id"] for row in asked.open] == [row["dialog_id"] for row in filled]
    number = filled[0]["dialog_id"]
    assert asked.history("29", number) == [(question(29, i), answer(29, i)) for i in range(1, number)]


def test_the_card_says_how_candidates_were_made_and_how_many_there_are():
    card = texts("card", Generated(facts("dialogue", 40, withheld=["test"])))["README.md"]
    assert "Scored questions: 12. Candidates of each: 100." in card
    assert "fewer than 100" not in card
    assert "up to\n49 answers to the most similar" in card
    few = texts("card", Generated(facts("dialogue", 10, withheld=["test"])))["README.md"]
    assert f"Scored questions: 3. Candidates of each: {len(ANSWERS)}." in few
    assert "The dialogues have fewer than 100 different answers" in few
    assert "Scored rounds" not in texts("card", Generated(facts("vqa", 10)))["README.md"]
