"""Scripts of the languages of CVQA's teams, with sentences in each of the thirteen."""

from collections import Counter
from pathlib import Path

import pytest
import yaml

from annotation.kinds.scripts import SCRIPTS, direction_of, letters_in, marks_of, same_language, script_of

PAIRS = yaml.safe_load((Path(__file__).parents[3] / "fixtures" / "taxonomies" / "cvqa-pairs.yaml").read_text())["pairs"]
# The tag of each of the 39 pairs.
TAGS = {
    "egypt_egyptian_arabic": "arz-EG",
    "ethiopia_amharic": "am-ET",
    "ethiopia_oromo": "om-ET",
    "kenya_swahili": "sw-KE",
    "nigeria_igbo": "ig-NG",
    "rwanda_kinyarwanda": "rw-RW",
    "china_chinese": "zh-Hans-CN",
    "india_bengali": "bn-IN",
    "india_hindi": "hi-IN",
    "india_marathi": "mr-IN",
    "india_tamil": "ta-IN",
    "india_telugu": "te-IN",
    "india_urdu": "ur-IN",
    "indonesia_indonesian": "id-ID",
    "indonesia_javanese": "jv-ID",
    "indonesia_minangkabau": "min-ID",
    "indonesia_sundanese": "su-ID",
    "japan_japanese": "ja-JP",
    "south_korea_korean": "ko-KR",
    "malaysia_malay": "ms-MY",
    "mongolia_mongolian": "mn-MN",
    "pakistan_urdu": "ur-PK",
    "philippines_filipino": "fil-PH",
    "singapore_chinese": "zh-Hans-SG",
    "sri_lanka_sinhala": "si-LK",
    "bulgaria_bulgarian": "bg-BG",
    "france_breton": "br-FR",
    "ireland_irish": "ga-IE",
    "norway_norwegian": "no-NO",
    "romania_romanian": "ro-RO",
    "russia_russian": "ru-RU",
    "spain_spanish": "es-ES",
    "argentina_spanish": "es-AR",
    "brazil_portuguese": "pt-BR",
    "chile_spanish": "es-CL",
    "colombia_spanish": "es-CO",
    "ecuador_spanish": "es-EC",
    "mexico_spanish": "es-MX",
    "uruguay_spanish": "es-UY",
}


def test_each_of_the_39_pairs_has_the_script_of_the_list():
    assert {pair["slug"]: pair["script"] for pair in PAIRS} == {
        slug: script.name for slug, tag in TAGS.items() if (script := script_of(tag))
    }
    assert Counter(script_of(tag) for tag in TAGS.values())[SCRIPTS["latin"]] == 22
    assert {script_of(tag) for tag in TAGS.values()} == set(SCRIPTS.values())
    assert len(SCRIPTS) == 13
    assert sorted(tag for tag in TAGS.values() if direction_of(tag) == "rtl") == ["arz-EG", "ur-IN", "ur-PK"]


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("en", "latin"),
        ("zh", "chinese"),
        ("zh-Hant-TW", "chinese"),
        ("ZH-hant", "chinese"),
        ("ms-Arab-MY", "arabic"),  # the script in a tag wins
        ("ur-Latn", "latin"),
        ("mn-Mong-CN", None),
        ("th-TH", None),
        ("th-Latn", "latin"),
        ("", None),
    ],
)
def test_a_tag_names_its_script_or_its_language_has_one(tag, name):
    assert getattr(script_of(tag), "name", None) == name


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("en", "en-GB", True),
        ("en-US", "EN", True),
        ("zh-Hans-CN", "zh-Hans-SG", True),
        ("zh-Hans", "zh-Hant", False),
        ("ur-PK", "ur-Latn", False),
        ("es-MX", "en", False),
        ("", "en", False),
    ],
)
def test_languages_are_the_same_in_whatever_region(one, other, same):
    assert same_language(one, other) is same


# Questions of every script: the language, the text, its letters in the script and all its letters.
QUESTIONS = [
    ("am-ET", "በሥዕሉ ላይ የሚታየው ምግብ ምን ይባላል፧", 20, 20),
    ("arz-EG", "Pepsi اللي في الصورة عليها اسم أنهي نادي؟", 28, 33),
    ("bn-IN", "ছবির মিষ্টিটির নাম কী?", 11, 11),
    ("zh-Hans-CN", "图中的𠮷祥物叫什么名字？", 11, 11),
    ("mn-MN", "Зураг дээрх хувцсыг юу гэж нэрлэдэг вэ?", 32, 32),
    ("hi-IN", "चित्र में कौन सा त्योहार है?", 12, 12),
    ("ko-KR", "사진 속 음식의 이름은 무엇인가요?", 14, 14),
    ("ja-JP", "この建物の名前は何ですか。", 12, 12),
    ("om-ET", "Maqaan nyaata kanaa maali?", 22, 22),
    ("ur-PK", "Toyota کی یہ گاڑی کس نام سے مشہور ہے؟", 22, 28),
    ("si-LK", "මෙම ශ්\u200dරී ලාංකික උත්සවය කුමක්ද?", 16, 16),
    ("ta-IN", "படத்தில் உள்ள கோயிலின் பெயர் என்ன?", 18, 18),
    ("te-IN", "చిత్రంలో ఉన్న నృత్యం పేరు ఏమిటి?", 15, 15),
]


@pytest.mark.parametrize(("tag", "question", "own", "letters"), QUESTIONS)
def test_letters_of_a_question_are_counted_by_script(tag, question, own, letters):
    script = script_of(tag)
    assert letters_in(question, script) == (own, letters)
    assert script.ends_question(question)


def test_every_script_has_a_question():
    assert {script_of(tag).name for tag, *_ in QUESTIONS} == set(SCRIPTS)


@pytest.mark.parametrize(
    ("tag", "text", "counted"),
    [
        ("en", "Ａｂｃ１２", (3, 3)),  # full-width letters are Latin, digits are no letters
        ("ja", "スーパー", (2, 2)),  # the sign for a long vowel belongs to no script
        ("ja", "ｱｲｽ", (3, 3)),
        ("ko", "漢字", (0, 2)),
        ("zh", "ひらがな", (0, 4)),
        ("en", "𝐀𝐁", (0, 0)),
        ("ur", "می\u200cخواہم", (7, 7)),
        ("en", "👩\u200d👩\u200d👧 😀 42 °C", (1, 1)),
        ("zh", "", (0, 0)),
    ],
)
def test_only_letters_of_a_script_count(tag, text, counted):
    assert letters_in(text, script_of(tag)) == counted


@pytest.mark.parametrize(
    ("tag", "text", "ends"),
    [
        ("en", "What is this?", True),
        ("en", "What is this", False),
        ("en", "What is this.", False),
        ("en", "What is this?!", True),
        ("en", "Who said “Where?”", True),
        ("en", "What is this (a bowl?) ", True),
        ("en", "What is this？", True),
        ("en", "What is this؟", False),
        ("es", "¿Qué es esto", False),
        ("ar", "ما هذا؟", True),
        ("ar", "ما هذا؟\u200f", True),  # a direction mark after it
        ("ar", "ما هذا?", True),
        ("ar", "ما هذا۔", False),
        ("ur", "یہ کیا ہے؟", True),
        ("ur", "یہ کیا ہے۔", False),
        ("am", "ይህ ምንድን ነው፧", True),
        ("am", "ይህ ምንድን ነው?", True),
        ("am", "ይህ ምንድን ነው።", False),
        ("hi", "यह क्या है।", False),
        ("zh", "这是什么？", True),
        ("zh", "这是什么﹖", True),
        ("zh", "这是什么。", False),
        ("ja", "これは何ですか。", True),
        ("ja", "これは何ですか", True),
        ("ja", "これは寺です。", False),
        ("zh", "这是什么か。", False),
        ("th", "ما هذا؟", True),  # the marks of every script where the language has none here
        ("", "ይህ ምንድን ነው፧", True),
        ("", "Τι είναι αυτό;", False),
        ("en", "", False),
    ],
)
def test_questions_end_with_a_mark_of_their_script(tag, text, ends):
    assert marks_of(tag).ends_question(text) is ends


@pytest.mark.parametrize(
    ("tag", "text", "sentences"),
    [
        ("en", "It costs 2.5 birr. What is it?", [(0, "It costs 2.5 birr"), (18, " What is it"), (30, "")]),
        ("zh", "图中有桥。它叫什么？", [(0, "图中有桥"), (5, "它叫什么"), (10, "")]),
        ("am", "ይህ ነው። ማን ነው፧", [(0, "ይህ ነው"), (6, " ማን ነው"), (13, "")]),
        ("hi", "यह है। क्या?", [(0, "यह है"), (6, " क्या"), (12, "")]),
        ("ar", "هذا بيت. أين؟", [(0, "هذا بيت"), (8, " أين"), (13, "")]),
        ("en", "", [(0, "")]),
    ],
)
def test_sentences_keep_their_places(tag, text, sentences):
    assert list(script_of(tag).sentences(text)) == sentences


@pytest.mark.parametrize("tag", [tag for tag, *_ in QUESTIONS])
def test_ten_thousand_marks_or_letters(tag):
    script = script_of(tag)
    mark = script.question_marks[-1]
    assert script.ends_question(mark * 10_000)
    assert not script.ends_question(mark * 9_999 + "x")
    assert len(list(script.sentences(mark * 10_000))) == 10_001
    assert letters_in("a字" * 5_000, script)[1] == 10_000
