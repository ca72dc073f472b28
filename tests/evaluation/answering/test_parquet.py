"""Data sets as model hubs have them: Parquet, with the pictures inside or with their names."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import score
from evaluation.profiles.rows import WrongInput
from tests.evaluation.answering import benchmarks

CVQA_PICTURES = ["5919991144272485961.jpg", "6.jpg"]


def pixels(asks):
    return sorted((ask.messages[0].text, ask.picture.tobytes()) for ask in asks)


@pytest.mark.parametrize("inside", [True, False])
def test_parquet_is_asked_and_scored_as_its_json_lines_are(tmp_path, double, answered, scored, inside):
    double.replies = {"Japan": "B", "China": "A"}
    gold, pictures = benchmarks.cvqa(tmp_path), tmp_path / "pictures"
    rows = answered("cvqa", gold)
    asked, double.asks = pixels(double.asks), []
    report, values = scored("cvqa-mcq/generated", gold)
    assert values == {"accuracy": 0.5}
    table = benchmarks.parquet(gold, pictures, CVQA_PICTURES, inside=inside)
    options = {"pictures": None if inside else pictures}
    assert answered("cvqa", table, out="table.jsonl", **options) == rows
    assert pixels(double.asks) == asked
    again, values = scored("cvqa-mcq/generated", table, "table.jsonl")
    assert values == {"accuracy": 0.5}
    assert (again["n_scored"], again["breakdowns"].keys()) == (report["n_scored"], report["breakdowns"].keys())


def test_pictures_inside_are_unpacked_beside_the_predictions_as_far_as_they_are_asked(tmp_path, double, answered):
    gold = benchmarks.cvqa(tmp_path)
    table = benchmarks.parquet(gold, tmp_path / "pictures", CVQA_PICTURES)
    answered("cvqa", table, pictures=None, limit=1)
    (unpacked,) = (tmp_path / "out.jsonl.pictures").iterdir()
    assert unpacked.read_bytes() == (tmp_path / "pictures" / CVQA_PICTURES[0]).read_bytes()
    double.asks = []
    answered("cvqa", table, pictures=None, limit=1)  # done before: nothing is asked, and the pictures are compared
    assert double.asks == []
    unpacked.write_bytes((tmp_path / "pictures" / CVQA_PICTURES[1]).read_bytes())
    with pytest.raises(SystemExit) as stopped:
        answered("cvqa", table, pictures=None, limit=1)
    assert stopped.value.code == 2


def test_several_questions_of_one_picture_inside_share_it(tmp_path, double, answered, scored):
    gold = benchmarks.cvqa(tmp_path)
    table = benchmarks.parquet(gold, tmp_path / "pictures", CVQA_PICTURES[:1] * 2)
    answered("cvqa", table, pictures=None)
    assert len({ask.picture_key for ask in double.asks}) == 1
    assert len(list((tmp_path / "out.jsonl.pictures").iterdir())) == 1
    report, _ = scored("cvqa-mcq/generated", table)
    assert report["metrics"]["accuracy"]["low"] is None  # one picture has no interval


def test_hidden_labels_in_parquet(tmp_path, double, answered, capsys):
    gold = benchmarks.cvqa(tmp_path, labels=(-1, -1))
    table = benchmarks.parquet(gold, tmp_path / "pictures", CVQA_PICTURES)
    assert len(answered("cvqa", table, pictures=None)) == 2
    assert "2 of 2 questions have no right answer in cvqa.parquet" in capsys.readouterr().err
    with pytest.raises(WrongInput) as refused:
        score(PROFILES["cvqa-mcq/generated"], table, tmp_path / "out.jsonl")
    assert "cvqa.parquet, line 1: expected the right answer of 5919991144272485961_0" in str(refused.value)


def test_examples_from_parquet_have_their_pictures_inside_as_well(tmp_path, double, answered, capsys):
    gold = benchmarks.vistai(tmp_path, answers="AB")
    test = benchmarks.parquet(gold, tmp_path / "pictures", ["1.png", "2.png"])
    dev = benchmarks.vistai(tmp_path, "dev.jsonl", "ABCD", first=11)
    shots = benchmarks.parquet(dev, tmp_path / "pictures", [f"{i}.png" for i in range(11, 15)])
    options = {"setting": "direct", "shots": 2, "pictures": None}
    answered("vistai", test, shots_from=shots, **options)
    assert [len(ask.shots) for ask in double.asks] == [2, 2]
    assert all(shot.size == (64, 48) for ask in double.asks for shot in ask.shots)
    double.asks = []
    leaking = benchmarks.parquet(dev, tmp_path / "pictures", ["1.png", "12.png", "13.png", "14.png"])
    for shots_from, folder, message in (
        (leaking, None, "shots_leak: "),
        (dev, None, "picture_needed: --shots-pictures names the folder of the pictures of dev.jsonl"),
        (shots, tmp_path, "pictures_inside: dev.parquet has its pictures inside; leave out --shots-pictures"),
    ):
        with pytest.raises(SystemExit) as stopped:
            answered("vistai", test, out="b.jsonl", shots_from=shots_from, shots_pictures=folder, **options)
        assert stopped.value.code == 2
        assert message in capsys.readouterr().err
    with pytest.raises(SystemExit):
        answered("vistai", test, out="b.jsonl")
    message = "pictures_inside: test.parquet has its pictures inside; leave out --pictures"
    assert message in capsys.readouterr().err
    assert double.asks == []


def test_parquet_that_cannot_be_read(tmp_path, double, answered, capsys):
    gold = benchmarks.cvqa(tmp_path)
    table = benchmarks.parquet(gold, tmp_path / "pictures", CVQA_PICTURES)
    table.write_bytes(table.read_bytes()[:-20])
    with pytest.raises(SystemExit) as stopped:
        answered("cvqa", table, pictures=None)
    assert stopped.value.code == 2
    assert "cvqa.parquet: expected Parquet that can be read (ArrowInvalid)" in capsys.readouterr().err


def test_predictions_are_never_parquet(tmp_path):
    gold = benchmarks.cvqa(tmp_path)
    file = tmp_path / "out.parquet"
    pq.write_table(
        pa.Table.from_pylist([{"id": json.loads(line)["ID"], "response": "A"} for line in gold.open()]), file
    )
    with pytest.raises(WrongInput):
        score(PROFILES["cvqa-mcq/generated"], gold, file)
