"""Scoring of short answers by CVLUE's published scorer and by its README."""

from __future__ import annotations

import re
import string
from typing import Final

_YES: Final = frozenset({"是", "是的", "有", "有的", "一样", "一致", "相同"})
# The published list does not have 不同, so this one must not have it either.
_NO: Final = frozenset({"否", "不是", "没有", "不一样", "不一致", "不相同"})
_NO_ANYWHERE: Final = (*sorted(_NO), "不")


def _bare(text: str) -> str:
    return text.lower().strip().strip(string.punctuation).strip("。")


def cvlue(gold: str, answer: str, *, strict: bool = False) -> str:
    """Return the rule by which CVLUE's scorer accepts an answer; empty if it rejects it.

    1. An answer that ends in ``？`` or ``吗`` after stripping blanks, ASCII punctuation and ``。`` is wrong.
    2. ``equal``: the stripped answer equals the stripped gold.
    3. ``number``: the gold is one of the runs of digits in the answer (gold 2, answer 3或2个).
    4. ``both yes`` / ``both no``: both are among six or seven words for yes, or for no; not if ``strict``.
    5. ``says yes`` / ``says no``: the answer contains the gold yes and no word for no, or contains the gold no; not if
       ``strict``.
    """
    bare_answer, bare_gold = _bare(answer), _bare(gold)
    if bare_answer.endswith(("？", "吗")):
        return ""
    if bare_answer == bare_gold:
        return "equal"
    if gold in re.findall(r"\d+", answer):
        return "number"
    if strict:
        return ""
    if bare_answer in _YES and bare_gold in _YES:
        return "both yes"
    if bare_answer in _NO and bare_gold in _NO:
        return "both no"
    if bare_gold in _YES and bare_gold in bare_answer and not any(word in bare_answer for word in _NO_ANYWHERE):
        return "says yes"
    return "says no" if bare_gold in _NO and bare_gold in bare_answer else ""


def exact(gold: str, answer: str) -> str:
    """Return ``equal`` if the answer equals the gold except for outer blanks (CVLUE's README); else empty."""
    return "equal" if answer.strip() == gold.strip() else ""
