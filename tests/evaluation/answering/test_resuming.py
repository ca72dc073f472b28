"""A run goes on after any kill, in the same setting only, and its file is the one of an undisturbed run."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

from evaluation.answering.rules.journal import Journal, write_whole
from evaluation.answering.rules.refusal import AnswerRefused
from evaluation.answering.services import systems
from tests.evaluation.answering import benchmarks
from tests.evaluation.answering.double import record

PROCESS = Path(__file__).with_name("process.py")


def start(folder, out, *more):
    command = [sys.executable, str(PROCESS), str(folder / f"{out}.asked"), str(folder / "generate.yaml"), "tcc"]
    command += ["--gold", str(folder / "VQA1.csv"), "--pictures", str(folder / "pictures"), "--out", str(folder / out)]
    clean = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    return subprocess.Popen([*command, "--batch", "2", *more], env=clean, stderr=subprocess.PIPE, text=True)


def written(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


@pytest.mark.system
def test_a_killed_run_ends_in_the_same_bytes_as_an_undisturbed_one(tmp_path):
    benchmarks.tcc(tmp_path, "ABCDABCDABCDABCDABCDABCD")
    record(tmp_path, "generate")
    whole = start(tmp_path, "whole.jsonl")
    assert whole.wait(120) == 0, whole.stderr.read()
    kills = 0
    for lines in (2, 4, 7, 9):
        run = start(tmp_path, "killed.jsonl")
        journal = tmp_path / "killed.jsonl.journal"
        while written(journal) < lines and run.poll() is None:
            time.sleep(0.005)
        run.send_signal(signal.SIGKILL)
        assert run.wait() == -signal.SIGKILL
        assert not (tmp_path / "killed.jsonl").exists()
        kills += 1
        if kills == 2:  # as if the kill had come in the middle of a line
            with journal.open("r+b") as file:
                file.truncate(journal.stat().st_size - 20)
    last = start(tmp_path, "killed.jsonl")
    assert last.wait(120) == 0, last.stderr.read()
    assert (tmp_path / "killed.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    # A kill repeats one chunk at most: two questions, and the chunk whose line was cut off by hand.
    asked = (tmp_path / "killed.jsonl.asked").read_text().splitlines()
    assert len(set(asked)) == 24
    assert len(asked) <= 24 + 2 * kills + 2
    again = start(tmp_path, "killed.jsonl")
    assert again.wait(120) == 0
    assert (tmp_path / "killed.jsonl.asked").read_text().splitlines() == asked  # nothing is asked twice


def test_another_setting_is_refused_by_name(tmp_path, answered, capsys):
    gold = benchmarks.tcc(tmp_path)
    answered("tcc", gold)
    for changed, named in (
        ({"seed": 5}, "setting.seed was 0, is 5"),
        ({"temperature": 0.7}, "setting.decodings..temperature was 0.0, is 0.7"),
        ({"setting": "cot"}, "setting.name was direct, is cot"),
        ({"scale": Fraction(1, 2)}, "setting.picture was ['1', 'Lanczos'], is ['1/2', 'Lanczos']"),
    ):
        with pytest.raises(SystemExit) as stopped:
            answered("tcc", gold, **changed)
        assert stopped.value.code == 2
        said = capsys.readouterr().err
        assert "setting_differs: " in said
        assert named in said
        assert "digest" not in said
    benchmarks.tcc(tmp_path, "DDD")
    with pytest.raises(SystemExit):
        answered("tcc", gold)
    assert "gold was " in capsys.readouterr().err


def test_other_pictures_under_the_same_names_are_refused(tmp_path, answered, capsys):
    gold = benchmarks.vistai(tmp_path)
    dev = benchmarks.vistai(tmp_path, "dev.jsonl", "ABCD", first=11)
    options = {"setting": "direct", "shots": 1, "shots_from": dev, "seed": 2}
    rows = answered("vistai", gold, **options)
    assert answered("vistai", gold, **options) == rows
    keys = json.loads((tmp_path / "out.jsonl.journal").read_text().splitlines()[0])["setting"]["shots"]["keys"]
    for name in ("2", keys[0].split("/")[1]):  # one that is asked, and one of an example
        file = tmp_path / "pictures" / f"{name}.png"
        content = file.read_bytes()
        benchmarks.picture(file, (200, 200, 200), (64, 48))
        with pytest.raises(SystemExit) as stopped:
            answered("vistai", gold, **options)
        assert stopped.value.code == 2
        said = capsys.readouterr().err
        assert "setting_differs: " in said
        assert "pictures was " in said
        file.write_bytes(content)
    assert answered("vistai", gold, **options) == rows


def test_another_number_type_route_or_version_is_refused(tmp_path, answered, double, capsys, monkeypatch):
    gold = benchmarks.tcc(tmp_path)
    options = {"can": ("generate", "likelihood"), "means": "likelihood", "batch": 1}
    facts = {"device": "one", "dtype": "bfloat16", "route": "packed", "halved": False}
    monkeypatch.setattr(double, "describe", lambda: dict(facts))
    monkeypatch.setattr(systems, "version", lambda _: "1.0")
    rows = answered("tcc", gold, **options)
    journal, out = tmp_path / "out.jsonl.journal", tmp_path / "out.jsonl"
    whole = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(whole[:2]))
    out.unlink()
    double.asks.clear()

    def refused():
        with pytest.raises(SystemExit) as stopped:
            answered("tcc", gold, **options)
        assert stopped.value.code == 2
        assert not double.asks
        return capsys.readouterr().err

    for name, other in (("dtype", "float32"), ("route", "cached")):
        before, facts[name] = facts[name], other
        assert f"ranker.{name} was {before}, is {other}" in refused()
        facts[name] = before
    with monkeypatch.context() as patch:
        patch.setattr(systems, "version", lambda _: "2.0")
        assert "(packages.numpy was 1.0, is 2.0)" in refused()
    facts |= {"device": "two", "halved": True}
    assert answered("tcc", gold, **options) == rows


def test_a_file_that_another_program_wrote_is_not_replaced(tmp_path, answered, capsys):
    (tmp_path / "out.jsonl").write_text("mine\n")
    with pytest.raises(SystemExit):
        answered("tcc", benchmarks.tcc(tmp_path))
    assert "out_exists: " in capsys.readouterr().err
    assert (tmp_path / "out.jsonl").read_text() == "mine\n"


def test_a_second_process_does_not_write_the_same_journal(tmp_path):
    first = Journal(tmp_path / "j", {"suite": "tcc"})
    with pytest.raises(AnswerRefused) as refused:
        Journal(tmp_path / "j", {"suite": "tcc"})
    assert refused.value.code == "already_running"
    first.close()
    Journal(tmp_path / "j", {"suite": "tcc"}).close()


@pytest.mark.parametrize("content", [b"my notes\n", b"[1, 2]\n", b'{"chunk": 0}\n{"chunk": 0}\n', b"\0" * 100])
def test_a_file_that_is_no_journal_stays(tmp_path, answered, double, capsys, content):
    journal = tmp_path / "out.jsonl.journal"
    journal.write_bytes(content)
    with pytest.raises(SystemExit) as stopped:
        answered("tcc", benchmarks.tcc(tmp_path))
    assert stopped.value.code == 2
    assert f"out_exists: {journal} is there and is no journal" in capsys.readouterr().err
    assert (journal.read_bytes(), double.asks) == (content, [])


@pytest.mark.parametrize("line", [b"notes\n", b'{"chunk": 9}\n', b"\xff\n", b'{"a":' * 100_000 + b"\n", b"\n"])
def test_a_journal_that_was_changed_keeps_what_was_paid_for(tmp_path, answered, double, capsys, line):
    gold = benchmarks.tcc(tmp_path)
    rows = answered("tcc", gold, batch=1)
    journal = tmp_path / "out.jsonl.journal"
    whole = journal.read_bytes()
    lines = whole.splitlines(keepends=True)
    damaged = b"".join([*lines[:2], line, *lines[3:]])
    journal.write_bytes(damaged)
    double.asks.clear()
    with pytest.raises(SystemExit) as stopped:
        answered("tcc", gold, batch=1)
    assert stopped.value.code == 2
    assert f"journal_damaged: {journal}, line 3, is not what was written" in capsys.readouterr().err
    assert (journal.read_bytes(), double.asks) == (damaged, [])
    journal.write_bytes(whole)
    assert answered("tcc", gold, batch=1) == rows


@pytest.mark.parametrize(
    "change",
    [
        lambda chunk: chunk["answers"][0].update(key="another"),
        lambda chunk: chunk["answers"][0].pop("key"),
        lambda chunk: chunk["answers"].append(chunk["answers"][0]),
        lambda chunk: chunk["answers"].clear(),
        lambda chunk: chunk.pop("answers"),
        lambda chunk: chunk.update(answers=["A"]),
        lambda chunk: chunk.update(of="pictures"),
    ],
)
def test_a_journal_with_answers_to_other_questions_keeps_what_was_paid_for(tmp_path, answered, double, capsys, change):
    gold = benchmarks.tcc(tmp_path)
    answered("tcc", gold, batch=1)
    journal = tmp_path / "out.jsonl.journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    chunk = json.loads(lines[2])
    change(chunk)
    damaged = b"".join([*lines[:2], json.dumps(chunk).encode() + b"\n", *lines[3:]])
    journal.write_bytes(damaged)
    double.asks.clear()
    with pytest.raises(SystemExit) as stopped:
        answered("tcc", gold, batch=1)
    assert stopped.value.code == 2
    assert f"journal_damaged: {journal}, line 3, is not what was written" in capsys.readouterr().err
    assert (journal.read_bytes(), double.asks) == (damaged, [])


@pytest.mark.parametrize("short", [1, 40, 300])
def test_a_full_disk_stops_it_with_the_reason_and_it_goes_on_to_the_same_bytes(
    tmp_path, answered, double, capsys, short
):
    gold = benchmarks.tcc(tmp_path)
    answered("tcc", gold, batch=1)
    whole = {name: (tmp_path / name).read_bytes() for name in ("out.jsonl", "out.jsonl.journal")}
    for name in whole:
        (tmp_path / name).unlink()
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    limit = len(whole["out.jsonl.journal"]) - short
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        with pytest.raises(SystemExit) as stopped:
            answered("tcc", gold, batch=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert stopped.value.code == 2
    message = capsys.readouterr().err
    assert "out_not_writable: " in message
    assert "(File too large); the same command goes on once it can" in message
    assert not (tmp_path / "out.jsonl").exists()
    written = (tmp_path / "out.jsonl.journal").read_bytes()
    assert written == whole["out.jsonl.journal"][:limit]
    double.asks.clear()
    answered("tcc", gold, batch=1)
    assert (tmp_path / "out.jsonl").read_bytes() == whole["out.jsonl"]
    kept = [json.loads(line)["answers"] for line in written.split(b"\n")[1:-1]]
    assert len(double.asks) == 3 - sum(map(len, kept))


def test_predictions_that_cannot_be_written_leave_no_part(tmp_path):
    (tmp_path / "out.jsonl").mkdir()
    with pytest.raises(AnswerRefused) as refused:
        write_whole(tmp_path / "out.jsonl", iter(["a\n"]))
    assert refused.value.code == "out_not_writable"
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


@pytest.mark.parametrize("cut", range(0, 70, 3))
def test_a_journal_cut_anywhere_keeps_its_whole_lines(tmp_path, cut):
    path = tmp_path / "j"
    journal = Journal(path, {"suite": "tcc"})
    for i in range(3):
        journal.append([{"key": str(i), "text": "答案"}])
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - cut])
    journal = Journal(path, {"suite": "tcc"})
    assert journal.done == whole[: len(whole) - cut].count(b"\n") - 1
    for i in range(journal.done, 3):
        journal.append([{"key": str(i), "text": "答案"}])
    journal.close()
    assert path.read_bytes() == whole


def test_the_journal_names_everything_that_decides_on_the_answers(tmp_path, answered):
    answered("tcc", benchmarks.tcc(tmp_path))
    header, first = map(json.loads, (tmp_path / "out.jsonl.journal").read_text().splitlines())
    assert first["system"]["generator"] == {"double": True}
    assert list(first["system"]["packages"]) == ["numpy"]
    assert header["system"]["slug"] == "double"
    assert len(header["system"]["files"]) == len(header["gold"]) == len(header["digest"]) == 64
    assert header["setting"]["prompts"][""][:3] == ["tcc-direct", "zh-Hans", 1]


def test_the_journal_says_what_changes_after_the_first_chunk(tmp_path, answered, double, monkeypatch):
    monkeypatch.setattr(double, "describe", lambda: {"halved": len(double.asks) > 2})
    answered("tcc", benchmarks.tcc(tmp_path, "ABCDAB"), batch=1)
    _, *chunks = map(json.loads, (tmp_path / "out.jsonl.journal").read_text().splitlines())
    described = [chunk["system"]["generator"]["halved"] if "system" in chunk else None for chunk in chunks]
    assert described[:2] == [False, True]
    assert set(described[2:]) == {None} != set()
