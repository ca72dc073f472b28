"""Rules of visual questions, with cases counted by hand on both sides of each limit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from annotation.kinds.base import Span, open_findings
from annotation.kinds.content import MalformedContent, accept, clean
from annotation.kinds.context import Context, Language
from annotation.kinds.vqa import _FLAGS, KIND, VqaSettings
from curation.core.errors import TextRefused

FLAGS = ["pronoun", "low_level", "answer_in_question", "yes_no"]
# The three printed for the first picture of CVLUE's appendix A.4.2.
THREE = [
    ("戴帽子的人是在下台阶还是上台阶?", "下台阶"),
    ("有几根担杖?", "2"),
    ("两根担杖中间的人是坐着还是站着?", "坐着"),
]


def settings(**changed):
    numbers = {
        "slots": 3,
        "question_minimum_characters": 4,
        "answer_maximum_characters": 12,
        "overlap": {"measure": "bigram_jaccard", "limit_percent": 50},
        "flags": FLAGS,
        "review_reasons": [],
    }
    return VqaSettings(**(numbers | changed))


TREE = KIND.tree(settings(), Context())


def content(pairs):
    return {"pairs": [{"question": question, "answer": answer} for question, answer in pairs]}


def check(pairs, *, complete=True, **changed):
    return KIND.check(content(pairs), settings(**changed), Context(), complete=complete)


def of(question="狮子前面摆着什么乐器？", answer="圆鼓", **changed):
    """Codes and fields of what is found in one pair among three."""
    found = check([(question, answer), *THREE[1:]], **changed)
    return [(f.code, f.field.removeprefix("pairs.0.")) for f in found]


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (THREE, []),
        (
            [("当前是什么季节?", "冬季"), ("右侧大熊猫是什么姿势?", "坐着"), ("坐着的与站立的相减等于几?", "0")],
            [],
        ),
        (
            [("圆形切片的是什么食材?", "藕"), ("火锅的口味相同吗?", "不相同"), ("鸳鸯锅里褐色食材是什么?", "香菇")],
            [("yes_no", "pairs.1.question")],
        ),
    ],
)
def test_the_papers_own_pairs_pass(pairs, expected):
    assert [(f.code, f.field) for f in check(pairs)] == expected


def test_three_questions_in_each_other_language_pass():
    assert (
        check([("獅子前面擺著什麼樂器？", "圓鼓"), ("門口掛著幾盞燈籠？", "兩盞"), ("這是什麼節日？", "元宵節")]) == []
    )
    english = [
        ("What stands in front of the lion?", "A drum"),
        ("How many lanterns hang?", "2"),
        ("Where?!?", "Taipei"),
    ]
    assert check(english) == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("几盏灯？", [("question_too_short", "question")]),  # three characters: the mark does not count
        ("有几盏灯？", []),
        ("𠮷几盏灯？", []),  # a character outside the basic plane is one
        ("几盏灯🏮🏮？", [("question_too_short", "question")]),
        ("１２盏？", [("question_too_short", "question")]),
        ("", [("question_empty", "question")]),
        (" 　", [("question_empty", "question")]),
        ("\u3164\u2800", [("question_empty", "question")]),
        ("？", [("question_too_short", "question")]),
        ("摆着什么乐器", [("question_mark_missing", "question")]),
        ("摆着什么“乐器？”", []),
        ("摆着什么乐器﹖", []),
    ],
)
def test_questions_have_a_length_and_a_mark(question, expected):
    assert of(question) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("一二三四五六七八九十甲乙", []),
        ("一二三四五六七八九十甲乙丙", [("answer_too_long", "answer")]),
        ("一二三四五六七八九十甲乙，🏮", []),
        ("𠮷野家", []),
        ("ｅ\u0301", []),
        ("", [("answer_empty", "answer")]),
        ("🏮", [("answer_empty", "answer")]),
        ("。", [("answer_empty", "answer")]),
        ("\u3164\uffa0", [("answer_empty", "answer")]),
        ("2", []),
        ("3.5 米", []),
        ("圆鼓。", [("answer_punctuation", "answer")]),
        ("圆鼓！ ", [("answer_punctuation", "answer")]),
        ("圆鼓．", [("answer_punctuation", "answer")]),
        ("圆鼓，", [("answer_punctuation", "answer")]),
        ("“圆鼓。”", [("answer_punctuation", "answer")]),
        ("《论语》", []),
        ("“福”", []),
        ("鼓。还有锣", [("answer_punctuation", "answer")]),
        ("鼓、锣", []),
        ("a drum.", [("answer_punctuation", "answer")]),
        ("5 p.m.", []),
        ("plan B.", []),
        ("这是圆鼓", [("answer_sentence", "answer")]),
        ("图里摆着的是圆鼓", [("answer_sentence", "answer")]),
        ("這裡有鼓", [("answer_sentence", "answer")]),
        ("There is one", [("answer_sentence", "answer")]),
        ("那达慕大会", []),
    ],
)
def test_answers_are_phrases(answer, expected):
    assert of(answer=answer) == expected


def test_only_a_long_answer_goes_through_with_a_reason():
    findings = check([("这座建筑叫什么？", "一二三四五六七八九十甲乙丙"), ("摆着什么乐器？", "圆鼓。"), THREE[1]])
    reasons = {"answer_too_long": "牌匾上的全名", "answer_punctuation": "就要句号"}
    assert [f.code for f in open_findings(findings, reasons)] == ["answer_punctuation"]
    assert findings[0].params == {"count": 13, "maximum": 12}
    assert findings[1].spans == (Span("pairs.1.answer", 2, 3),)


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("他手里拿着什么？", "扇子", [("pronoun", "question")]),
        ("她們站在哪裡？", "門口", [("pronoun", "question")]),
        ("What is she holding?", "A fan", [("pronoun", "question")]),
        ("谁拿着扇子？", "她母亲", [("pronoun", "answer")]),
        ("除了鼓还有其他乐器几件？", "三件", []),
        ("弹的吉他有几根弦？", "六根", []),
        ("谁和他人隔着一张桌子？", "老人", []),
        ("Which item is on the shelf?", "A vase", []),
    ],
)
def test_pronouns_are_pointed_out(question, answer, expected):
    assert of(question, answer) == expected


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("左边的花是什么颜色？", "红", [("low_level", "question")]),
        ("左邊的花是哪種顏色？", "紅", [("low_level", "question")]),
        ("What's the colour of the flower?", "Red", [("low_level", "question")]),
        ("What color is it?", "Red", [("pronoun", "question"), ("low_level", "question")]),
        ("左边的灯笼怎么样？", "深红色和金色", [("low_level", "answer")]),
        ("穿红色衣服的人拿着什么？", "扇子", []),
        ("锅里褐色的食材叫什么？", "香菇", []),
        ("What is the man in the colourful coat holding?", "A drum", []),
        ("画的是哪处名胜？", "五色湖", []),
    ],
)
def test_questions_for_a_colour_alone_are_pointed_out(question, answer, expected):
    assert of(question, answer) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("灯是关着的吗？", [("yes_no", "question")]),
        ("燈是關著的嗎？", [("yes_no", "question")]),
        ("灯开着没有？", [("yes_no", "question")]),
        ("门是不是开着？", [("yes_no", "question")]),
        ("能否看到山顶？", [("yes_no", "question")]),
        ("Is the lamp switched off?", [("yes_no", "question")]),
        ("Is the lamp on or off?", []),
        ("灯是开着还是关着的呢？", []),
        ("桌上摆的是什么？", []),
        ("狮子怎么？", []),
        ("What is on the table?", []),
    ],
)
def test_questions_for_yes_or_no_are_pointed_out(question, expected):
    assert of(question, "未知") == expected


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("舞狮队敲的大鼓是什么乐器？", "大鼓", [("answer_in_question", "question")]),
        ("哪个ＫＴＶ招牌最亮？", "ktv", [("answer_in_question", "question")]),
        ("敲大鼓还是敲铜锣？", "大鼓", []),
        ("大鼓是圆的吗？", "圆的", [("yes_no", "question")]),
        ("哪种鼓最大？", "大", []),  # one character says nothing
        ("What hangs at the party?", "art", []),
        ("How many of 1234 stamps are red?", "123", []),
        ("Which lantern is a red lantern?", "Red lantern", [("answer_in_question", "question")]),
        ("墙上写着几点？", "12", []),
    ],
)
def test_answers_that_the_question_gives_away_are_pointed_out(question, answer, expected):
    assert of(question, answer) == expected


def test_flags_say_where_and_never_stop():
    findings = check([("𠮷他手里拿着什么？", "扇子"), *THREE[1:]])
    assert [(f.severity, f.params, f.spans) for f in findings] == [
        ("warn", {"text": "他"}, (Span("pairs.0.question", 2, 3),))
    ]
    [given] = check([("𠮷大鼓是什么？", "大鼓"), *THREE[1:]])
    assert given.spans == (Span("pairs.0.question", 2, 4),)
    assert open_findings([*findings, given], {}) == []


def test_only_the_flags_of_the_protocol_are_raised():
    assert of("他的花是什么颜色？", "红色", flags=["low_level"]) == [("low_level", "question")]
    assert of("他的花是什么颜色？", "红色", flags=[]) == []


def test_questions_differ():
    once, again = ("桌上摆着什么？", "茶碗"), ("桌上，摆着 什么?", "茶碗")
    assert [(f.code, f.field, f.params) for f in check([once, again, THREE[1]])] == [
        ("question_identical", "pairs.1.question", {"other": 0})
    ]
    # of 甲乙 乙丙 丙丁 丁戊 and 甲乙 乙丙 丙丁 丁己 己庚 three are shared of six; with one character less, of five
    limit = [("甲乙丙丁戊？", "一"), ("甲乙丙丁己庚？", "二"), ("有几根担杖?", "2")]
    assert check(limit) == []
    over = [("甲乙丙丁戊？", "一"), ("甲乙丙丁己？", "二"), ("有几根担杖?", "2")]
    [finding] = check(over)
    assert (finding.code, finding.field, finding.overridable) == ("question_overlap", "pairs.1.question", True)
    assert finding.params == {"other": 0, "percent": 60, "limit": 50, "measure": "bigram_jaccard"}
    assert finding.spans == (Span("pairs.1.question", 0, 4), Span("pairs.0.question", 0, 4))


def test_answers_may_be_the_same():
    assert check([("有几根担杖?", "2"), ("门口挂着多少灯笼？", "2"), ("桌上摆着几只碗？", "2")]) == []


def test_a_draft_may_have_gaps():
    nothing = [("", "")] * 3
    assert check(nothing, complete=False) == []
    assert [f.code for f in check(nothing)] == ["question_empty", "answer_empty"] * 3


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"pairs": []},
        content(THREE[:2]),
        content(THREE) | {"x": 1},
        {"pairs": [*content(THREE[:2])["pairs"], {"question": "有几根担杖?"}]},
        {"pairs": [*content(THREE[:2])["pairs"], {"question": "有几根担杖?", "answer": 2}]},
        {"pairs": [*content(THREE[:2])["pairs"], ["有几根担杖?", "2"]]},
        {"pairs": "abc"},
        content([*THREE[:2], ("长" * 1001, "2")]),
    ],
)
def test_content_of_another_shape_is_refused(wrong):
    with pytest.raises(MalformedContent):
        accept(TREE, wrong)


def test_a_draft_keeps_what_was_typed_and_a_revision_is_clean():
    typed = content([(" 有几根担杖? ", "e\u0301\n"), *THREE[1:]])
    assert accept(TREE, typed) == typed
    assert clean(TREE, typed) == content([("有几根担杖?", "é"), *THREE[1:]])
    for character in ("\0", "\ud800"):
        with pytest.raises(TextRefused):
            accept(TREE, content([("有几根担杖?" + character, "2"), *THREE[1:]]))
    assert of("几盏灯亮着\u202e?", "2\u202e") == [("text_refused", "question"), ("text_refused", "answer")]


@pytest.mark.parametrize("changed", [{"slots": 0}, {"answer_maximum_characters": 0}, {"flags": ["rude"]}, {"extra": 1}])
def test_numbers_are_checked(changed):
    with pytest.raises(ValidationError):
        settings(**changed)


def test_every_flag_of_the_settings_exists():
    assert set(VqaSettings.model_fields["flags"].annotation.__args__[0].__args__) == set(_FLAGS)


# What the rules look for, in pieces that come together in any order.
_PIECES = [
    "他",
    "其他",
    "什么颜色",
    "红色",
    "吗",
    "？",
    "。",
    "It is",
    "or",
    "大鼓",
    "𠮷",
    "🏮",
    "é",
    " ",
    "\u202e",
    "Ａ",
    "”",
]
_NAMES = ("question", "answer")
_TYPED = st.lists(st.sampled_from(_PIECES), max_size=8).map("".join)


@given(st.lists(st.tuples(_TYPED, _TYPED), min_size=3, max_size=3))
def test_marks_lie_within_what_they_mark(pairs):
    texts = {f"pairs.{i}.{name}": text for i, pair in enumerate(pairs) for name, text in zip(_NAMES, pair, strict=True)}
    for finding in check(pairs):
        assert finding.field in texts
        for span in finding.spans:
            assert 0 <= span.start < span.end <= len(texts[span.field].encode("utf-16-le")) // 2


def test_questions_and_answers_in_another_script_get_a_warning():
    pairs = [("他手里拿着什么 instrument?", "violin"), ("灯是什么牌子的?", "LED"), *THREE[2:]]
    found = KIND.check(
        content(pairs), settings(other_script_percent=20), Context(language=Language("zh-Hans")), complete=True
    )
    assert [(f.field, f.params["percent"]) for f in found if f.code == "other_script"] == [
        ("pairs.0.question", 58),
        ("pairs.0.answer", 100),
    ]
    assert codes_of_script(settings()) == codes_of_script(settings(other_script_percent=100)) == []


def codes_of_script(chosen):
    pairs = [("他手里拿着什么 instrument?", "violin"), *THREE[1:]]
    found = KIND.check(content(pairs), chosen, Context(language=Language("zh-Hans")), complete=True)
    return [f.field for f in found if f.code == "other_script"]
