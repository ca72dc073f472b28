"""Examples before the questions: where models reason, and of questions of several types."""

import json

import pytest

from tests.evaluation.answering import benchmarks
from tests.evaluation.answering.double import text

DEV = {"batch": 100, "seed": 3}


def shown(ask):
    """The replies of an ask's examples."""
    return [message.text for message in ask.messages if message.role == "assistant"]


@pytest.mark.parametrize(
    ("language", "question", "reply"),
    [
        ("zh-Hans", '问题: "第{}题？"', "解释{}\n答案：{}"),
        ("en", 'Question: "Question {}?"', "explanation {}\nAnswer: {}"),
    ],
)
def test_tcc_shows_examples_that_reason_by_its_explanations(tmp_path, double, answered, language, question, reply):
    gold, dev = benchmarks.tcc(tmp_path), benchmarks.tcc(tmp_path, "ABCD", first=41)
    answered("tcc", gold, setting="cot", language=language, shots=3, shots_from=dev, **DEV)
    numbers = {question.format(number): (number, answer) for number, answer in zip(range(41, 45), "ABCD", strict=True)}
    for ask in double.asks:
        assert [message.role for message in ask.messages] == ["user", "assistant"] * 3 + ["user"]
        asked = [next(n for word, n in numbers.items() if word in m.text) for m in ask.messages[:-1:2]]
        assert shown(ask) == [reply.format(*one) for one in asked]
        assert (len(set(asked)), len(ask.shots)) == (3, 3)
        assert not any(f"{word}{i}" in text(ask) for word in ("解释", "explanation ") for i in (1, 2, 3))


def test_examples_of_questions_without_an_explanation_are_not_drawn(tmp_path, double, answered, capsys):
    gold, dev = benchmarks.tcc(tmp_path), benchmarks.tcc(tmp_path, "ABCD", first=41)
    lines = dev.read_text(encoding="utf-8").replace("解释42", " ")
    dev.write_text(lines, encoding="utf-8")
    answered("tcc", gold, setting="cot", shots=3, shots_from=dev)
    assert not any("第42题" in text(ask) for ask in double.asks)
    answered("tcc", gold, shots=4, shots_from=dev, out="direct.jsonl")  # whose examples show none
    with pytest.raises(SystemExit):
        answered("tcc", gold, setting="cot", shots=4, shots_from=dev, out="cot.jsonl")
    message = "shots_too_few: 4 examples are needed, the file has 3 with a right answer and an explanation"
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("setting", "form"), [("cot", "think step by step"), ("direct", "Do not think step by step")])
def test_vistai_shows_the_answer_alone_under_the_papers_instruction(tmp_path, double, answered, setting, form):
    gold = benchmarks.vistai(tmp_path)
    dev = benchmarks.vistai(tmp_path, "dev.jsonl", "ABCDABCDAB", first=11)
    answered("vistai", gold, setting=setting, shots=5, shots_from=dev)
    for ask in double.asks:
        assert len(ask.messages) == 11
        assert all(form in message.text and "[問題]: 第" in message.text for message in ask.messages[::2])
        assert all(reply in {f"答案: {letter}" for letter in "ABCD"} for reply in shown(ask))
    plain, double.asks = double.asks, []
    answered("vistai", gold, setting=setting, out="plain.jsonl")
    # The question itself is asked in the same words without examples.
    assert [ask.messages[-1].text for ask in plain] == [ask.messages[0].text for ask in double.asks]


def test_each_type_of_cmmus_questions_has_examples_of_its_own(tmp_path, double, answered):
    gold, dev = benchmarks.cmmu(tmp_path), benchmarks.cmmu(tmp_path, "C", "dev.jsonl")
    answered("cmmu", gold, shots=1, shots_from=dev)
    replies = {ask.messages[-1].text.split("\n")[0]: shown(ask) for ask in double.asks}
    assert replies == {
        "光是什么？": ["C"],
        "哪些对？": ["AC"],
        "填空： 光具有______": ["粒子性"],
        "填空： 力是______": ["粒子性"],
    }
    assert len(double.asks) == 7
    for ask in double.asks:  # each ends with the instruction of its type
        assert len({message.text.split("\n")[-1] for message in ask.messages[::2]}) == 1


def test_cmmu_reasons_by_its_solutions(tmp_path, double, answered, capsys):
    gold, dev = benchmarks.cmmu(tmp_path), benchmarks.cmmu(tmp_path, "C", "dev.jsonl")
    answered("cmmu", gold, setting="cot", shots=1, shots_from=dev)
    assert [shown(ask) for ask in double.asks] == [["解析一\n答案：C"]] * 4
    rows = [json.loads(line) | {"solution_info": ""} for line in dev.read_text().splitlines()]
    benchmarks.lines(dev, rows)
    with pytest.raises(SystemExit):
        answered("cmmu", gold, setting="cot", shots=1, shots_from=dev, out="b.jsonl")
    message = "shots_too_few: 1 examples of MCQ are needed, the file has 0 with a right answer and an explanation"
    assert message in capsys.readouterr().err
