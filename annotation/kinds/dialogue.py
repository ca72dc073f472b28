"""Dialogues: one person questions a picture that they do not see, another one answers in full sentences (CVLUE A.2.5).

A content rests on one accepted caption, which is all that the questioner gets. Its rounds are written live
(``annotation.dialogues``); the rules are the same there, where each text is checked alone, and for corrections.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

import regex
from pydantic import Field

from annotation.kinds.base import Finding, KindSettings, Rules
from annotation.kinds.context import Context, Need
from annotation.kinds.fields import other_script, refusals, span_of
from annotation.kinds.tree import ListNode, RecordNode, TextNode, resolve
from curation.core import text

MOST_ROUNDS: Final = 20  # that a protocol may ask for


class DialogueSettings(KindSettings):
    """The protocol's settings of dialogues.

    Attributes:
        rounds: Questions of a dialogue, each with its answer.
        away_minutes: Minutes without a sign of one of the two, after which the dialogue is paused.
        paused_maximum: How often each of the two may pause a dialogue.
        other_script_percent: The most letters of another script than the language's, in percent of a text's letters;
            more get a warning. None: not checked.
    """

    rounds: int = Field(ge=1, le=MOST_ROUNDS)
    away_minutes: int = Field(ge=1, le=120)
    paused_maximum: int = Field(ge=0, le=20)
    other_script_percent: int | None = Field(default=None, ge=0, le=100)


class DialogueRules(Rules):
    """The rules of dialogues that the workspace shows."""

    kind: Literal["dialogue"] = "dialogue"
    rounds: int
    away_minutes: int
    paused_maximum: int
    other_script_percent: int | None = None


# Questions for a reason or a meaning, which no one can imagine the picture by; both scripts of Chinese, and English.
_REASON: Final = regex.compile(
    r"[为為](?:什么|什麼|何|啥)|怎[么麼][会會]|干嘛|幹嘛|意味|象征|象徵|(?:什么|什麼|啥)(?:意思|含义|含義|寓意|原因)"
    r"|\bwhy\b|\bhow\s+come\b|\bwhat\b[^?]*\b(?:mean|means|signify|signifies|symboli[sz]es?)\b|\breasons?\b",
    regex.IGNORECASE,
)

_CLOSING: Final = "」』”’\"'）)】》〉］]。．｡.!！?？…~～ "
# What nearly every full sentence in Chinese has: a verb of being, having or being somewhere, or a mark of aspect.
_VERB: Final = regex.compile(r"[是有在为為像叫戴穿拿站坐看着著了过過得能会會可]|[没沒不]")
_WORDS: Final = regex.compile(r"[\p{L}\p{M}'’]+")
_FEWEST_CHARACTERS: Final = 4  # of a Chinese sentence: "它是红的"
_FEWEST_WORDS: Final = 3  # of a sentence in a script with blanks: "It is red"


def _is_fragment(answer: str, tag: str) -> bool:
    """Return whether an answer looks like a word or a phrase instead of a full sentence."""
    sentence = answer.strip().rstrip(_CLOSING)
    if regex.search(r"\p{Han}", sentence) and tag.startswith("zh"):
        return text.count_characters(sentence) < _FEWEST_CHARACTERS or _VERB.search(sentence) is None
    return len(_WORDS.findall(sentence)) < _FEWEST_WORDS


def _question(value: str, field: str, *, complete: bool) -> Iterator[Finding]:
    if text.shows_nothing(value):
        if complete:
            yield Finding("question_empty", field, "error")
        return
    yield from refusals(value, field)
    if match := _REASON.search(value):
        yield Finding("question_reason", field, "warn", {"text": match.group()}, (span_of(match, value, field),))


def _answer(value: str, field: str, tag: str, *, complete: bool) -> Iterator[Finding]:
    if text.shows_nothing(value):
        if complete:
            yield Finding("answer_empty", field, "error")
        return
    yield from refusals(value, field)
    if _is_fragment(value, tag):
        yield Finding("answer_fragment", field, "warn")


class Dialogue:
    """The kind of dialogues."""

    name = "dialogue"
    prefix = "dlg"
    content_schema = 1
    settings = DialogueSettings
    rules_shape = DialogueRules
    needs: tuple[Need, ...] = ()
    base = "captions"

    def tree(self, settings: DialogueSettings, context: Context) -> RecordNode:
        """See :class:`annotation.kinds.base.Kind`: the questions are public, as those of visual questions are."""
        one = RecordNode(
            fields={
                "question": TextNode(file_name="questions"),
                "answer": TextNode(file_name="answers", answer=True),
            }
        )
        meaning = (
            "the dialogue: questions of a person who does not see the picture, each with its answer, in their order"
        )
        return RecordNode(fields={"rounds": ListNode(count=settings.rounds, of=one, meaning=meaning)})

    def check(
        self, content: Mapping[str, Any], settings: DialogueSettings, context: Context, *, complete: bool
    ) -> list[Finding]:
        """See :class:`annotation.kinds.base.Kind`."""
        findings: list[Finding] = []
        tag = context.language.tag
        for n, one in enumerate(content["rounds"]):
            question, answer = f"rounds.{n}.question", f"rounds.{n}.answer"
            findings += _question(one["question"], question, complete=complete)
            findings += _answer(one["answer"], answer, tag, complete=complete)
            for value, field in ((one["question"], question), (one["answer"], answer)):
                findings += other_script(value, field, tag, settings.other_script_percent)
        return findings

    def rules(self, settings: DialogueSettings, context: Context) -> DialogueRules:
        """See :class:`annotation.kinds.base.Kind`."""
        return DialogueRules.of(settings, resolve(self.tree(settings, context), context))


KIND: Final = Dialogue()
