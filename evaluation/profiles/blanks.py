"""Scoring of fill-in-the-blank questions: by CMMU's rules without a judge, and from its judge's reply."""

from __future__ import annotations

import ast
import re
from difflib import SequenceMatcher
from typing import Final

from curation.core.text import stacks_marks

_KEYWORDS: Final = ("答案为", "答案是", "答案", "为", "因此", "结果", " = ")
_HALF_WIDTH: Final = str.maketrans("：（），。", ":(),.")
_UNIT: Final = re.compile(r"^(-?\d+(?:\.\d+)?)\D*$")
_MIN_SIMILARITY: Final = 0.7  # as in CMMU's published code


def _normalised(line: str) -> str:
    """Normalise a line as the published code does, with its side effects: without ``$`` every x becomes 错误."""
    if "$" not in line:
        for mark in ("×", "不对", "不正确", "x", "X"):
            line = line.replace(mark, "错误")
    line = line.replace("√", "正确").translate(_HALF_WIDTH)
    line = line.replace("变小", "减小").replace("变大", "增大").replace("路程", "距离").replace("\\pi", "π")
    for keyword in _KEYWORDS:
        if keyword in line:
            line = line.rsplit(keyword, 1)[1]
            break
    line = line.strip()
    if line[-1:] in (".", ",", ":", ";"):
        line = line[:-1]
    match = _UNIT.match(line)
    return match[1] if match else line


def matches_by_rules(gold: str, answer: str) -> bool:
    """Return whether any line of the answer is more than 70% similar to the gold (CMMU's ``eval`` folder)."""
    matcher = SequenceMatcher(None, "", _normalised(gold))
    for line in answer.split("\n"):
        matcher.set_seq1(_normalised(line))
        # The lengths alone bound the ratio: no line much longer than the gold is compared.
        if matcher.real_quick_ratio() > _MIN_SIMILARITY and matcher.ratio() > _MIN_SIMILARITY:
            return True
    return False


def judge_verdict(reply: str) -> float | None:
    """Return the value of ``correct`` in a judge's reply; None if it is unreadable.

    Like the published code this reads a Python literal (single quotes pass, JSON's ``true`` does not), else it searches
    for ``"correct": 1``.
    """
    try:
        # Python normalises names, which takes the square of the number of marks on a character.
        verdict = None if stacks_marks(reply) else ast.literal_eval(reply.strip())
        if isinstance(verdict, dict) and isinstance(verdict.get("correct"), int | float | bool):
            return float(verdict["correct"])
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        pass
    return 1.0 if re.search(r'"correct"\s*:\s*1', reply) else (0.0 if re.search(r'"correct"', reply) else None)
