"""Rules of multiple choice: real questions in CVQA's thirteen scripts, and cases on both sides of each limit."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from annotation.kinds import comparison, multiple_choice
from annotation.kinds.base import KindSettings, Rules, Span, open_findings
from annotation.kinds.content import MalformedContent, accept, clean, empty
from annotation.kinds.context import Choice, Context, Language, Sibling
from annotation.kinds.multiple_choice import _FLAGS, KIND, MultipleChoiceSettings
from annotation.kinds.names import LANGUAGES
from annotation.kinds.published import columns, withhold
from annotation.kinds.scripts import SCRIPTS, direction_of, script_of
from annotation.kinds.texts import from_texts, text_groups, texts_at
from curation.core.errors import TextRefused
from tests.kinds import numbers_of
from tests.protocols import names
from tests.sentences import SCRIPT_QUESTIONS

ROOT = Path(__file__).parents[3]
FLAGS = ["negated_options", "where_vague", "right_longest", "other_script", "english_in_local"]
CATEGORIES = tuple(Choice(code=code, name=names(code)) for code in ("food", "music"))


def settings(**changed):
    return MultipleChoiceSettings(
        **({"options": 4, "explanation": False, "flags": FLAGS, "review_reasons": []} | changed)
    )


def context(tag="zh-Hans-CN", translation="en", categories=CATEGORIES):
    language = Language(tag, direction_of(tag))
    return Context(language, Language(translation) if translation else None, categories=categories)


def content(question, options, translated=None, category="food"):
    """A content of texts in the content language, each with its translation; without one where there is none."""
    if translated is None:
        return {
            "category": category,
            "question": {"local": question},
            "options": [{"local": o} for o in options],
        }
    return {
        "category": category,
        "question": {"local": question, "translated": translated[0]},
        "options": [{"local": o, "translated": t} for o, t in zip(options, translated[1], strict=True)],
    }


ENGLISH = ("What is the name of the instrument in the picture?", ["Erhu", "Pipa", "Guzheng", "Suona"])
CHINESE = ("图中的乐器叫什么名字？", ["二胡", "琵琶", "古筝", "唢呐"])


def check(value, tag="zh-Hans-CN", translation="en", *, complete=True, **changed):
    where = context(tag, translation)
    accept(KIND.tree(settings(**changed), where), value)
    return KIND.check(value, settings(**changed), where, complete=complete)


def codes(findings):
    return [(f.code, f.field) for f in findings]


def local(question=CHINESE[0], options=CHINESE[1], tag="zh-Hans-CN", **changed):
    """Codes and fields of what is found in texts of one language."""
    return codes(check(content(question, options), tag, None, **changed))


# --- Real questions -------------------------------------------------------------------------------------------------

# The language, the question, its options with the right one first, and all of it in English.
QUESTIONS = [
    (
        row["tag"],
        row["question"]["local"],
        [option["local"] for option in row["options"]],
        row["question"]["translated"],
        [option["translated"] for option in row["options"]],
    )
    for row in SCRIPT_QUESTIONS
]


@pytest.mark.parametrize(("tag", "question", "options", "english", "translations"), QUESTIONS)
def test_a_question_of_each_script_passes_as_it_is(tag, question, options, english, translations):
    value = content(question, options, (english, translations))
    assert check(value, tag) == []
    tree = KIND.tree(settings(), context(tag))
    assert clean(tree, value) == value
    assert KIND.rules(settings(), context(tag)).content.fields["question"].fields["local"].dir == direction_of(tag)


@pytest.mark.parametrize("blank", ["\u3164", "\uffa0", "\u1160", "\u2800", "\u2800\U000e0041", "\u200b"])
def test_invisible_characters_are_no_text_and_tell_no_options_apart(blank):
    question, options = CHINESE
    found = local(blank * 9, [*options[:2], blank, options[3]])
    assert found == [("text_missing", "question.local"), ("text_missing", "options.2.local")]
    assert local(question, [*options[:3], f"{options[0]}{blank}"]) == [("option_equal", "options.3.local")]
    assert local(question, ["+", "-", "?", f"?{blank}"]) == [("option_equal", "options.3.local")]


def test_all_thirteen_scripts_have_a_question():
    assert {script_of(tag).name for tag, *_ in QUESTIONS} == set(SCRIPTS)


@pytest.mark.parametrize(("tag", "question", "options", "english", "translations"), QUESTIONS)
def test_the_same_faults_are_found_in_each_script(tag, question, options, english, translations):
    """Without its mark, in the wrong column, and with two equal options."""
    mark = len(question.rstrip("か。؟፧？?"))
    without = content(question[:mark], options, (english, translations))
    assert codes(check(without, tag)) == [("question_mark_missing", "question.local")]
    twice = content(question, [*options[:3], f" {options[1]}. "], (english, translations))
    assert codes(check(twice, tag)) == [("option_equal", "options.3.local")]
    if script_of(tag).name != "latin":
        swapped = check(content(english, options, (question, translations)), tag)
        assert {("other_script", "question.local"), ("other_script", "question.translated")} <= set(codes(swapped))


# CVQA, appendix A: acceptable examples. A range of warnings is right for some, errors for none.
EXAMPLES = [
    (
        "es-MX",
        "¿Qué se muestra en la imagen?",
        ["el calendario azteca/ piedra del sol", "una serpiente azteca", "coatlicue", "tláloc"],
        "What is shown in the image?",
        ["the aztec calendar/ aztec sun stone", "an aztec serpent", "coatlicue", "tlaloc"],
        [("right_longest", "options.0.local"), ("right_longest", "options.0.translated")],
    ),
    (
        "ig-NG",
        "Kedụ ebe a na-eme mmemme a?",
        ["Ụlọ nna nwunye", "Ahia", "Ụlọ nna di", "Ụlọ nsọ"],
        "Where is this ceremony held?",
        ["The home of the bride's father", "The market", "The home of the groom's father", "The church"],
        [("right_longest", "options.0.local"), ("where_vague", "question.translated")],
    ),
    (
        "id-ID",
        "Pada tahun berapakah foto ini diambil?",
        ["2015", "2020", "2023", "2010"],
        "In what year is this photo taken?",
        ["2015", "2020", "2023", "2010"],
        [],
    ),
    (
        "ga-IE",
        "Cén eachtra stairiúil atá léirithe sna dealbha seo?",
        ["An Ghorta Mhór", "Éirí Amach 1916", "Teitheadh na n-Iarlaí", "Cogadh 1835"],
        "What historical event is depicted in these statues?",
        ["The Great Famine", "The 1916 Rising", "The flight of the Earls", "The 1835 war"],
        [],
    ),
    (
        "ko-KR",
        "그릇의 재질은 무엇인가요?",
        ["돌", "도자기", "유리", "스테인리스 스틸"],
        "What is the material of the bowl?",
        ["Stone", "Ceramic", "Glass", "Stainless Steel"],
        [],
    ),
    (
        "fil-PH",
        "Anong tawag sa kakanin na ito?",
        ["Puto Bumbong", "Suman", "Kutsinta", "Sapin-Sapin"],
        "What is the name of this rice cake?",
        ["Puto Bumbong", "Suman", "Kutsinta", "Sapin-Sapin"],
        [],
    ),
]


@pytest.mark.parametrize(("tag", "question", "options", "english", "translations", "expected"), EXAMPLES)
def test_the_papers_own_examples(tag, question, options, english, translations, expected):
    found = check(content(question, options, (english, translations)), tag)
    assert codes(found) == expected
    assert open_findings(found, {}) == []


# --- Each rule ------------------------------------------------------------------------------------------------------


def test_whatever_is_missing_in_one_language_or_in_all_is_an_error():
    value = content(CHINESE[0], ["二胡", "", "古筝", " \u200d\u200f"], (" ", ["Erhu", "Pipa", "", ""]), category="")
    assert codes(check(value)) == [
        ("category_missing", "category"),
        ("side_missing", "question.translated"),
        ("side_missing", "options.1.local"),
        ("side_missing", "options.2.translated"),
        ("text_missing", "options.3.local"),
    ]
    assert check(value, complete=False) == []
    nothing = empty(KIND.tree(settings(), context()))
    assert [field for _, field in codes(check(nothing))] == [
        "category",
        "question.local",
        *(f"options.{n}.local" for n in range(4)),
    ]
    assert check(nothing, complete=False) == []


def test_an_explanation_is_written_where_the_protocol_asks_for_it():
    value = content(*CHINESE, ENGLISH) | {"explanation": {"local": "图中是二胡，有两根弦。", "translated": ""}}
    found = check(value, explanation=True)
    assert codes(found) == [("side_missing", "explanation.translated")]
    value["explanation"] = {"local": "🎻", "translated": "?!"}
    assert codes(check(value, explanation=True)) == [("text_missing", "explanation.local")]
    with pytest.raises(MalformedContent):
        check(value)
    with pytest.raises(MalformedContent):
        check(content(*CHINESE, ENGLISH), explanation=True)


@pytest.mark.parametrize(
    ("options", "equal"),
    [
        (["二胡", "琵琶", "二 胡。", "唢呐"], [(2, 0)]),
        (["Erhu", "ＥＲＨＵ", "erhu!", "Pipa"], [(1, 0), (2, 0)]),
        (["𠮷野家", "吉野家", "松屋", "全家"], []),
        (["1.5 元", "15 元", "-5 元", "5 元"], []),
        (["+", "＋", "-", "×"], [(1, 0)]),
        (["?", "？", "!", "…"], [(1, 0)]),
        (["🍎", "🍏", "🍎", "👩\u200d🌾"], [(2, 0)]),
        (["C", "C++", "C#", "c"], [(3, 0)]),
        (["", "", " ", "唢呐"], []),
        (["ශ්\u200dරී", "ශ්රී", "ශ්\u200dරීය", "රී"], [(1, 0)]),
    ],
)
def test_options_differ(options, equal):
    found = check(content("？", options), translation=None, complete=False, flags=[])
    assert [(f.code, f.field, f.params, f.severity) for f in found] == [
        ("option_equal", f"options.{later}.local", {"other": earlier}, "error") for later, earlier in equal
    ]


def test_options_that_are_equal_in_the_translation_alone_are_an_error():
    value = content(*CHINESE, (ENGLISH[0], ["Fiddle", "Lute", "Zither", "fiddle"]))
    assert codes(open_findings(check(value), {})) == [("option_equal", "options.3.translated")]


def test_an_answer_in_its_question_stays_with_a_reason():
    value = content("𠮷拉二胡的人在几月演出？", CHINESE[1], ("When is the erhu played?", ENGLISH[1]))
    found = check(value)
    assert [(f.field, f.params, f.spans, f.overridable) for f in found] == [
        ("question.local", {"text": "二胡"}, (Span("question.local", 3, 5),), True),
        ("question.translated", {"text": "Erhu"}, (Span("question.translated", 12, 16),), True),
    ]
    assert {f.code for f in open_findings(found, {})} == {"answer_in_question"}
    assert open_findings(found, {"answer_in_question": "二胡是曲名"}) == []


def test_a_question_may_offer_a_choice_or_name_a_distractor():
    assert local("图中的乐器是二胡还是琵琶？") == []
    assert local("图中琵琶旁边的乐器是什么？") == []
    english = content(*CHINESE, ("Is the instrument an erhu or a pipa?", ENGLISH[1]))
    assert check(english) == []


def test_the_right_option_may_not_stand_out():
    def lengths(*counts):
        return local(options=["甲乙丙丁戊己庚辛壬癸"[:n] + str(i) for i, n in enumerate(counts)])

    longest = [("right_longest", "options.0.local")]
    assert lengths(5, 2, 2, 4) == longest  # 6 characters with the digit; the others have 3, 3 and 5
    assert lengths(4, 2, 2, 3) == []  # 5, less than twice 3
    assert lengths(5, 2, 2, 5) == []  # another is as long
    assert lengths(3, 1, 0, 1) == []  # 4 characters do not stand out
    assert lengths(4, 1, 0, 1) == longest
    assert local(options=["10", "9", "8", "7"]) == []
    assert local(options=["甲乙丙丁戊己庚", "🍎", "甲", "乙"]) == []  # one without characters to count
    [finding] = check(content(CHINESE[0], ["甲乙丙丁戊己", "甲", "乙丙丁", "𠮷𠮷"]), translation=None)
    assert (finding.severity, finding.params) == ("warn", {"length": 6, "median": 2})


@pytest.mark.parametrize(
    ("tag", "option", "percent"),
    [
        ("zh-Hans-CN", "Erhu", 0),
        ("zh-Hans-CN", "GPS", None),  # three letters
        ("zh-Hans-CN", "二胡ab", None),  # half of them
        ("zh-Hans-CN", "二胡abc", 40),
        ("zh-Hans-CN", "にほんご", 0),
        ("zh-Hant-TW", "胡琴之類", None),
        ("en", "Ｅｒｈｕ", None),
        ("ja-JP", "スーパー銭湯", None),
        ("ur-PK", "Coca-Cola", 0),
        ("ur-PK", "کوکا کولا (Coca-Cola)", 50),
        ("en", "二胡琵琶", 0),
        ("mn-Mong", "Морин хуур", None),  # no rule without a script
        ("", "Морин хуур", None),
        ("en", "🍎🍎🍎🍎 2015", None),
    ],
)
def test_texts_are_in_their_languages_script(tag, option, percent):
    found = check(content("？", [option, "", "", ""]), tag, None, complete=False, flags=["other_script"])
    expected = [] if percent is None or percent == 50 else [("options.0.local", "warn", {"percent": percent})]
    assert [(f.field, f.severity, f.params) for f in found] == expected


def test_explanations_are_in_their_languages_script_too():
    value = content(*CHINESE, ENGLISH) | {
        "explanation": {"local": "It has two strings.", "translated": "两根弦的是它。"}
    }
    assert codes(check(value, explanation=True)) == [
        ("other_script", "explanation.local"),
        ("other_script", "explanation.translated"),
    ]


@pytest.mark.parametrize(
    ("tag", "question", "found"),
    [
        ("sw-KE", "What is the name of this food?", True),
        ("fil-PH", "What is the tawag dito?", True),  # two of five
        ("fil-PH", "Ano ang tawag sa the game of this?", True),  # three of eight
        ("fil-PH", "Ano ang tawag sa larong ito of the Pinoy?", False),  # two of nine
        ("ga-IE", "What seo?", False),
        ("no-NO", "Hva heter drakten på bildet?", False),
        ("en-GB", "What is the name of this food?", False),
        ("ru-RU", "What is the name of this food?", False),  # told by its script
    ],
)
def test_english_is_recognised_where_the_script_is_the_same(tag, question, found):
    expected = [("english_in_local", "question.local")] if found else []
    assert local(question, ["甲", "乙", "丙", "丁"], tag, flags=["english_in_local"]) == expected


def test_questions_that_need_their_options_or_ask_for_any_place():
    value = content("这里哪一种乐器不是弦乐器？", CHINESE[1], ("Where is this; which of them is not here?", ENGLISH[1]))
    assert [(f.code, f.severity, f.spans) for f in check(value)] == [
        ("negated_options", "warn", (Span("question.local", 2, 9),)),
        ("negated_options", "warn", (Span("question.translated", 15, 35),)),
        ("where_vague", "warn", (Span("question.translated", 0, 5),)),
    ]


def test_only_the_flags_of_the_protocol_are_raised():
    value = content("What is not in 哪里?", ["Erhu", "a", "b", "c"])
    assert codes(check(value, translation=None, flags=["negated_options"])) == [("negated_options", "question.local")]
    assert check(value, translation=None, flags=[]) == []


def test_a_category_is_one_of_the_benchmarks():
    value = content(*CHINESE, ENGLISH, category="animals")
    [finding] = check(value, complete=False)
    assert (finding.code, finding.field, finding.params) == (
        "category_unknown",
        "category",
        {"category": "animals"},
    )
    assert KIND.check(value, settings(), context(categories=None), complete=True) == []


def test_texts_that_no_revision_stores_are_refused():
    value = content("图中是\u202e什么？", ["二胡", "琵琶\x07", "古筝", "唢呐"])
    assert local(value["question"]["local"], [option["local"] for option in value["options"]]) == [
        ("text_refused", "question.local"),
        ("text_refused", "options.1.local"),
    ]
    with pytest.raises(TextRefused):
        clean(KIND.tree(settings(), context(translation=None)), value)


# --- What is stored and published -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kept", ["می\u200cخواہم", "ශ්\u200dරී", "Toyota\u200f", "👩\u200d🌾", "𠮷", "ＫＴＶ", "؟", "፧", "½"]
)
def test_joiners_direction_marks_and_wide_forms_survive(kept):
    tree = KIND.tree(settings(), context())
    value = content(f"x{kept}x", [kept, f"{kept}1", f"{kept}2", f"{kept}3"], (kept, [kept] * 4))
    assert accept(tree, value) == value
    assert clean(tree, value) == value


def test_texts_are_stored_composed_and_without_outer_blanks():
    tree = KIND.tree(settings(options=2), context(translation=None))
    typed = {
        "category": "",
        "question": {"local": " cafe\u0301\n? "},
        "options": [{"local": "\t"}, {"local": "　a "}],
    }
    assert clean(tree, typed) == {
        "category": "",
        "question": {"local": "café ?"},
        "options": [{"local": ""}, {"local": "a"}],
    }


@pytest.mark.parametrize(
    ("tag", "translation", "sides"),
    [
        ("arz-EG", "en", {"local": "arz-EG", "translated": "en"}),
        ("en-IE", "en", {"local": "en-IE"}),
        ("zh-Hans", "zh-Hant", {"local": "zh-Hans", "translated": "zh-Hant"}),
        ("ja-JP", None, {"local": "ja-JP"}),
        ("", "en", {"local": "", "translated": "en"}),  # a benchmark of many teams
    ],
)
def test_one_language_is_written_once(tag, translation, sides):
    fields = KIND.rules(settings(explanation=True), context(tag, translation)).content.fields
    for both in (fields["question"], fields["options"].of, fields["explanation"]):
        assert {name: node.lang for name, node in both.fields.items()} == sides


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        content(*CHINESE),  # without the translations
        content(CHINESE[0], CHINESE[1][:3], (ENGLISH[0], ENGLISH[1][:3])),
        content(*CHINESE, ENGLISH) | {"right": 1},
        content(*CHINESE, ENGLISH, category="Essen & Trinken"),
        content("长" * 1001, CHINESE[1], ENGLISH),
    ],
)
def test_content_of_another_shape_is_refused(wrong):
    with pytest.raises(MalformedContent):
        check(wrong)


def test_options_are_withheld_because_the_first_is_right():
    tree = KIND.tree(settings(explanation=True), context())
    value = content(*CHINESE, ENGLISH) | {"explanation": {"local": "两根弦。", "translated": "Two strings."}}
    public, key = withhold(tree, {"id": 1} | value)
    assert public == {
        "id": 1,
        "category": "food",
        "question": value["question"],
        "options": [],
        "explanation": {"local": "", "translated": ""},
    }
    assert key == {"options": value["options"], "explanation": value["explanation"]}
    assert list(columns(tree)) == list(value)
    assert all(column.meaning for column in columns(tree).values())


def test_its_texts_make_its_content_again():
    tree = KIND.tree(settings(), context())
    value = content(*CHINESE, ENGLISH, category="")
    texts = {group: texts_at(value, group) for group in text_groups(tree)}
    assert list(texts) == ["question.local", "question.translated", "options.local", "options.translated"]
    assert from_texts(tree, texts) == value


# --- What every kind owes -------------------------------------------------------------------------------------------


def test_the_kind_names_itself_and_brings_its_shapes():
    assert KIND.name == MULTIPLE_CHOICE
    assert issubclass(KIND.settings, KindSettings)
    assert issubclass(KIND.rules_shape, Rules)
    assert set(KIND.rules_shape.model_fields) - {"kind", "content"} == set(KIND.settings.model_fields)
    assert KIND.rules(settings(), context()).model_dump()["kind"] == MULTIPLE_CHOICE


MULTIPLE_CHOICE = "multiple_choice"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_finding_has_a_sentence(language):
    sentences = json.loads((ROOT / f"frontend/src/locales/{language}/kinds.json").read_text())[MULTIPLE_CHOICE]
    found = set(re.findall(r'\bFinding\(\s*"(\w+)"', Path(multiple_choice.__file__).read_text()))
    assert len(found) == 14
    assert {re.sub("_(one|other)$", "", code) for code in sentences["finding"]} == found
    assert set(sentences["override"]) == {"answer_in_question", "concept_in_question"}
    assert set(sentences["flag"]) == set(FLAGS)


def test_the_preset_of_cvqa_has_its_settings():
    preset = numbers_of(MULTIPLE_CHOICE)
    of_cvqa = MultipleChoiceSettings.model_validate(preset)
    assert (of_cvqa.options, of_cvqa.explanation, of_cvqa.flags) == (4, False, FLAGS)
    assert of_cvqa.reason_codes == ["language", "not_cultural", "needs_no_picture", "wrong_source"]


@pytest.mark.parametrize("changed", [{"options": 1}, {"options": 11}, {"flags": ["rude"]}, {"extra": 1}])
def test_settings_are_checked(changed):
    with pytest.raises(ValidationError):
        settings(**changed)


def test_every_flag_of_the_settings_exists():
    assert (
        set(MultipleChoiceSettings.model_fields["flags"].annotation.__args__[0].__args__) == set(_FLAGS) == set(FLAGS)
    )


# --- Long and strange texts -----------------------------------------------------------------------------------------


def test_each_text_is_split_a_few_times_however_many_options_there_are(monkeypatch):
    split, read = comparison.words, list[str]()
    monkeypatch.setattr(comparison, "words", lambda value: read.append(value) or split(value))
    question, options = "ab? " * 2_500, [f"{'cd ' * 3_333}{n}" for n in range(10)]
    value = content(question, options)
    found = KIND.check(value, settings(options=10), context("en", None), complete=True)
    assert codes(found) == []
    assert max(read.count(text) for text in (question, *options)) <= 2
    assert max(read.count(text) for text in options[1:]) == 1


@pytest.mark.parametrize(
    "piece", ["a", "字", "𠮷", "؟", "\u200f", "which not ", "哪", "👩\u200d👧", "a\u0301\u0316", "-1.", "where, "]
)
def test_a_field_has_few_findings_however_long_it_is(piece):
    value = content(piece * (10_000 // len(piece)), [piece * n for n in range(2_000, 2_004)])
    for tag in ("en", "ja-JP", "ur-PK", ""):
        found = KIND.check(value, settings(), context(tag, None), complete=True)
        assert max(sum(f.field == field for f in found) for field in ("question.local", "options.0.local")) <= 7


_PIECES = [
    "二胡",
    "Erhu",
    "which",
    "not",
    "where",
    "？",
    "؟",
    ",",
    ".",
    "𠮷",
    "🏮",
    "é",
    " ",
    "\u202e",
    "\u200f",
    "Ａ",
    "？”",
]
_TYPED = st.lists(st.sampled_from(_PIECES), max_size=8).map("".join)


@given(st.lists(_TYPED, min_size=10, max_size=10), st.sampled_from(["zh-Hans", "ur-PK", "id-ID", ""]), st.booleans())
def test_marks_are_within_what_they_mark(texts, tag, complete):
    value = content(texts[0], texts[1:5], (texts[5], texts[6:]))
    names = ["question", *(f"options.{n}" for n in range(4))]
    fields = {
        f"{name}.{side}": texts[n + 5 * s]
        for s, side in enumerate(("local", "translated"))
        for n, name in enumerate(names)
    }
    for finding in check(value, tag, complete=complete):
        assert finding.field in fields
        for span in finding.spans:
            assert span.field == finding.field
            assert 0 <= span.start < span.end <= len(fields[span.field].encode("utf-16-le")) // 2


def twice(question, *siblings, translated=None):
    """The warnings that another item on the picture asks the same."""
    value = content(question, CHINESE[1], translated)
    language = Language("zh-Hans-CN", "ltr")
    where = Context(
        language,
        Language("en") if translated else None,
        categories=CATEGORIES,
        siblings=tuple(Sibling(f"mcq-{n}", other) for n, other in enumerate(siblings, 1)),
    )
    found = KIND.check(value, settings(), where, complete=False)
    return [(f.field, f.severity, f.params) for f in found if f.code == "question_twice"]


def test_a_question_that_another_item_on_the_picture_asks_gets_a_warning():
    same, other = content("图中的乐器，叫什么名字？？", CHINESE[1]), content("谁在弹琴？", CHINESE[1])
    assert twice(CHINESE[0], other, same) == [("question.local", "warn", {"item": "mcq-2"})]
    assert twice(CHINESE[0], other) == twice("") == twice("", content("", CHINESE[1])) == []


def test_each_item_that_asks_the_same_is_named_once_in_whichever_language():
    both = content(CHINESE[0], CHINESE[1], ENGLISH)
    in_english = content("乐器叫什么？", CHINESE[1], ENGLISH)
    assert twice(CHINESE[0], both, in_english, translated=ENGLISH) == [
        ("question.local", "warn", {"item": "mcq-1"}),
        ("question.translated", "warn", {"item": "mcq-2"}),
    ]
