"""Rules of captions, with cases counted by hand."""

import pytest

from annotation.kinds.base import Span, open_findings
from annotation.kinds.captions import KIND, CaptionSettings
from annotation.kinds.content import MalformedContent, accept, clean
from annotation.kinds.context import Context, Language
from curation.core.errors import TextRefused

FIVE = [
    "一只黄色的舞狮站在牌楼前面",
    "两侧挂着大红灯笼的木门敞开着",
    "地上铺了灰色石板，中间有条缝",
    "远处屋顶盖满青瓦，天空很蓝",
    "红色狮头旁边摆放一面圆鼓",
]


def settings(measure="bigram_jaccard", limit=30):
    return CaptionSettings(
        slots=5,
        minimum_characters=8,
        overlap={"measure": measure, "limit_percent": limit},
        human_checks=[],
        review_reasons=[],
    )


TREE = KIND.tree(settings(), Context())


def check(texts, *, complete=True, **kw):
    return KIND.check({"captions": texts}, settings(**kw), Context(), complete=complete)


def codes(findings):
    return [(f.code, f.field) for f in findings]


@pytest.mark.parametrize(
    ("caption", "most", "percent", "words"),
    [
        ("一只黄色的舞狮站在gate前面", 20, 26, ["gate"]),  # 4 of 15 letters
        ("一只yellow舞狮stands在牌楼前面", 20, 57, ["yellow", "stands"]),
        ("一盏LED灯照着台上两只红色舞狮", 20, None, []),  # 3 of 16
        ("一只黄色的舞狮站在gate前面", 27, None, []),
        ("一只黄色的舞狮站在gate前面", None, None, []),
    ],
)
def test_words_of_another_script_get_a_warning_from_the_protocols_share_on(caption, most, percent, words):
    chosen = settings().model_copy(update={"other_script_percent": most})
    content = {"captions": [caption, *FIVE[1:]]}
    found = KIND.check(content, chosen, Context(language=Language("zh-Hans")), complete=True)
    assert [(f.code, f.field, f.severity, f.params) for f in found] == (
        [("other_script", "captions.0", "warn", {"percent": percent, "maximum": most})] if percent else []
    )
    assert [caption[span.start : span.end] for f in found for span in f.spans] == words


def test_a_language_without_a_known_script_has_no_other():
    chosen = settings().model_copy(update={"other_script_percent": 0})
    assert KIND.check({"captions": FIVE}, chosen, Context(language=Language("tlh")), complete=True) == []


def test_five_different_captions_pass():
    assert check(FIVE) == []


def test_exactly_the_limit_is_allowed():
    # 3 shared bigrams of 10: 30%
    one, other = "甲乙丙丁一二三四", "甲乙丙丁五六七"
    texts = [one, other + "", *FIVE[2:]]
    assert [c for c in codes(check(texts)) if c[0] == "caption_overlap"] == []
    assert [c for c in codes(check(texts, limit=29)) if c[0] == "caption_overlap"] == [
        ("caption_overlap", "captions.1")
    ]


def test_an_overlap_marks_both_captions_where_they_share():
    texts = ["𠮷红灯笼挂在门前面", "看红灯笼挂在窗前面", *FIVE[2:]]
    [finding] = [f for f in check(texts) if f.code == "caption_overlap"]
    assert finding.params == {"other": 0, "percent": 45, "limit": 30, "measure": "bigram_jaccard"}
    assert finding.overridable
    # 𠮷 takes two code units in a browser
    assert finding.spans == (
        Span("captions.1", 1, 6),
        Span("captions.1", 7, 9),
        Span("captions.0", 2, 7),
        Span("captions.0", 8, 10),
    )


def test_a_reason_lets_an_overlap_through_and_nothing_else():
    texts = [FIVE[0], FIVE[0] + "啊", "太短", *FIVE[3:]]
    findings = check(texts)
    assert codes(open_findings(findings, {"caption_overlap": "两只一样的狮子"})) == [
        ("caption_too_short", "captions.2")
    ]
    assert ("caption_overlap", "captions.1") in codes(open_findings(findings, {"caption_overlap": "  "}))


def test_identical_captions_differ_only_in_punctuation():
    texts = [FIVE[0], FIVE[0] + "！", *FIVE[2:]]
    assert codes(check(texts)) == [("caption_identical", "captions.1")]


def test_eight_characters_without_punctuation():
    assert codes(check(["一二三四五六七，。", *FIVE[1:]])) == [("caption_too_short", "captions.0")]
    assert check(["一二三四五六七八", *FIVE[1:]]) == []


def test_empty_captions_matter_only_at_the_end():
    texts = ["", "  ", *FIVE[2:]]
    assert check(texts, complete=False) == []
    assert codes(check(texts)) == [("caption_empty", "captions.0"), ("caption_empty", "captions.1")]
    texts[:2] = ["\u3164" * 9, "\u2800\uffa0"]
    assert codes(check(texts)) == [("caption_empty", "captions.0"), ("caption_empty", "captions.1")]


@pytest.mark.parametrize("name", ["张老师", "李小明先生", "陳大文醫生", "名叫欢欢"])
def test_likely_names_are_flagged_not_refused(name):
    findings = check([f"站在门口的{name}拿着一把扇子", *FIVE[1:]])
    assert [(f.code, f.severity) for f in findings] == [("caption_likely_name", "warn")]
    assert open_findings(findings, {}) == []


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"captions": FIVE[:4]},
        {"captions": [*FIVE[:4], 5]},
        {"captions": FIVE, "x": 1},
        {"captions": "abcde"},
        {"captions": [*FIVE[:4], "长" * 1001]},
    ],
)
def test_content_of_another_shape_is_refused(content):
    with pytest.raises(MalformedContent):
        accept(TREE, content)


def test_a_draft_keeps_what_was_typed_but_never_nul():
    typed = {"captions": ["  红 ", "e\u0301", "", "", ""]}
    assert accept(TREE, typed) == typed
    assert clean(TREE, typed) == {"captions": ["红", "é", "", "", ""]}
    with pytest.raises(TextRefused):
        accept(TREE, {"captions": ["a\0", "", "", "", ""]})
