"""Prompts: the shipped texts, rendering in one pass, and the faults of variables by line."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from curation.benchmarks.rules.marked_yaml import FileInvalid
from curation.core.text import BIDI_CONTROLS
from curation.prompts import rules
from curation.prompts.rules import Message, Picture, PromptVariable, Shot, parse_body, parse_file, render, text_of
from tools import prompt_hashes

FILES = sorted(prompt_hashes.FOLDER.glob("*.yaml"))


def shipped(name: str) -> rules.PromptFile:
    path = prompt_hashes.FOLDER / f"{name}.yaml"
    return parse_file(path.read_text(encoding="utf-8"), file=path.name)


def body(text: str) -> rules.Body:
    return parse_body(text, file="prompt.yaml")


def only(messages: tuple[Message, ...]) -> str:
    [message] = messages
    return message.text


ASKED = {"question": "这是什么？", "options": ["牌坊", "石碑", "城墙", "钟楼"], "country": "China", "answer": "B"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_named_after_its_prompt_and_its_text_can_be_edited(path: Path) -> None:
    prompt = parse_file(path.read_text(encoding="utf-8"), file=path.name)
    assert f"{prompt.name}-{prompt.no}" == path.stem
    assert len(prompt.source.en) <= 500  # as long as a row of the table keeps it
    for language in prompt.languages:
        assert body(text_of(prompt.body(language))) == prompt.body(language)


def test_each_name_has_its_numbers_from_one_and_every_language() -> None:
    numbers: dict[str, list[int]] = {}
    languages: dict[str, set[str]] = {}
    for path in FILES:
        prompt = shipped(path.stem)
        numbers.setdefault(prompt.name, []).append(prompt.no)
        languages.setdefault(prompt.name, set()).update(prompt.languages)
    assert all(sorted(numbers[name]) == list(range(1, len(numbers[name]) + 1)) for name in numbers)
    # What asks people's questions exists in all three; the others are texts of one source.
    partial = {name for name in languages if languages[name] != set(rules.LANGUAGES)}
    assert partial == {
        *("choice-parser", "cmmu-judge", "tcc-domain", "tcc-explained"),
        *("vistai-dialogue", "vistai-judge"),
    }


def test_no_rendering_changed() -> None:
    assert prompt_hashes.GOLDEN.read_text(encoding="utf-8").splitlines() == list(prompt_hashes.lines())


def test_cvlue_asks_as_its_appendix_prints() -> None:
    question = {"question": "灯是关着的吗？"}
    assert only(render(shipped("cvlue-vqa-1").body("zh-Hans"), question)) == (
        "用尽量简洁的数字或中文短语回答以下问题: 灯是关着的吗？"
    )
    values = {"caption": "两只熊猫。", "history": [("几只？", "两只"), ("颜色？", "黑白")], "question": "在吃什么？"}
    assert only(render(shipped("cvlue-dialogue-1").body("zh-Hans"), values)) == (
        "描述: 两只熊猫。 对话历史: 几只？ 两只 颜色？ 黑白 "
        "根据图片描述和对话历史用一句话回答以下问题. 问题: 在吃什么？ 答案:"
    )
    assert only(render(shipped("cvlue-grounding-1").body("en"), {"expression": "the dog"})) == "<ref>the dog</ref><box>"


def test_cvqa_names_the_country_or_not() -> None:
    located, plain = (render(shipped(f"cvqa-{name}-1").body("en"), ASKED) for name in ("located", "plain"))
    asked = "Question: 这是什么？ Options: A. 牌坊 B. 石碑 C. 城墙 D. 钟楼 Short Answer:"
    assert (only(located), only(plain)) == (f"Location: China. {asked}", asked)
    assert only(render(shipped("cvqa-open-1").body("en"), ASKED)) == "这是什么？"


def test_the_paper_and_the_code_of_tcc_bench_are_apart() -> None:
    paper, code = (only(render(shipped(f"tcc-direct-{no}").body("zh-Hans"), ASKED)) for no in (1, 2))
    assert paper.endswith("正确答案的字母。问题：“这是什么？”\n(A) “牌坊”\n(B) “石碑”\n(C) “城墙”\n(D) “钟楼”\n答案：")
    assert code.endswith("正确答案的字母。\n问题: 这是什么？\n(A) 牌坊\n(B) 石碑\n(C) 城墙\n(D) 钟楼\n答案:\n")
    assert ("中国传统文化" in paper, "中国传统文化" in code, "中国文化" in code) == (True, False, True)
    assert "“答案：$LETTER”，其中$LETTER是" in paper


def test_only_the_code_of_the_judges_has_its_additions() -> None:
    values = {"question": "甲", "answer": "乙", "response": "丙"}
    paper, code = (render(shipped(f"cmmu-judge-{no}").body("en"), values) for no in (1, 2))
    assert [message.role for message in code] == ["system", "user"]
    assert code[0].text.startswith(paper[0].text)
    assert "double backslashes" in code[0].text[len(paper[0].text) :]
    assert code[1].text == paper[1].text
    printed, coded = (only(render(shipped(f"vistai-judge-{no}").body("zh-Hant"), values)) for no in (1, 2))
    assert (coded.startswith("[Question]\n甲\n"), coded.endswith("[評分]: (int) ")) == (True, True)
    for added in ("是否根據圖片回答", "大部分或完全錯誤", "如果回覆要求使用者提供圖片應該給予0分"):
        assert (added in printed, added in coded) == (False, True)


def test_only_judges_are_given_the_right_answer() -> None:
    gold = "the right answer"
    values = rules.placeholders(rules.VARIABLES) | {"answer": gold}
    given = set()
    for path in FILES:
        prompt = shipped(path.stem)
        for language in prompt.languages:
            rendered = render(prompt.body(language), values)
            if any(gold in message.text for message in rendered):
                given.add(prompt.name)
    assert given == {"cmmu-judge", "vistai-judge"}


def test_examples_come_first_with_their_own_pictures() -> None:
    shots = [Shot(ASKED), Shot({**ASKED, "question": "那是什么？", "answer": "C"}, has_picture=False)]
    messages = render(shipped("tcc-direct-2").body("zh-Hans"), {**ASKED, "question": "何时？"}, shots=shots)
    assert [message.role for message in messages] == ["user", "assistant", "user", "assistant", "user"]
    assert [message.parts[1:] for message in messages] == [(Picture(0),), (), (), (), (Picture(),)]
    assert [messages[i].text for i in (1, 3)] == ["B", "C"]
    assert ["那是什么？" in messages[2].text, "何时？" in messages[4].text] == [True, True]


def test_a_prompt_without_a_text_for_examples_gets_none() -> None:
    with pytest.raises(ValueError, match="no text for examples"):
        render(shipped("tcc-direct-1").body("en"), ASKED, shots=[Shot(ASKED)])


def test_the_picture_is_where_the_prompt_says_and_can_be_left_out() -> None:
    code, paper = shipped("tcc-direct-2").body("en"), shipped("tcc-direct-1").body("en")
    assert isinstance(render(code, ASKED)[0].parts[1], Picture)
    assert isinstance(render(paper, ASKED)[0].parts[0], Picture)
    assert render(paper, ASKED, picture=False)[0].parts == (render(paper, ASKED)[0].parts[1],)
    assert all(
        isinstance(part, str) for part in render(shipped("translate-1").body("en"), prompt_hashes.VALUES)[1].parts
    )


def test_a_value_is_never_read_as_a_template() -> None:
    template = body(
        "variables: [question, options]\nturns:\n- {role: user, text: '{{question}} | {{options}}'}\n"
        "option: '{{letter}} {{option}}'\njoin: '; '\norder: [text]\n"
    )
    values = {"question": r"$\frac{{a}}{b}$ {{options}} {{question}} \g<0>", "options": ["{{letter}}", "{{question}}"]}
    assert only(render(template, values)) == (
        r"$\frac{{a}}{b}$ {{options}} {{question}} \g<0> | A {{letter}}; B {{question}}"
    )


@given(st.text(), st.lists(st.text(), min_size=1, max_size=10))
def test_every_value_is_in_the_rendering_as_it_is(question: str, options: list[str]) -> None:
    template = body(
        "variables: [question, options]\nturns:\n- {role: user, text: 'a {{question}} b {{options}} c'}\n"
        "option: '({{option}})'\norder: [text]\n"
    )
    rendered = only(render(template, {"question": question, "options": options}))
    assert rendered == f"a {question} b {''.join(f'({option})' for option in options)} c"


def test_a_rendering_is_bounded_before_its_copies_are_made() -> None:
    longest = rules.LONGEST_RENDERING
    body = rules.parse_body(
        "variables: [question]\nturns:\n- {role: user, text: '{{question}}{{question}}'}\norder: [text]\n", file="x"
    )
    assert len(only(render(body, {"question": "灯" * (longest // 2)}))) == longest
    with pytest.raises(rules.PromptTooLong):
        render(body, {"question": "灯" * (longest // 2 + 1)})


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="country"):
        render(shipped("cvqa-located-1").body("en"), {"question": "?", "options": ["a"]})


def test_a_placeholder_prints_as_the_variable() -> None:
    values = rules.placeholders(["caption", "history", "question"])
    assert "对话历史: {{history}} 根据" in only(render(shipped("cvlue-dialogue-1").body("zh-Hans"), values))
    located = only(render(shipped("cvqa-located-1").body("en"), rules.placeholders(["country", "question", "options"])))
    assert located == "Location: {{country}}. Question: {{question}} Options: {{options}} Short Answer:"
    direct = only(render(shipped("tcc-direct-1").body("en"), rules.placeholders(["question", "options"])))
    assert direct.endswith('Question: "{{question}}"\n{{options}}\nAnswer:')


def test_line_breaks_between_options_are_readable_in_the_editor() -> None:
    text = text_of(shipped("tcc-direct-1").body("en"))
    assert 'join: "\\n"\n' in text
    assert "|2" not in text
    assert body(text).join == "\n"


TEMPLATE = """\
variables:
- question
- options
system: |-
  第一行
  {{question}}
turns:
- role: user
  text: |-
    {{question}}

    {{options}}
option: "{{letter}} {{option}}"
order: [picture, text]
"""


def faults(text: str) -> list[tuple[int, str, str, str]]:
    with pytest.raises(PromptVariable) as caught:
        body(text)
    return [(p.line, p.key, p.code.removeprefix("prompt_variable_"), p.params["name"]) for p in caught.value.problems]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("    {{options}}", "    {{options}}{{optoins}}", [(12, "turns.0.text", "unknown", "optoins")]),
        ("    {{options}}", "    {{ options }}", [(2 + 1, "variables.1", "unused", "options"),
                                                  (12, "turns.0.text", "unknown", " options ")]),
        ("  第一行", "  {{}}", [(5, "system", "unknown", "")]),
        ("  第一行", "  {{country}}", [(5, "system", "misplaced", "country")]),
        ("  第一行", "  {{letter}}", [(5, "system", "misplaced", "letter")]),
        ("- options\n", "- options\n- country\n", [(4, "variables.2", "unused", "country")]),
        ("- options\n", "- options\n- question\n", [(4, "variables.2", "unused", "question")]),
        ('"{{letter}} {{option}}"', '"{{letter}}"', [(13, "option", "unused", "option")]),
        ('"{{letter}} {{option}}"', '"{{option}}{{answer}}"', [(13, "option", "misplaced", "answer")]),
        ("option: ", 'join: "{{question}}"\noption: ', [(13, "join", "misplaced", "question")]),
        ("option: ", 'round: "{{question}} {{answer}}"\noption: ', [(13, "round", "misplaced", "history")]),
    ],
)  # fmt: skip
def test_a_fault_of_a_variable_is_named_by_its_line(before: str, after: str, expected: object) -> None:
    assert TEMPLATE.count(before) == 1
    assert body(TEMPLATE)
    assert faults(TEMPLATE.replace(before, after)) == expected


def test_an_example_may_name_the_answer_and_its_explanation_besides() -> None:
    shot = "shot:\n- {role: user, text: '{{question}}'}\n- {role: assistant, text: '{{answer}}'}\n"
    assert body(TEMPLATE + shot).shot[1].text == "{{answer}}"
    assert not body(TEMPLATE + shot).shows_explanations
    assert body(TEMPLATE + shot.replace("{{answer}}", "{{explanation}} {{answer}}")).shows_explanations
    assert faults(TEMPLATE.replace("{{question}}", "{{question}} {{explanation}}"))[0][2:] == (
        "misplaced",
        "explanation",
    )
    assert faults(TEMPLATE + shot.replace("answer", "response")) == [(17, "shot.1.text", "misplaced", "response")]


def test_a_language_that_leaves_a_variable_out_is_a_fault_of_the_file() -> None:
    text = (prompt_hashes.FOLDER / "cvlue-vqa-1.yaml").read_text(encoding="utf-8")
    with pytest.raises(PromptVariable) as caught:
        parse_file(text.replace("phrase: {{question}}", "phrase"), file="x.yaml")
    assert [(p.line, p.key, p.code) for p in caught.value.problems] == [(8, "variables.0", "prompt_variable_unused")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("role: user", "role: system"),
        ("role: user", "role: assistant"),
        ("order: [picture, text]", "order: [picture]"),
        ("order: [picture, text]", "order: [text, text]"),
        ("order: [picture, text]", "order: [text]\nother: 1"),
        ("- options\n", "- choices\n"),
        ("turns:", "turns: []\nturn:"),
    ],
)
def test_another_form_is_refused(before: str, after: str) -> None:
    with pytest.raises(FileInvalid) as caught:
        body(TEMPLATE.replace(before, after))
    assert not isinstance(caught.value, PromptVariable)


def test_numbers_of_benchmarks_are_not_for_files() -> None:
    text = (prompt_hashes.FOLDER / "cvlue-vqa-1.yaml").read_text(encoding="utf-8")
    with pytest.raises(FileInvalid):
        parse_file(text.replace("no: 1", f"no: {rules.FIRST_OWN}"), file="x.yaml")


@pytest.mark.parametrize("character", ["\u202e", "\u2066", "\x1b", "\x07", "\x9b", "\r"])
@pytest.mark.parametrize("field", ["system", "option", "join"])
def test_no_text_has_characters_that_nobody_would_see(field: str, character: str) -> None:
    fields = yaml.safe_load(TEMPLATE)
    fields[field] = fields.get(field, "") + character
    with pytest.raises(FileInvalid) as caught:
        body(yaml.safe_dump(fields))
    assert [(p.key, p.code) for p in caught.value.problems] == [(field, "prompt_hidden_character")]


def test_two_bodies_are_the_same_by_their_hash() -> None:
    first = rules.body_sha256(body(TEMPLATE))
    assert first == rules.body_sha256(body(TEMPLATE.replace("- question\n- options", '- "question"\n- options')))
    assert first != rules.body_sha256(body(TEMPLATE.replace("第一行", "第二行")))


@given(
    st.text(
        alphabet=st.characters(
            codec="utf-8",
            exclude_categories=["Cc", "Cs"],
            include_characters="\n",
            exclude_characters=sorted(BIDI_CONTROLS),
        )
    )
)
def test_every_text_survives_the_editor(text: str) -> None:
    written = rules.Body(variables=[], turns=[rules.Turn(role="user", text=text.replace("{{", "{"))], order=["text"])
    assert body(text_of(written)) == written
