"""How long scoring takes, and how much memory: ``python -m tests.bench.profiles``.

A million answers to questions with options, as many ranked lists as CVLUE's test split has captions, and CMMU's 6,345
answers, each scored in a process of its own; one JSON object out.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import score

CAPTIONS, PICTURES = 44_865, 8_973
# As many answers as CMMU's validation set has: four shifts of each question, sets, blanks.
CIRCULAR, SETS, BLANKS = 1_355, 127, 798


def choices(draw: random.Random) -> tuple[str, Iterator[dict[str, Any]], Iterator[dict[str, Any]]]:
    """A million questions, three to a picture, in 92 categories."""
    options = ["牌坊", "石碑", "城墙", "钟楼"]
    said = ["答案：A", "选B", "The answer is C.", "D", "图中是石碑"]
    gold = (
        {"id": f"q{i}", "gold": "ABCD"[i % 4], "image": f"i{i // 3}", "category": f"c{i % 92}", "options": options}
        for i in range(1_000_000)
    )
    return "tcc-mcq/robust", gold, ({"id": f"q{i}", "response": draw.choice(said)} for i in range(1_000_000))


def ranked(draw: random.Random) -> tuple[str, Iterator[dict[str, Any]], Iterator[dict[str, Any]]]:
    """A ranked list of ten pictures for each caption."""
    per = CAPTIONS // PICTURES
    gold = (
        {"id": f"t{i}", "gold": [f"p{i // per}"], "image": f"p{i // per}", "category": f"c{i // per % 92}"}
        for i in range(CAPTIONS)
    )
    said = (
        {"id": f"t{i}", "response": [f"p{draw.randrange(PICTURES)}" for _ in range(9)] + [f"p{i // per}"]}
        for i in range(CAPTIONS)
    )
    return "cvlue-itr/paper", gold, said


def circular(draw: random.Random) -> tuple[str, Iterator[dict[str, Any]], Iterator[dict[str, Any]]]:
    """Questions in four shifts, sets and judged blanks, 6,345 answers."""
    gold: list[dict[str, Any]] = [
        {
            "id": f"m{i}",
            "type": "multiple-choice",
            "options": list("1234"),
            "answer": "ABCD"[i % 4],
            "subject": "physics",
        }
        for i in range(CIRCULAR)
    ]
    gold += [{"id": f"s{i}", "type": "multiple-response", "options": list("1234"), "answer": "AC"} for i in range(SETS)]
    gold += [{"id": f"b{i}", "type": "fill-in-the-blank", "answer": ["粒子"]} for i in range(BLANKS)]
    said = [{"question_id": f"m{i}-{n}", "answer": draw.choice("ABCD")} for i in range(CIRCULAR) for n in range(4)]
    said += [{"question_id": f"s{i}-0", "answer": "AC"} for i in range(SETS)]
    said += [
        {"question_id": f"b{i}-0", "answer": "粒子", "judge_reply": "{'analysis': '', 'correct': 1}"}
        for i in range(BLANKS)
    ]
    return "cmmu/official", iter(gold), iter(said)


SIZES = {"choices": choices, "ranked": ranked, "circular": circular}


def one(name: str) -> dict[str, Any]:
    """Write the files, score them, and say what it took."""
    profile, gold, said = SIZES[name](random.Random(1))
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "gold.jsonl", Path(folder) / "said.jsonl"
        for file, given in zip(files, (gold, said), strict=True):
            with file.open("w", encoding="utf-8") as out:
                out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in given)
        started = time.perf_counter()
        report = score(PROFILES[profile], *files)
        seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
    return {"profile": profile, "n": report["n_expected"], "seconds": round(seconds, 1), "peak_mb": round(peak)}


def main() -> None:
    """Measure each in a process of its own."""
    if len(sys.argv) > 1:
        print(json.dumps(one(sys.argv[1])))
        return
    command = [sys.executable, "-m", "tests.bench.profiles"]
    told = {name: json.loads(subprocess.check_output([*command, name], text=True)) for name in SIZES}
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
