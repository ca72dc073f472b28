"""Long and strange texts cost what their length does: exact results, and how much was read or called, never time."""

import random
import unicodedata
from itertools import pairwise

import pytest
import regex

from annotation.kinds import fields, overlap, vqa
from annotation.kinds.captions import CaptionSettings
from annotation.kinds.context import Context
from annotation.kinds.registry import KINDS
from curation.core import text
from evaluation.profiles import blanks, dialogues, letters
from evaluation.profiles.boxes import predicted_box
from evaluation.profiles.rows import Row

N = 10_000
STRANGE = {
    "a letter": ("a" * N, N),
    "a rare character": ("𠮷" * N, N),
    "one mark many times": ("a" + "\u0301" * (N - 1), 1),
    "marks in the wrong order": ("a" + "\u0301\u0316" * (N // 2), 1),
    "marks that decompose": ("a" + "\u0f73\u0344" * (N // 2), 1),
    "jamo": ("\u1112\u1161\u11ab" * (N // 4), N // 4),
    "a ligature of eighteen": ("\ufdfa" * N, N),
    "clusters": ("क्षि" * (N // 4), N // 4),
    "joined emoji": ("👩‍👩‍👧‍👦" * (N // 7), 0),
    "flags": ("🇨🇳" * (N // 2), 0),
    "full width": ("Ａ１" * (N // 2), N),
    "both directions": ("אab1 " * (N // 5), N // 5 * 4),
    "variants": ("葛\U000e0100" * (N // 2), N // 2),
    "blanks": (" " * N, 0),
}


@pytest.mark.parametrize("name", STRANGE)
def test_strange_texts_are_counted_and_stored(name):
    value, count = STRANGE[name]
    assert text.count_characters(value) == count
    assert text.clean(value) == unicodedata.normalize("NFC", value).strip()
    assert "".join(text.graphemes(value)) == value


def test_marks_are_in_order_before_python_normalises(monkeypatch):
    """Python sorts by insertion, so the number of marks before one of a lower class is what it would move."""
    given = "a" + "\u0301\u0316" * 5_000 + "ﾞ\u0301" * 5_000 + "\u0344\u0316" * 500
    exact = {form: unicodedata.normalize(form, given) for form in ("NFC", "NFKC")}
    normalise, steps = unicodedata.normalize, 0

    def counted(form, value):
        nonlocal steps
        classes = [unicodedata.combining(c) for c in value]
        steps += sum(after and before > after for before, after in pairwise(classes))
        return normalise(form, value)

    monkeypatch.setattr(unicodedata, "normalize", counted)
    for form, value in exact.items():
        assert text.normalize(form, given) == value
    assert steps <= 2


def test_every_combining_mark_is_recognised():
    marks = [c for c in map(chr, range(0x110000)) if unicodedata.combining(c)]
    assert [c for c in marks if not text.stacks_marks(c * 31)] == []
    becomes = [chr(n) for n in range(0x110000) if unicodedata.combining(unicodedata.normalize("NFKD", chr(n))[0])]
    assert [c for c in becomes if not text.stacks_marks(c * 31)] == []


def test_characters_are_those_of_the_standard():
    draw, standard = random.Random(7), regex.compile(r"\X")
    parts = [
        "a",
        "é",
        "\u0301",
        "か",
        "각",
        "\u1161",
        "🇨",
        "🇳",
        "\u200d",
        "👩",
        "\ufe0f",
        "\u0600",
        "\n",
        "क",
        "्",
        "ष",
        "ำ",
    ]
    for _ in range(5_000):
        value = "".join(draw.choices(parts, k=draw.randrange(12)))
        assert text.graphemes(value) == standard.findall(value)


OVERLAP = overlap.Overlap(measure="bigram_jaccard", limit_percent=0)
REASONS = [{"code": "x", "name": {"zh-Hans": "x", "zh-Hant": "x", "en": "x"}}]
CAPTIONS = CaptionSettings(slots=10, minimum_characters=8, overlap=OVERLAP, review_reasons=REASONS)
VQA = vqa.VqaSettings(
    slots=10,
    question_minimum_characters=4,
    answer_maximum_characters=20,
    overlap=OVERLAP,
    flags=["pronoun", "low_level", "yes_no", "answer_in_question"],
    review_reasons=REASONS,
)


def captions(texts):
    return KINDS["captions"].check({"captions": texts}, CAPTIONS, Context(), complete=True)


def test_a_field_of_names_or_pronouns_has_twenty_warnings():
    named = captions([f"{n}{'名叫王小' * 249}" for n in range(10)])
    assert [f.field for f in named if f.code == "caption_likely_name"] == [
        f"captions.{n}" for n in range(10) for _ in range(fields.MOST_WARNINGS)
    ]
    pairs = [{"question": "他" * 1_000, "answer": "她" * 1_000} for _ in range(10)]
    pronouns = [f for f in KINDS["vqa"].check({"pairs": pairs}, VQA, Context(), complete=True) if f.code == "pronoun"]
    assert len(pronouns) == 2 * 10 * fields.MOST_WARNINGS


def test_each_text_is_cut_once_however_many_it_is_compared_with(monkeypatch):
    cut, calls = overlap._characters, list[str]()
    monkeypatch.setattr(overlap, "_characters", lambda value: calls.append(value) or cut(value))
    values = [f"{'ab' * 490}{n}" for n in range(10)]
    findings = [f for f in captions(values) if f.code == "caption_overlap"]
    assert len(findings) == 45
    assert sorted(calls) == sorted(values * 2)  # as characters, and as pairs of them


def test_a_finding_has_at_most_a_hundred_marks_in_a_text():
    one, other = ("".join(f"ab{chr(start + n)}" for n in range(300)) for start in (0x4E00, 0x6E00))
    (finding,) = (f for f in captions([one, other, *[""] * 8]) if f.code == "caption_overlap")
    assert [len([s for s in finding.spans if s.field == f"captions.{n}"]) for n in (0, 1)] == [overlap.MOST_MARKS] * 2
    assert (finding.spans[0].start, finding.spans[0].end, finding.spans[1].start) == (0, 2, 3)


def test_only_short_texts_and_characters_stay_in_memory():
    before = [c.cache_info() for c in (overlap._short_unit, overlap._short_characters, overlap._short_bigrams)]
    long = "甲" * (overlap.CACHED_TEXT + 1)
    overlap.bigrams(long)
    overlap.characters("a" + "\u0301" * (overlap.CACHED_TEXT + 1))
    after = [c.cache_info() for c in (overlap._short_unit, overlap._short_characters, overlap._short_bigrams)]
    assert [(new.currsize - old.currsize) for old, new in zip(before, after, strict=True)][1:] == [0, 0]
    assert after[0].currsize <= before[0].currsize + 1
    assert [c.cache_info().maxsize for c in (overlap._short_unit, overlap._short_characters)] == [16_384, 2_048]


@pytest.mark.parametrize(
    ("answer", "marks"),
    [
        ("竹子。", "。"),
        ("竹子...", "..."),
        ("3 p.m.", None),
        ("a..", "."),
        ("竹子。...", "..."),
        ("竹子..。", "。"),
        ("竹" + "。" * 998 + "x", "。"),
        ("竹" + "。" * 998 + ".", "."),
        ("竹" + "." * 998 + "。", "。"),
        ("竹子。\n」", "。"),
    ],
)
def test_punctuation_at_the_end_of_an_answer(answer, marks):
    pair = vqa._Pair("", answer, "pairs.0")
    found = [f.params["text"] for f in vqa._answer(pair, VQA, complete=True) if f.code == "answer_punctuation"]
    assert found == ([] if marks is None else [marks])


def numbers(response):
    return predicted_box(Row("file", 1, {"response": response}))["numbers"]


@pytest.mark.parametrize(
    ("read", "response", "result"),
    [
        (letters.robust, "选A " * 100_000, ("A", "announced")),
        (letters.robust, "不选A，选B" + "不选A " * 100_000, ("B", "announced")),
        (letters.robust, "rule  out A, not B, is   not C, D", ("D", "alone")),
        (letters.robust, "选" + '"' * 100_000 + "C", ("C", "announced")),
        (letters.robust, "\\text{" + " " * 100_000 + "B", ("B", "alone")),
        (letters.robust, "\\boxed{\\text{  C }}", ("C", "one letter")),
        (letters.robust, "更正" + " " * 100_000 + ": B", ("B", "announced")),
        (letters.robust, "B" + "\u0301\u0316" * 100_000, ("B", "alone")),
        (dialogues.vote, "score" + " *" * 100_000 + "x", None),
        (dialogues.vote, "score" + " *" * 100_000 + ": [7", 7.0),
        (dialogues.vote, "1" + " " * 100_000 + "x", None),
        (dialogues.vote, "8 / 10 .", 8.0),
        (numbers, " " * 100_000, []),
        (numbers, "1" * 100_000, []),
        (numbers, "1,1" + " " * 100_000 + "x", []),
        (numbers, "1," * 2 + " " * 100_000 + "(3,4)", [1, 1, 3, 4]),
        (numbers, "<box>(12,-3.5),(45,60)</box>", [12, -3.5, 45, 60]),
        (numbers, "5-3,4 [5,6]", [-3, 4, 5, 6]),
        (lambda reply: blanks.matches_by_rules("1", reply), "1" + " " * 100_000 + "1", False),
        (lambda reply: blanks.matches_by_rules("粒子", reply), "粒" * 1_000_000, False),
        (blanks.judge_verdict, "{a" + "\u0301\u0316" * 100_000 + '"correct": 1', 1.0),
    ],
)
def test_a_response_of_a_megabyte_is_read(read, response, result):
    """Each of them took the square or the cube of its length before; the run's own time limit is the measure here."""
    given = read(response)
    assert (tuple(given) if isinstance(given, letters.Read) else given) == result


def test_whether_a_letter_is_denied_is_read_from_a_few_characters():
    class Watched(str):
        __slots__ = ()
        read = 0

        def __getitem__(self, at):
            Watched.read += 1
            return super().__getitem__(at)

    value = Watched("not B " * 10_000)
    assert all(letters._is_negated(value, at) for at in range(4, len(value), 6))
    assert Watched.read <= 8 * 10_000


def test_lines_much_longer_than_the_gold_are_not_compared(monkeypatch):
    ratios = 0

    class Counted(blanks.SequenceMatcher):
        def ratio(self):
            nonlocal ratios
            ratios += 1
            return super().ratio()

    monkeypatch.setattr(blanks, "SequenceMatcher", Counted)
    assert not blanks.matches_by_rules("粒子的运动", "\n".join(["粒子" * 5_000, "", "粒", "粒子的速度很快"]))
    assert ratios == 1
    assert blanks.matches_by_rules("粒子的运动", "粒子的运动量")
