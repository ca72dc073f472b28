"""Forms of questions that are better avoided in multiple choice, read from their English and Chinese texts.

In a benchmark of many languages each question has an English text beside its own, whose form is the same; so the words
of two languages are enough. They apply to every text, because no word of one occurs in texts of the other.
"""

from __future__ import annotations

from typing import Final

import regex

from annotation.kinds.scripts import Script


def _any(*patterns: str) -> regex.Pattern[str]:
    return regex.compile("|".join(f"(?:{p})" for p in patterns), regex.IGNORECASE)


# 为什么 (why) asks for no option; 什么 inside it is no "which".
_WHICH: Final = _any(
    r"\b(?:which|what|(?:all|each|any|one) of (?:these|those|the following))\b",
    r"下[列面]|以下|哪|何者|(?<![为為])(?:什[么麼]|何种|何種)",
)
_WHY: Final = _any(r"\b(?:why|how come)\b", r"[为為](?:什[么麼]|何)|怎[么麼]")
_NOT: Final = _any(
    r"(?<!\bor )\bnot\b(?! only\b)",
    r"\b(?:cannot|never|except|excluding)\b",
    r"n['’]t\b",
    r"(?<!是)不是|不(?:属于|屬於|包括|包含|含|在|会|會|能|可能|符合|具|正确|正確)|(?<!有)[没沒]有",
    r"并非|並非|(?<=何者)非|除外|[错錯][误誤]",
)

_WHERE: Final = _any(
    r"^(?:(?:and|so|from|to)\s++)?where\b",
    r"[,;:，]\s*+(?:(?:and|so)\s++)?where(?:['’]s|\s++(?:is|are|was|were|do|does|did|can|could|will|would|has|have))\b",
    r"哪[里裡裏儿兒]|何[处處]|什[么麼]地方",
)
_OPENING: Final = "¿\"“‘'「『(（ "

# Words of English sentences. Words that other languages of CVQA in Latin script have too are missing, such as "is" and
# "an" (Irish), "are" (Romanian), "for" (Norwegian), "no" and "a" (Spanish).
_ENGLISH: Final = _any(
    r"\b(?:the|of|what|which|who|whose|whom|when|where|why|how|this|that|these|those|with|from|does|did|was|were|been)\b",
    r"\b(?:being|there|their|they|and|its|it|you|your|could|would|should)\b",
)
_WORD: Final = regex.compile(r"\p{L}[\p{L}\p{M}]*+")


def negated_choice(question: str, script: Script) -> tuple[int, int] | None:
    """Find "which of these is not …", which nobody can answer without the options; not "why … not".

    Returns:
        The range from "which" to "not" in code points, or None.
    """
    for start, sentence in script.sentences(question):
        which = _WHICH.search(sentence)
        if which and not _WHY.search(sentence) and (negation := _NOT.search(sentence, which.end())):
            return start + which.start(), start + negation.end()
    return None


def bare_where(question: str, script: Script) -> tuple[int, int] | None:
    """Find "where", which leaves open whether a city, a country or a building is asked for; as a range like above."""
    for start, sentence in script.sentences(question):
        opening = len(sentence) - len(sentence.lstrip(_OPENING))
        if where := _WHERE.search(sentence[opening:]):
            return start + opening + where.start(), start + opening + where.end()
    return None


def english_words(value: str) -> tuple[int, int]:
    """Return how many words of a text are English function words, and how many words it has."""
    return len(_ENGLISH.findall(value)), len(_WORD.findall(value))
