"""Visual questions: several per picture, each with a short phrase as answer (CVLUE appendix A.2.3).

The paper's demands that a program can check are errors: missing parts, a repeated question, an answer that ends or
breaks like a sentence. Demands without a number can be overridden with a reason: similar questions, a long phrase.
Mere hints of a fault are warnings if the protocol enables them, because the paper's own printed pairs have some. The
word lists cover both scripts of Chinese, and English. They apply to every text whatever its language, because no word
of one language occurs in texts of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, Literal, NamedTuple

import regex
from pydantic import Field

from annotation.kinds.base import Finding, KindSettings, Rules, Span
from annotation.kinds.context import Context
from annotation.kinds.fields import MOST_WARNINGS, other_script, refusals, span_of
from annotation.kinds.overlap import Overlap, Units, characters, pairwise
from annotation.kinds.tree import ListNode, RecordNode, TextNode, resolve
from curation.core import text
from curation.core.registry import Registry

Flag = Literal["pronoun", "low_level", "yes_no", "answer_in_question"]


class VqaSettings(KindSettings):
    """The protocol's settings of questions and answers.

    Attributes:
        slots: Pairs of question and answer for one picture.
        question_minimum_characters: Shorter questions are an error.
        answer_maximum_characters: Longer answers need a reason.
        overlap: The allowed overlap of two questions about a picture.
        flags: The enabled warnings.
        other_script_percent: The most letters of another script than the language's, in percent of a text's letters;
            more get a warning. None: not checked.
    """

    slots: int = Field(ge=1, le=10)
    question_minimum_characters: int = Field(ge=1, le=200)
    answer_maximum_characters: int = Field(ge=1, le=200)
    overlap: Overlap
    flags: list[Flag] = []
    other_script_percent: int | None = Field(default=None, ge=0, le=100)


class VqaRules(Rules):
    """The rules of questions that the workspace shows."""

    kind: Literal["vqa"] = "vqa"
    slots: int
    question_minimum_characters: int
    answer_maximum_characters: int
    overlap: Overlap
    flags: list[Flag]
    other_script_percent: int | None = None


class _Pair(NamedTuple):
    """A question and its answer, with the names of their fields."""

    question: str
    answer: str
    path: str

    @property
    def question_field(self) -> str:
        return f"{self.path}.question"

    @property
    def answer_field(self) -> str:
        return f"{self.path}.answer"


def _any(*patterns: str) -> regex.Pattern[str]:
    return regex.compile("|".join(f"(?:{p})" for p in patterns), regex.IGNORECASE)


_MARK: Final = regex.compile(r"[?？﹖]\p{Pe}*\p{Pf}*$")

# An answer's end without closing brackets and quotation marks; a full stop after single letters abbreviates (p.m.).
_CLOSING: Final = "」』”’\"'）)】》〉］] "
_ENDING: Final = "。．｡!！?？;；,，、:：…~～"
_END: Final = regex.compile(rf"[{_ENDING}]+$")
_END_DOTS: Final = regex.compile(r"(?<!(?:^|[\s.])\p{L})\.+$")
_INSIDE: Final = regex.compile(r"[。｡！？](?=.)|[!?](?=\s)")
_SENTENCE: Final = _any(
    r"^(?:这|這|那|它|牠|他|她|图|圖|画面|畫面|照片)\p{Han}{0,5}?(?:是|有|在)",
    r"^(?:it|this|that|there|he|she|they|these|those)(?:['’](?:s|re)\b|\s+(?:is|are|was|were|has|have)\b)",
)

# 其他 (other), 吉他 (guitar), 维他命 (vitamin), 他人 (others) and the like contain the character but are no pronouns.
_PRONOUN: Final = _any(
    r"(?<![其吉维維利排])[他她它牠祂](?![人乡鄉日国國处處])[们們]?",
    r"\b(?:he|she|it|they|him|her|them|his|hers|its|their|theirs)\b",
)

_WHAT: Final = r"(?:什么|什麼|甚么|甚麼|啥|哪一?[种種]|哪些|何[种種]?|怎[样樣]的)"
_ASKS_COLOUR: Final = _any(
    rf"{_WHAT}(?:[颜顏]色|色)",
    rf"[颜顏]色[是为為]?{_WHAT}",
    r"\b(?:what|which)(?:['’]s|\s+\w+){0,3}?\s+colou?rs?\b",
)
_COLOUR: Final = r"[深浅淺淡暗亮大粉米]?[红紅黄黃蓝藍绿綠白黑灰紫橙棕褐青金银銀粉]色"
_ONLY_COLOURS: Final = regex.compile(rf"^\s*{_COLOUR}(?:[和与與及、，,]{_COLOUR})*的?\s*$")

_CHOICE: Final = _any(r"[还還]是", r"或者?是?", r"\bor\b")
_YES_NO: Final = _any(
    r"(?:[吗嗎]|(?<![什甚怎多那这這要干幹])[么麼]|[没沒]有|[否不])\s*+[?？﹖]*+\s*+$",
    r"(\p{Han})[不没沒]\1",
    r"[是能可会會]否",
    r"^\s*(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should)\b",
)


def _pronoun(pair: _Pair) -> Iterator[Finding]:
    for value, field in ((pair.question, pair.question_field), (pair.answer, pair.answer_field)):
        for match in islice(_PRONOUN.finditer(value), MOST_WARNINGS):
            yield Finding("pronoun", field, "warn", {"text": match.group()}, (span_of(match, value, field),))


def _low_level(pair: _Pair) -> Iterator[Finding]:
    """Warn if the question asks only for a colour or the answer is only a colour, the paper's low-level vision."""
    for pattern, value, field in (
        (_ASKS_COLOUR, pair.question, pair.question_field),
        (_ONLY_COLOURS, pair.answer, pair.answer_field),
    ):
        if match := pattern.search(value):
            params = {"text": match.group().strip()}
            yield Finding("low_level", field, "warn", params, (span_of(match, value, field),))
            return


def _asks_yes_or_no(question: str) -> regex.Match[str] | None:
    return None if _CHOICE.search(question) else _YES_NO.search(question)


def _yes_no(pair: _Pair) -> Iterator[Finding]:
    if match := _asks_yes_or_no(pair.question):
        yield Finding("yes_no", pair.question_field, "warn", {}, (span_of(match, pair.question, pair.question_field),))


def _answer_in_question(pair: _Pair) -> Iterator[Finding]:
    """Warn if the question contains its answer. Choices and yes-or-no questions are exempt: they name it by nature."""
    if _CHOICE.search(pair.question) or _asks_yes_or_no(pair.question):
        return
    answer, question = characters(pair.answer).units, characters(pair.question)
    if len(answer) < 2:
        return
    for start in range(len(question.units) - len(answer) + 1):
        end = start + len(answer)
        if question.units[start:end] == answer and not (_splits_word(question, start) or _splits_word(question, end)):
            span = Span(pair.question_field, question.places[start][0], question.places[end - 1][1])
            yield Finding("answer_in_question", pair.question_field, "warn", {"text": pair.answer.strip()}, (span,))
            return


_LATIN: Final = regex.compile(r"[\p{Latin}\p{N}]")


def _splits_word(units: Units, index: int) -> bool:
    """Return whether a position is inside a word of letters or digits: "party" does not contain "art", nor 12 a 2."""
    if not 0 < index < len(units.units):
        return False
    touching = units.places[index - 1][1] == units.places[index][0]
    return touching and all(_LATIN.match(units.units[i]) for i in (index - 1, index))


_FLAGS: Final[Registry[Callable[[_Pair], Iterator[Finding]]]] = Registry(
    "flag of questions",
    {"pronoun": _pronoun, "low_level": _low_level, "yes_no": _yes_no, "answer_in_question": _answer_in_question},
)


def _question(pair: _Pair, settings: VqaSettings, *, complete: bool) -> Iterator[Finding]:
    if text.shows_nothing(pair.question):
        if complete:
            yield Finding("question_empty", pair.question_field, "error")
        return
    yield from refusals(pair.question, pair.question_field)
    count = text.count_characters(pair.question)
    if count < settings.question_minimum_characters:
        params = {"count": count, "minimum": settings.question_minimum_characters}
        yield Finding("question_too_short", pair.question_field, "error", params)
    if not _MARK.search(pair.question.rstrip()):
        yield Finding("question_mark_missing", pair.question_field, "warn")


def _end_of(phrase: str) -> regex.Match[str] | None:
    """Find the punctuation at the end. The search begins where the last marks do, else each earlier one is tried."""
    for pattern, marks in ((_END, _ENDING), (_END_DOTS, ".")):
        if match := pattern.search(phrase, len(phrase.removesuffix("\n").rstrip(marks))):
            return match
    return None


def _answer(pair: _Pair, settings: VqaSettings, *, complete: bool) -> Iterator[Finding]:
    count = text.count_characters(pair.answer)
    if not count:  # an emoji or a punctuation mark alone is not a phrase
        if complete:
            yield Finding("answer_empty", pair.answer_field, "error")
        return
    yield from refusals(pair.answer, pair.answer_field)
    if count > settings.answer_maximum_characters:
        params = {"count": count, "maximum": settings.answer_maximum_characters}
        yield Finding("answer_too_long", pair.answer_field, "error", params, overridable=True)
    phrase = pair.answer.rstrip().rstrip(_CLOSING)
    if match := _end_of(phrase) or _INSIDE.search(phrase):
        span = span_of(match, phrase, pair.answer_field)
        yield Finding("answer_punctuation", pair.answer_field, "error", {"text": match.group()}, (span,))
    elif match := _SENTENCE.search(phrase):
        span = span_of(match, phrase, pair.answer_field)
        yield Finding("answer_sentence", pair.answer_field, "warn", {"text": match.group()}, (span,))


class Vqa:
    """The questions kind."""

    name = "vqa"
    prefix = "vqa"
    content_schema = 1
    settings = VqaSettings
    rules_shape = VqaRules
    needs = ()
    base = None

    def tree(self, settings: VqaSettings, context: Context) -> RecordNode:
        """See :class:`annotation.kinds.base.Kind`: the questions are public, as in CVLUE's test files."""
        pair = RecordNode(
            fields={
                "question": TextNode(file_name="questions"),
                "answer": TextNode(file_name="answers", answer=True),
            }
        )
        meaning = "questions about the picture, each with its answer, in the order they were written"
        return RecordNode(fields={"pairs": ListNode(count=settings.slots, of=pair, meaning=meaning)})

    def check(
        self, content: Mapping[str, Any], settings: VqaSettings, context: Context, *, complete: bool
    ) -> list[Finding]:
        """See :class:`annotation.kinds.base.Kind`."""
        pairs = [_Pair(p["question"], p["answer"], f"pairs.{i}") for i, p in enumerate(content["pairs"])]
        findings: list[Finding] = []
        for pair in pairs:
            findings += _question(pair, settings, complete=complete)
            findings += _answer(pair, settings, complete=complete)
            for flag in settings.flags:
                findings += _FLAGS[flag](pair)
            for value, field in ((pair.question, pair.question_field), (pair.answer, pair.answer_field)):
                findings += other_script(value, field, context.language.tag, settings.other_script_percent)
        questions, fields = [p.question for p in pairs], [p.question_field for p in pairs]
        return findings + pairwise(questions, fields, settings.overlap, code="question")

    def rules(self, settings: VqaSettings, context: Context) -> VqaRules:
        """See :class:`annotation.kinds.base.Kind`."""
        return VqaRules.of(settings, resolve(self.tree(settings, context), context))


KIND: Final = Vqa()
