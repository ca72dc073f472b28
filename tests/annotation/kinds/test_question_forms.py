"""Forms of questions that need their options or leave open what they ask, in English and Chinese."""

import pytest

from annotation.kinds import question_forms
from annotation.kinds.question_forms import bare_where, english_words, negated_choice
from annotation.kinds.scripts import SCRIPTS

LATIN, CHINESE = SCRIPTS["latin"], SCRIPTS["chinese"]
N = 10_000


def marked(find, question, script=None):
    """The part of a question that is found, or None."""
    place = find(question, script or (CHINESE if any("一" <= c <= "鿿" for c in question) else LATIN))
    return question[place[0] : place[1]] if place else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What song is not performed by this musician?", "What song is not"),  # CVQA, appendix A
        ("Which of these dishes isn't eaten at New Year?", "Which of these dishes isn't"),
        ("WHICH CITY HAS NEVER HAD THIS TRAM?", "WHICH CITY HAS NEVER"),
        ("All of the following are on the table except which?", "All of the following are on the table except"),
        ("This is a lion. Which of these can’t it do?", "Which of these can’t"),
        ("下列哪种乐器不是弹拨乐器？", "下列哪种乐器不是"),
        ("下列何者非圖中建築的特色？", "下列何者非"),
        ("以下選項中，錯誤的是哪一項？", "以下選項中，錯誤"),
        ("图中没有出现的乐器是哪一种？", None),  # the negation is no part of what is asked for
        ("哪一种乐器图中没有？", "哪一种乐器图中没有"),
        ("除了鼓，什么乐器不属于打击乐器？", "什么乐器不属于"),
        ("Why is this door not open?", None),
        ("Why does what he holds not burn?", None),
        ("为什么这扇门不能打开？", None),
        ("為何舞者不會跌倒？", None),
        ("图中有没有灯笼，是什么颜色？", None),
        ("图中的是不是古筝？", None),
        ("What is this knot called?", None),
        ("Which city is known not only for this food?", None),
        ("Does this dog, or not, belong to whom?", None),
        ("Which festival is this? It is not Christmas.", None),
        ("哪个节日会放这种灯？不是元宵节。", None),
        ("什么叫不倒翁？", None),
        ("", None),
    ],
)
def test_questions_for_what_is_not_so(question, expected):
    assert marked(negated_choice, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where is this monument located?", "Where"),  # CVQA, appendix A: "Not specific"
        ("In which city is this monument located?", None),
        ("“Where was this taken?”", "Where"),
        ("In the picture, where is the drum?", ", where is"),
        ("This is a tram. So where does it run?", "So where"),
        ("From where does this dish come?", "From where"),
        ("Which is the square where people dance?", None),
        ("In this square, where people dance, what is sold?", None),
        ("Nowhere else is this dish eaten; what is it?", None),
        ("这座桥位于哪里？", "哪里"),
        ("這座橋位於哪裡？", "哪裡"),
        ("照片是在什么地方拍的？", "什么地方"),
        ("這尊像現存何處？", "何處"),
        ("这座桥位于哪座城市？", None),
        ("", None),
    ],
)
def test_questions_for_a_place_of_any_size(question, expected):
    assert marked(bare_where, question) == expected


# English and every other language in Latin script of CVQA: words that are English, and words.
@pytest.mark.parametrize(
    ("question", "english", "words"),
    [
        ("What is the name of this food?", 4, 7),
        ("Where's this statue?", 2, 4),
        ("WHO ARE THEY?", 2, 3),
        ("Maqaan nyaata kanaa maali?", 0, 4),
        ("Chakula hiki kinaitwaje?", 0, 3),
        ("Kedụ mmemme ndị a na-eme?", 0, 6),
        ("Iri funguro ryitwa ngo iki?", 0, 5),
        ("Pada tahun berapakah foto ini diambil?", 0, 6),
        ("Opo arane wong seng nang tengah embong iki?", 0, 8),
        ("Apo namo rumah adaik ko?", 0, 5),
        ("Naon kagunaan ieu hiji alat?", 0, 5),
        ("Apakah nama bunga dalam gambar ini?", 0, 6),
        ("Anong tawag sa kakanin na ito?", 0, 6),
        ("Petra eo anv ar benvegad-mañ?", 0, 6),
        ("Cén cathair ina bhfuil na dealbha seo?", 0, 7),
        ("Hva heter drakten på bildet?", 0, 5),
        ("Cum se numește mănăstirea din imagine?", 0, 6),
        ("¿En qué mes se celebra esta fiesta?", 0, 7),
        ("Qual é o nome desta dança?", 0, 6),
        ("ＷＨＡＴ", 0, 1),
        ("图中是什么？", 0, 1),
        ("", 0, 0),
    ],
)
def test_english_words_are_recognised_among_those_of_other_languages(question, english, words):
    assert english_words(question) == (english, words)


@pytest.mark.parametrize(
    "question",
    [
        "which " * (N // 6),
        "which, " + "not only " * (N // 9),
        ", " * (N // 2),
        "," + " " * N,
        "where, " * (N // 7),
        "not." * (N // 4),
        "什么" * (N // 2),
        "为什么" * (N // 3),
        "so " * (N // 3),
        "'" * N,
        "n't" * (N // 3),
    ],
)
def test_each_pattern_reads_a_long_question_once(monkeypatch, question):
    class Counted:
        def __init__(self, pattern):
            self.pattern, self.read = pattern, 0

        def search(self, value, position=0):
            self.read += len(value) - position
            return self.pattern.search(value, position)

    patterns = {name: Counted(getattr(question_forms, name)) for name in ("_WHICH", "_WHY", "_NOT", "_WHERE")}
    for name, pattern in patterns.items():
        monkeypatch.setattr(question_forms, name, pattern)
    for script in (LATIN, CHINESE):
        negated_choice(question, script)
        bare_where(question, script)
    assert max(pattern.read for pattern in patterns.values()) <= 2 * len(question)
    assert english_words(question)[1] <= len(question)
