"""Files of hidden splits, without right answers: they are asked as the others, never shown as examples, not scored."""

import json

import pytest

from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import score
from evaluation.profiles.rows import WrongInput
from evaluation.suites.rules import SUITES
from tests.evaluation.answering import benchmarks
from tests.evaluation.answering.double import plain, text

REASON = "a file that withholds right answers can be answered, not scored"


def refusals(suite, gold, out):
    """What each profile of a suite says of a gold file."""
    for name in SUITES[suite].profiles:
        with pytest.raises(WrongInput) as refused:
            score(PROFILES[name], gold, out)
        yield str(refused.value)


@pytest.mark.parametrize(
    ("suite", "questions", "first"),
    [("vqa", 3, "66376"), ("grounding", 3, "1"), ("cvqa", 2, "5919991144272485961_0"), ("vistai", 3, "music/1")],
)
def test_a_file_without_right_answers_is_asked_and_not_scored(
    tmp_path, double, answered, capsys, suite, questions, first
):
    gold = benchmarks.of_suite(suite, tmp_path)
    can = ("generate", "likelihood")
    rows = answered(suite, gold, can=can)
    assert "manage.py score" in capsys.readouterr().out
    asked, double.asks = plain(double.asks), []
    benchmarks.with_other_answers(suite, gold, benchmarks.WITHHELD)
    assert answered(suite, gold, can=can, out="hidden.jsonl") == rows
    assert plain(double.asks) == asked
    out, err = capsys.readouterr()
    assert out == ""
    assert (
        f"{questions} of {questions} questions have no right answer in {gold.name}: manage.py score refuses it" in err
    )
    place = f"{gold.name}, line 1: expected the right answer of {first}; {REASON}"
    assert set(refusals(suite, gold, tmp_path / "hidden.jsonl")) == {place}


def test_cmmu_without_right_answers_has_a_question_for_each_shift_set_and_blank(tmp_path, double, answered, capsys):
    gold = benchmarks.cmmu(tmp_path)
    rows = answered("cmmu", gold, prompt=2)
    asked, double.asks = plain(double.asks), []
    benchmarks.with_other_answers("cmmu", gold, benchmarks.WITHHELD)
    assert answered("cmmu", gold, prompt=2, out="hidden.jsonl") == rows
    assert plain(double.asks) == asked
    assert "7 of 7 questions have no right answer in cmmu.jsonl" in capsys.readouterr().err
    assert {refusal.split("; ")[1] for refusal in refusals("cmmu", gold, tmp_path / "hidden.jsonl")} == {REASON}


def test_tables_and_dialogues_without_right_answers(tmp_path, double, answered):
    rows = answered("tcc", benchmarks.tcc(tmp_path))
    hidden = benchmarks.tcc(tmp_path, ["", " ", ""])
    assert answered("tcc", hidden, out="hidden.jsonl") == rows
    assert {refusal.split("; ")[1] for refusal in refusals("tcc", hidden, tmp_path / "hidden.jsonl")} == {REASON}
    gold, texts = benchmarks.cvlue_dialogue(tmp_path)
    benchmarks.cvlue_pictures(tmp_path / "pictures")
    rows = answered("dialogue", gold, can=("likelihood",), dialogues=texts, out="dialogue.jsonl")
    data = json.loads(gold.read_text())["data"]
    benchmarks.array(gold, {"data": [{n: v for n, v in row.items() if n != "answer"} for row in data]})
    assert answered("dialogue", gold, can=("likelihood",), dialogues=texts, out="hidden-dialogue.jsonl") == rows
    (first, _) = refusals("dialogue", gold, tmp_path / "dialogue.jsonl")
    assert first == f"gold.json, line 1: expected the right answer of 7#1; {REASON}"


def test_a_row_without_its_right_answer_among_others(tmp_path, double, answered, capsys):
    gold = benchmarks.vistai(tmp_path, answers=["A", "", "C"])
    assert len(answered("vistai", gold)) == 3
    assert "1 of 3 questions have no right answer in test.jsonl" in capsys.readouterr().err
    assert all("line 2: expected the right answer of physics/2" in r for r in refusals("vistai", gold, gold))
    capsys.readouterr()
    answered("vistai", gold, limit=1, out="first.jsonl")
    assert "no right answer" not in capsys.readouterr().err


def test_a_row_without_its_right_answer_is_no_example(tmp_path, double, answered, capsys):
    gold = benchmarks.vistai(tmp_path)
    dev = benchmarks.vistai(tmp_path, "dev.jsonl", ["A", "B", "", "D", "C", ""], first=11)
    options = {"setting": "direct", "shots_from": dev}
    answered("vistai", gold, shots=2, **options)
    shown = {message.text for ask in double.asks for message in ask.messages[:-1]}
    assert any("第11題" in text for text in shown)
    assert not any("第13題" in text or "第16題" in text for text in shown)
    with pytest.raises(SystemExit) as stopped:
        answered("vistai", gold, shots=3, out="more.jsonl", **options)
    assert stopped.value.code == 2
    assert "3 examples of music are needed, the file has 2 with a right answer" in capsys.readouterr().err


def test_the_file_of_test_dialogues_is_its_own_gold(tmp_path, double, answered, capsys):
    double.scores = {"在吃竹子": -1, "红色": -2}
    gold, texts = benchmarks.cvlue_dialogue(tmp_path)
    benchmarks.cvlue_pictures(tmp_path / "pictures")
    rows = answered("dialogue", gold, can=("likelihood",), dialogues=texts)
    asked, double.asks = [text(ask) for ask in double.asks], []
    capsys.readouterr()
    # Of the first dialog only the second round is without an answer.
    open_rounds = answered("dialogue", texts, can=("likelihood",), dialogues=texts, out="open.jsonl")
    assert open_rounds == [rows[1], rows[2]]
    assert sorted(text(ask) for ask in double.asks) == sorted(asked[1:])
    assert "2 of 2 questions have no right answer in dialogs.json" in capsys.readouterr().err


def test_a_file_of_dialogues_that_are_all_answered_asks_nothing(tmp_path, double, answered, capsys):
    _, texts = benchmarks.cvlue_dialogue(tmp_path)
    content = json.loads(texts.read_text())
    for dialog in content["dialogs"]:
        dialog["dialog"][-1]["answer"] = 1
    benchmarks.array(texts, content)
    with pytest.raises(SystemExit):
        answered("dialogue", texts, can=("likelihood",), dialogues=texts)
    assert "nothing_to_ask: dialogs.json" in capsys.readouterr().err
    assert double.asks == []


def test_the_lists_of_pictures_and_captions_of_the_test_split(tmp_path, double, answered, capsys):
    gold = benchmarks.cvlue_retrieval(tmp_path)
    folder = benchmarks.cvlue_pictures(tmp_path / "pictures")
    rows = answered("retrieval", gold, can=("embed",), pictures=folder)
    capsys.readouterr()
    images = benchmarks.array(tmp_path / "images.json", [benchmarks.PANDA, benchmarks.SUONA])
    captions = benchmarks.array(tmp_path / "captions.json", ["red one", "red two", "green one", "red and blue"])
    options = {"can": ("embed",), "pictures": folder, "captions": captions}
    hidden = answered("retrieval", images, out="hidden.jsonl", **options)
    assert sorted(hidden, key=lambda row: row["id"]) == sorted(rows, key=lambda row: row["id"])
    assert [row["id"] for row in hidden[:2]] == [benchmarks.PANDA, benchmarks.SUONA]
    assert "6 of 6 questions have no right answer in images.json" in capsys.readouterr().err
    assert answered("retrieval", images, out="hidden.jsonl", **options) == hidden


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ([], {}, "nothing_to_rank: "),
        (["red one"], {"limit": 1}, "nothing_to_rank: "),
        ([1], {}, "captions.json: expected a JSON list of texts"),
        ({"a": 1}, {}, "captions.json: expected a JSON list of texts"),
        (["red one", "red one"], {}, ""),
    ],
)
def test_lists_that_cannot_be_searched(tmp_path, double, answered, capsys, content, options, message):
    images = benchmarks.array(tmp_path / "images.json", [benchmarks.PANDA])
    captions = benchmarks.array(tmp_path / "captions.json", content)
    benchmarks.cvlue_pictures(tmp_path / "pictures")
    if message == "":  # captions of two pictures are one query
        assert len(answered("retrieval", images, can=("embed",), captions=captions)) == 2
        assert "2 of 2 questions have no right answer" in capsys.readouterr().err
        return
    with pytest.raises(SystemExit) as stopped:
        answered("retrieval", images, can=("embed",), captions=captions, **options)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
    assert double.asks == []


def test_captions_are_for_retrieval_alone(tmp_path, double, answered, capsys):
    gold = benchmarks.vistai(tmp_path)
    with pytest.raises(SystemExit):
        answered("vistai", gold, captions=gold)
    assert "captions_not_for_suite: vistai searches no captions; leave out --captions" in capsys.readouterr().err
    assert double.asks == []
