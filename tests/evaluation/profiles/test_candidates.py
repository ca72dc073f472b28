"""Candidate answers: a hundred, all different, drawn the same way again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from evaluation.profiles.candidates import SIZE, TooFewAnswers, Turn, candidate_sets

TURNS = [
    Turn(
        f"t{i}",
        f"p{i // 10}",
        f"图中有{i % 40}只{'狗猫鸟马'[i % 4]}吗？",
        "是" if i % 3 == 0 else f"有{i}只，𠮷{i % 7}",
    )
    for i in range(400)
]


def test_a_hundred_different_texts_with_the_right_one_at_its_place() -> None:
    made = list(candidate_sets(TURNS, seed=1))
    assert [one.id for one in made] == [turn.id for turn in TURNS]
    for turn, one in zip(TURNS, made, strict=True):
        assert len(set(one.candidates)) == len(one.candidates) == SIZE
        assert one.candidates[one.gold] == turn.answer
    # The most frequent answer is among the popular ones of every set.
    assert all("是" in one.candidates for one in made)
    assert len({one.gold for one in made}) > 60


def test_plausible_answers_come_from_similar_questions_about_other_pictures() -> None:
    turns = [Turn("asked", "p", "瓶子是什么颜色？", "红"), Turn("own", "p", "瓶子是什么颜色的？", "自家的答案")]
    turns += [Turn(f"near{i}", f"q{i}", f"瓶子是什么颜色{'呢呀啊'[i % 3]}？", f"近{i}") for i in range(3)]
    turns += [Turn(f"far{i}", f"r{i}", f"有{i}个人在跑步", f"远{i}") for i in range(300)]
    for seed in range(5):
        found = set(next(iter(candidate_sets(turns, seed=seed))).candidates)
        assert {"近0", "近1", "近2"} <= found


def test_the_same_seed_gives_the_same_sets_whoever_else_is_asked() -> None:
    assert list(candidate_sets(TURNS, seed=1)) == list(candidate_sets(TURNS, seed=1))
    assert list(candidate_sets(TURNS, seed=1)) != list(candidate_sets(TURNS, seed=2))


def test_fewer_than_a_hundred_answers_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(TooFewAnswers, match="67 different answers"):
        next(candidate_sets(TURNS[:100], seed=1))
    turns = tmp_path / "turns.jsonl"
    turns.write_text("".join(json.dumps(turn._asdict()) + "\n" for turn in TURNS[:100]))
    with pytest.raises(SystemExit) as stopped:
        call_command("candidates", turns=turns, seed=1, out=tmp_path / "out.jsonl")
    assert stopped.value.code == 2
    assert "100 are needed" in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


def test_the_command_writes_one_set_a_line(tmp_path: Path) -> None:
    turns = tmp_path / "turns.jsonl"
    turns.write_text("".join(json.dumps(turn._asdict(), ensure_ascii=False) + "\n" for turn in TURNS))
    call_command("candidates", turns=turns, seed=1, out=tmp_path / "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_text().splitlines()
    assert len(lines) == len(TURNS)
    first = json.loads(lines[0])
    assert (first["id"], first["candidates"][first["gold"]]) == ("t0", "是")
