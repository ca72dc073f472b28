"""Candidate answers: a hundred, all different, drawn the same way again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.releases.rules.candidates import (
    PLAUSIBLE,
    POPULAR,
    SIZE,
    TooFewAnswers,
    Turn,
    candidate_sets,
    draw_candidates,
    require_answers,
    says,
)

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


def test_each_sort_has_its_number_and_random_ones_fill_up() -> None:
    answers = {turn.answer for turn in TURNS}
    for turn, (name, drawn) in zip(TURNS, draw_candidates(TURNS, seed=1), strict=True):
        assert (name, drawn.right) == (turn.id, turn.answer)
        assert len(set(drawn.every)) == len(drawn.every) == SIZE
        # Only 39 other questions are there; popular ones that are plausible or right are not repeated.
        assert 30 <= len(drawn.plausible) <= 39
        assert len(drawn.popular) <= POPULAR
        assert len(drawn.random) == SIZE - 1 - len(drawn.plausible) - len(drawn.popular)
        assert set(drawn.every) <= answers
    many = [Turn(f"m{i}", f"p{i}", f"第{i}个人手里拿着什么？", f"他拿着第{i}样东西。") for i in range(300)]
    for _, drawn in draw_candidates(many, seed=1):
        assert len(drawn.plausible) == PLAUSIBLE
        assert len(drawn.popular) + len(drawn.random) == SIZE - 1 - PLAUSIBLE
        assert len(drawn.popular) >= POPULAR - PLAUSIBLE


def test_plausible_answers_come_from_similar_questions_about_other_pictures() -> None:
    turns = [Turn("asked", "p", "瓶子是什么颜色？", "红"), Turn("own", "p", "瓶子是什么颜色的？", "自家的答案")]
    turns += [Turn(f"near{i}", f"q{i}", f"瓶子是什么颜色{'呢呀啊'[i % 3]}？", f"近{i}") for i in range(3)]
    turns += [Turn(f"far{i}", f"r{i}", f"有{i}个人在跑步", f"远{i}") for i in range(300)]
    for seed in range(5):
        found = set(next(iter(candidate_sets(turns, seed=seed))).candidates)
        assert {"近0", "近1", "近2"} <= found
        _, drawn = next(draw_candidates(turns, seed=seed))
        assert sorted(drawn.plausible[:3]) == ["近0", "近1", "近2"]
        assert "自家的答案" not in drawn.plausible


def test_the_same_seed_gives_the_same_sets_whoever_else_is_asked() -> None:
    made = list(candidate_sets(TURNS, seed=1))
    assert list(candidate_sets(TURNS, seed=1)) == made
    assert list(candidate_sets(TURNS, seed=2)) != made
    assert list(candidate_sets(TURNS, seed=1, requested={"t7", "t300"})) == [made[7], made[300]]
    assert list(candidate_sets(TURNS, seed=1, requested=())) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("有２只熊猫。", "有2只熊猫"), ("T恤是红的！", "t恤是红的"), ("是 的", "是的。"), ("ﬁ", "fi")],
)
def test_texts_that_differ_in_form_alone_say_the_same(one, other) -> None:
    assert says(one) == says(other)


def test_no_two_candidates_say_the_same_and_the_right_one_stays_as_it_was_written() -> None:
    assert says("？") != says("！")  # nothing but punctuation
    assert says("有2只") != says("有3只")
    turns = [Turn("asked", "p", "有几只熊猫？", "有２只熊猫！"), Turn("same", "q", "有几只大熊猫？", "有2只熊猫。")]
    turns += [Turn(f"same{i}", f"r{i}", f"那边有几只熊猫呢{i}", "有 2 只熊猫。") for i in range(3)]
    turns += [Turn(f"far{i}", f"s{i}", f"有{i}个人在跑步", f"远{i // 2}{'。' if i % 2 else ''}") for i in range(300)]
    for one in candidate_sets(turns, seed=1):
        assert len({says(text) for text in one.candidates}) == len(one.candidates) == SIZE
    first, second, *_ = candidate_sets(turns, seed=1)
    assert [text for text in first.candidates if says(text) == "有2只熊猫"] == ["有２只熊猫！"]
    assert second.candidates[second.gold] == "有2只熊猫。"
    # Where it is not right, the most frequent way to write it is the candidate.
    last = list(candidate_sets(turns, seed=1))[-1]
    assert {text for text in last.candidates if says(text) == "有2只熊猫"} == {"有 2 只熊猫。"}


def test_the_order_tells_nothing_of_the_right_one() -> None:
    """Another right answer among the same candidates leaves them in the same order."""
    turns = [Turn(f"t{i}", f"p{i}", f"第{i}个？", f"答{i}") for i in range(20)] + [Turn("x", "y", "z", "答0")]
    first = next(candidate_sets(turns, seed=3))
    other = next(candidate_sets([turns[0]._replace(answer="答1"), *turns[1:]], seed=3))
    assert first.candidates == other.candidates
    assert (first.candidates[first.gold], other.candidates[other.gold]) == ("答0", "答1")


def test_fewer_answers_give_all_of_them_to_releases_and_an_error_to_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = TURNS[:100]
    with pytest.raises(TooFewAnswers, match="67 different answers"):
        require_answers(few)
    every = {turn.answer for turn in few}
    assert [set(one.candidates) for one in candidate_sets(few, seed=1)] == [every] * 100
    alone = list(candidate_sets([Turn("t", "p", "有几只？", "两只")], seed=1))
    assert [(one.candidates, one.gold) for one in alone] == [(("两只",), 0)]
    turns = tmp_path / "turns.jsonl"
    turns.write_text("".join(json.dumps(turn._asdict()) + "\n" for turn in few))
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
