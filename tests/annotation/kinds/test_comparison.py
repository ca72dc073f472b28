"""Comparing short texts in every script: what is the same, and what occurs in what."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.kinds import comparison
from annotation.kinds.comparison import find_answer, key_of, occurrences, words
from curation.core import text

N = 10_000


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("New-York, USA!", ["new", "york", "usa"]),
        ("朱 雀", ["朱", "雀"]),
        ("这是KTV吗", ["这", "是", "ktv", "吗"]),
        ("ＡＢ１２", ["ab12"]),
        ("スーパー ｶﾞﾑ", ["ス", "ー", "パ", "ー", "ガ", "ム"]),
        ("돌솥은 뜨겁다", ["돌솥은", "뜨겁다"]),
        ("C++ C# ５％", ["c", "+", "+", "c", "#", "5", "%"]),
        ("-5 and −5 and A-5", ["-", "5", "and", "−", "5", "and", "a", "5"]),
        ("2.5 m, 1,000 m.", ["2.5", "m", "1,000", "m"]),
        ("２．５", ["2.5"]),
        ("3:30–4:00", ["3", ":", "30", "–", "4", ":", "00"]),
        ("𠮷野家🍜", ["𠮷", "野", "家", "🍜"]),
        ("❤️ ❤", ["❤", "❤"]),
        ("👩\u200d🌾👩🌾", ["👩\u200d🌾", "👩", "🌾"]),
        ("cafe\u0301 CAFÉ", ["café", "café"]),
        ("Straße", ["strasse"]),
        ("می\u200cخواہم", ["میخواہم"]),
        ("ශ්\u200dරී", ["ශ්රී"]),
        ("كوكا\u200fكولا", ["كوكاكولا"]),
        ("፧ ؟ …", []),
        ("", []),
    ],
)
def test_words(value, expected):
    assert [word.folded for word in words(value)] == expected


def test_words_are_placed_in_utf16_code_units():
    assert [tuple(word) for word in words("𠮷 \u200fab-é")] == [("𠮷", 0, 2), ("ab", 4, 6), ("é", 7, 8)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("New York", "new-york!", True),
        ("New York", "Newyork", False),
        ("二胡。", "二 胡", True),
        ("ＫＴＶ", "ktv", True),
        ("2.5", "25", False),
        ("-5", "5", False),
        ("1990-2000", "19902000", False),
        ("C", "C++", False),
        ("+", "-", False),
        ("+", "＋", True),
        ("?", "!", False),
        ("?", "\u3164?\u200b\u2800", True),
        ("red", "\u2800red\u2800", True),
        ("red hat", "red\u2800hat", True),
        ("redhat", "red\u2800hat", False),
        ("⠗⠑⠙", "⠗⠑⠙\u2800", True),
        ("…", "...", True),
        ("🍎", "🍏", False),
        ("Résumé", "Resume", False),
        ("هٰذا", "هذا", False),
        ("ශ්\u200dරී", "ශ්රී", True),
        ("دمشق\u200f", "دمشق", True),
    ],
)
def test_texts_that_say_the_same_have_one_key(one, other, same):
    assert (key_of(one) == key_of(other)) is same


# An answer in a question of each script, and a question in which it is only a part of a longer word.
IN_QUESTIONS = [
    ("እንጀራ", "እንጀራ ከምን ይሠራል፧", "የእንጀራው ምጣድ ከምን ይሠራል፧"),
    ("كشري", "طبق كشري ده أصله منين؟", "الكشرية دي بتتباع فين؟"),
    ("রসগোল্লা", "রসগোল্লা কোন শহরের মিষ্টি?", "রসগোল্লার শহর কোনটি?"),
    ("рила", "В коя планина е Рила?", "Кой е Рилският манастир?"),
    ("होली", "यह होली किस महीने में है?", "यह होलीका किस महीने में है?"),
    ("batik", "Apa motif kain batik ini?", "Siapa yang membatik kain ini?"),
    ("کرولا", "یہ کرولا کس سال کی ہے؟", "یہ کرولاوں کس سال کی ہیں؟"),
    ("වෙසක්", "වෙසක් උත්සවය කවදාද?", "වෙසක්කූඩුව කුමක්ද?"),
    ("கோயில்", "இந்த கோயில் எங்கே உள்ளது?", "இந்த கோயில்களின் பெயர் என்ன?"),
    ("కథక్", "ఈ కథక్ నృత్యం ఏమిటి?", "ఈ కథక్కళి ఏమిటి?"),
]


@pytest.mark.parametrize(("answer", "naming", "other"), IN_QUESTIONS)
def test_an_answer_is_found_as_a_word_where_spaces_separate_words(answer, naming, other):
    start = naming.lower().index(answer)
    assert find_answer(answer, naming, []) == (start, start + len(answer))
    assert find_answer(answer, other, []) is None


@pytest.mark.parametrize(
    ("answer", "question", "place"),
    [
        ("朱雀", "图中的朱雀是什么颜色？", (3, 5)),
        ("朱雀", "图中的朱 雀是什么颜色？", (3, 6)),
        ("姫路城", "この姫路城は何県にありますか。", (2, 5)),
        ("ミャクミャク", "写真のミャクミャクは何の色ですか。", (3, 9)),
        ("돌솥", "사진 속 돌솥은 무엇으로 만들었나요?", (5, 8)),  # with the particle that follows it
        ("솥", "돌솥은 무엇으로 만들었나요?", None),
        ("솥밥", "돌솥밥은 무엇인가요?", None),
        ("돌솥 비빔밥", "이 돌솥 비빔밥을 무엇이라고 부르나요?", (2, 9)),
        ("ktv", "哪个ＫＴＶ招牌最亮？", (2, 5)),
        ("it", "图中的BIT和ITO是什么？", None),
        ("大鼓", "𠮷大鼓是什么？", (2, 4)),
        ("art", "What hangs at the party?", None),
        ("art is", "Which artist is it?", None),
        ("The Great Wall.", "How long is “the great wall”?", (13, 27)),
        ("2015", "In the 2015-16 season, which club won?", (7, 11)),
        ("25", "Which coin of 2.5 birr is it?", None),
        ("大", "哪种鼓最大？", None),  # a single character says nothing
        ("2", "Which of the 2 boats won?", None),
        ("+", "What does + mean?", None),
        ("", "What is it?", None),
        ("a b", "", None),
        ("Toyota", "شو اسم سيارة Toyota هذه؟", (13, 19)),
        ("تويوتا", "ما هي تويو\u200fتا؟", (6, 13)),
    ],
)
def test_where_an_answer_is_found(answer, question, place):
    assert find_answer(answer, question, []) == place


@pytest.mark.parametrize(
    ("answer", "question", "others", "place"),
    [
        ("Temple", "Is this a temple or a church?", ["Church"], None),
        ("Temple", "Is this a temple or a church?", ["Mosque"], (10, 16)),
        ("寺庙", "图中的建筑是寺庙还是教堂？", ["教堂"], None),
        ("masjid", "Apakah ini gereja atau masjid?", ["gereja"], None),
        ("قطار", "هل هذا قطار أم حافلة؟", ["حافلة"], None),
        ("Green tea", "Is this black tea or green tea?", ["Black tea"], None),
        # An option inside the answer is no alternative, another mention of it is.
        ("Green tea", "Who drinks green tea here?", ["Tea"], (11, 20)),
        ("Green tea", "Is this green tea or tea?", ["Tea"], None),
        ("Tea", "Who drinks green tea here?", ["Green tea"], (17, 20)),
    ],
)
def test_a_choice_between_options_gives_nothing_away(answer, question, others, place):
    assert find_answer(answer, question, others) == place


def test_occurrences_do_not_overlap():
    assert list(occurrences(words("ab ab"), words("ab ab ab ab ab"))) == [(0, 2), (2, 4)]
    assert list(occurrences(words("돌"), words("돌은 돌솥 큰돌 돌"))) == [(0, 1), (1, 2), (3, 4)]
    assert list(occurrences([], words("ab"))) == []


_PIECES = [
    "朱雀",
    "ab",
    "AB",
    "é",
    " ",
    "-",
    "2",
    ".",
    "5",
    "𠮷",
    "🍜",
    "\u200d",
    "\u200f",
    "돌",
    "은",
    "ー",
    "ශ්\u200dරී",
    "？",
]
_TEXT = st.lists(st.sampled_from(_PIECES), max_size=8).map("".join)


@given(_TEXT, _TEXT, _TEXT)
def test_what_is_found_says_what_was_sought(before, answer, after):
    question = f"{before} {answer} {after}"
    place = find_answer(answer, question, [])
    if len(text.counted_characters(answer)) >= 2:
        assert place is not None
        start, end = place
        found = question.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")
        assert "".join(key_of(found)).startswith("".join(key_of(answer)))
    else:
        assert place is None


@pytest.mark.parametrize(
    "value",
    [
        "a" * N,
        "字" * N,
        "𠮷" * N,
        "é" * N,
        "돌" * N,
        "2." * (N // 2),
        "- " * (N // 2),
        "\u200f" * N,
        "a\u200d" * (N // 2),
        "a" + "\u0301\u0316" * (N // 2),
        "👩\u200d👩\u200d👧" * (N // 5),
        "🇨🇳" * (N // 2),
        "ශ්\u200dරී" * (N // 5),
    ],
)
def test_each_character_of_a_long_text_is_folded_once(monkeypatch, value):
    folded, read = comparison._character, list[str]()
    monkeypatch.setattr(comparison, "_short_character", lambda grapheme: read.append(grapheme) or folded(grapheme))
    monkeypatch.setattr(comparison, "_character", lambda grapheme: read.append(grapheme) or folded(grapheme))
    found = words(value)
    assert "".join(read) == value
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_a_long_question_is_split_once_and_searched_in_steps(monkeypatch):
    split, texts = comparison.words, list[str]()
    monkeypatch.setattr(comparison, "words", lambda value: texts.append(value) or split(value))

    class Watched(str):
        __slots__ = ()
        searches = 0

        def find(self, *args):
            Watched.searches += 1
            return super().find(*args)

    joined = comparison._joined
    monkeypatch.setattr(comparison, "_joined", lambda sequence: Watched(joined(sequence)))
    question = "ab " * (N // 3)
    assert find_answer("cd ab", f"{question}cd ab", ["ab", "cd"]) is None
    assert sorted(texts) == sorted(["cd ab", f"{question}cd ab", "ab"])  # the first other option ends it
    assert Watched.searches == 2
    Watched.searches = 0
    assert len(list(occurrences(split("ab ab"), split(question)))) == N // 3 // 2
    assert Watched.searches == N // 3 // 2 + 1


def test_only_short_characters_stay_in_memory():
    before = comparison._short_character.cache_info()
    words("a" + "\u0301" * 9)
    after = comparison._short_character.cache_info()
    assert (after.currsize, after.maxsize) == (before.currsize, 16_384)
