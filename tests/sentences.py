"""Contents for tests: some that keep the rules whatever they say, and questions in every script."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

# Five captions that obey the rules, different for each ``n``.
_PARTS = [
    ("院子{n}里站着一只黄色舞狮", "黄狮"),
    ("门口{n}挂起两盏大红灯笼", "灯笼"),
    ("灰色地面{n}铺满方形石板", "石板"),
    ("远方屋顶{n}盖着青黑瓦片", "瓦片"),
    ("桌上摆放{n}四只白瓷茶碗", "茶碗"),
]
_DIGITS = "甲乙丙丁戊己庚辛壬癸"


def five_captions(n: int) -> dict[str, list[str]]:
    """Content of a captions item."""
    word = "".join(_DIGITS[int(d)] for d in str(n))
    return {"captions": [text.format(n=word) for text, _ in _PARTS]}


def three_pairs(n: int) -> dict[str, list[dict[str, str]]]:
    """Content of a question-answer item, different for each ``n``."""
    word = "".join(_DIGITS[int(d)] for d in str(n))
    questions = [f"院子{word}里站着什么动物？", f"门口{word}挂起几盏灯笼？", f"桌上摆放{word}哪种器皿？"]
    return {"pairs": [{"question": q, "answer": a} for q, a in zip(questions, ("舞狮", "两盏", "茶碗"), strict=True)]}


# Questions with four options, the right one first, each text with its English: one in each script that people write in.
# The browser's tests read the same file.
SCRIPT_QUESTIONS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "questions" / "scripts.json").read_text(encoding="utf-8")
)
