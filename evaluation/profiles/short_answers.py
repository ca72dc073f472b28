"""Whether a short answer is right, by CVLUE's published scorer and by its README."""

from __future__ import annotations

import re
import string
from typing import Final

_YES: Final = frozenset({"是", "是的", "有", "有的", "一样", "一致", "相同"})
# 不同 is not among them, and stays out.
_NO: Final = frozenset({"否", "不是", "没有", "不一样", "不一致", "不相同"})
_NO_ANYWHERE: Final = (*sorted(_NO), "不")


def _bare(text: str) -> str:
    return text.lower().strip().strip(string.punctuation).strip("。")


def cvlue(gold: str, answer: str, *, strict: bool = False) -> str:
    """The rule by which CVLUE's scorer takes an answer as right; empty where none does.

    1. An answer that ends in ``？`` or ``吗`` once blanks, ASCII punctuation and ``。`` are off its ends is wrong.
    2. ``equal``: what is left equals what is left of the gold.
    3. ``number``: the gold is one of the runs of digits in the answer (gold 2, answer 3或2个).
    4. ``both yes`` / ``both no``: both are among six or seven words for yes, or for no; not when ``strict``.
    5. ``says yes`` / ``says no``: a gold yes stands somewhere in an answer that holds no word for no, or a gold no
       stands somewhere in it; not when ``strict``.
    """
    said, wanted = _bare(answer), _bare(gold)
    if said.endswith(("？", "吗")):
        return ""
    if said == wanted:
        return "equal"
    if gold in re.findall(r"\d+", answer):
        return "number"
    if strict:
        return ""
    if said in _YES and wanted in _YES:
        return "both yes"
    if said in _NO and wanted in _NO:
        return "both no"
    if wanted in _YES and wanted in said and not any(word in said for word in _NO_ANYWHERE):
        return "says yes"
    return "says no" if wanted in _NO and wanted in said else ""


def exact(gold: str, answer: str) -> str:
    """``equal`` where the answer is the gold but for blanks at its ends (CVLUE's README); else empty."""
    return "equal" if answer.strip() == gold.strip() else ""
