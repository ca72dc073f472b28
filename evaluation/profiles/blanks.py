"""Fill-in-the-blank questions without a judge, as CMMU's rule scorer takes them; and what its judge said."""

from __future__ import annotations

import ast
import re
from difflib import SequenceMatcher
from typing import Final

_KEYWORDS: Final = ("答案为", "答案是", "答案", "为", "因此", "结果", " = ")
_HALF_WIDTH: Final = str.maketrans("：（），。", ":(),.")
_UNIT: Final = re.compile(r"^(-?\d+(?:\.\d+)?)\s*\D*$")
_RIGHT_ABOVE: Final = 0.7


def _normal(line: str) -> str:
    """One line as it is compared; the side effects are the published ones: without ``$`` every x becomes 错误."""
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


def by_rules(gold: str, answer: str) -> bool:
    """Whether any line of the answer is more than 70 % alike to the gold, both made normal (CMMU's ``eval`` folder)."""
    wanted = _normal(gold)
    return any(SequenceMatcher(None, _normal(line), wanted).ratio() > _RIGHT_ABOVE for line in answer.split("\n"))


def judged(reply: str) -> float | None:
    """What a judge's reply says of an answer: its ``correct``, as it comes; None where it cannot be read.

    Read as a Python literal, as the published code does (single quotes pass, JSON's ``true`` does not), else by a
    search for ``"correct": 1``.
    """
    try:
        found = ast.literal_eval(reply.strip())
        if isinstance(found, dict) and isinstance(found.get("correct"), int | float | bool):
            return float(found["correct"])
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        pass
    return 1.0 if re.search(r'"correct"\s*:\s*1', reply) else (0.0 if re.search(r'"correct"', reply) else None)
