"""How long scoring takes, and how much memory: ``python -m tests.bench.profiles [--answers 100000] [NAME …]``.

A million answers of every kind of profile (letters, whole sentences, probabilities, short answers, boxes, ranked lists,
shifts and blanks, a judge's votes), as many ranked lists as CVLUE's test split has captions, and CMMU's 6,345 answers,
each scored in a process of its own; one JSON object out. ``cpu_seconds`` is the process's own time, which tells more
than ``seconds`` where other programs use the cores. ``sha256`` is of the report: two versions that give the same one
score alike.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from evaluation.profiles.registry import PROFILES
from evaluation.profiles.reports import report_text, score

CAPTIONS, PICTURES = 44_865, 8_973
# As many answers as CMMU's validation set has: four shifts of each question, sets, blanks.
CIRCULAR, SETS, BLANKS = 1_355, 127, 798
OPTIONS = ["牌坊", "石碑", "城墙", "钟楼"]

Rows: TypeAlias = Iterator[dict[str, Any]]
#: The profile's name, the gold and the answers.
Case: TypeAlias = tuple[str, Rows, Rows]


def about(i: int) -> dict[str, str]:
    """What the i-th gold row says about its picture: three questions to a picture, pictures of 92 categories."""
    return {"id": f"q{i}", "image": f"i{i // 3}", "category": f"c{i // 3 % 92}"}


def choices(draw: random.Random, n: int) -> Case:
    """Questions with options, answered in a few characters."""
    said = ["答案：A", "选B", "The answer is C.", "D", "图中是石碑"]
    gold = (
        {"id": f"q{i}", "gold": "ABCD"[i % 4], "image": f"i{i // 3}", "category": f"c{i % 92}", "options": OPTIONS}
        for i in range(n)
    )
    return "tcc-mcq/robust", gold, ({"id": f"q{i}", "response": draw.choice(said)} for i in range(n))


def sentences(draw: random.Random, n: int) -> Case:
    """The same questions, answered in sentences of which no two are equal."""
    gold = (about(i) | {"gold": "ABCD"[i % 4], "options": OPTIONS} for i in range(n))
    said = (
        {
            "id": f"q{i}",
            "response": f"这张图片里有{draw.randrange(n)}块石头，看起来像是一处古代建筑，因此选{draw.choice('ABCD')}。",
        }
        for i in range(n)
    )
    return "tcc-mcq/robust", gold, said


def subjects(draw: random.Random, n: int) -> Case:
    """Questions of 66 subjects, whose means are averaged."""
    gold = (about(i) | {"answer": "ABCD"[i % 4], "subject": f"s{i % 66}"} for i in range(n))
    return (
        "vistai-mcq/official",
        gold,
        ({"id": f"q{i}", "response": f"答案: {draw.choice('ABCD')}", "parser_reply": "A"} for i in range(n)),
    )


def probabilities(draw: random.Random, n: int) -> Case:
    """One probability for each option."""
    gold = (about(i) | {"gold": i % 4, "country": f"n{i % 30}"} for i in range(n))
    said = ({"id": f"q{i}", "probabilities": [round(draw.random(), 4) for _ in OPTIONS]} for i in range(n))
    return "cvqa-mcq/paper", gold, said


def short(draw: random.Random, n: int) -> Case:
    """Short answers."""
    gold = (about(i) | {"gold": ["是", "2", "红色", "没有"][i % 4]} for i in range(n))
    said = ["是的", "有2个", "红色。", "没有看到", "蓝色"]
    return "cvlue-vqa/official", gold, ({"id": f"q{i}", "response": draw.choice(said)} for i in range(n))


def boxes(draw: random.Random, n: int) -> Case:
    """Boxes in pixels."""
    gold = (about(i) | {"gold": [10, 20, 110, 120], "width": 640, "height": 480} for i in range(n))
    said = ({"id": f"q{i}", "response": [draw.randrange(60), 20, 100 + draw.randrange(60), 120]} for i in range(n))
    return "cvlue-vg/paper", gold, said


def dialogues(draw: random.Random, n: int) -> Case:
    """Rounds of dialogues, each with ten ranked candidates."""
    gold = (about(i) | {"gold": f"a{i % 10}"} for i in range(n))
    return (
        "cvlue-vd/full",
        gold,
        ({"id": f"q{i}", "response": draw.sample([f"a{k}" for k in range(12)], 10)} for i in range(n)),
    )


def queries(draw: random.Random, n: int) -> Case:
    """Ranked lists of ten pictures."""
    gold = (about(i) | {"gold": [f"p{i % PICTURES}"]} for i in range(n))
    said = (
        {"id": f"q{i}", "response": [f"p{draw.randrange(PICTURES)}" for _ in range(9)] + [f"p{i % PICTURES}"]}
        for i in range(n)
    )
    return "cvlue-itr/paper", gold, said


def shifts(draw: random.Random, n: int) -> Case:
    """Four shifts of each question, a fifth as many blanks."""
    circular, blank = n // 5, n // 5
    gold = (
        about(i) | {"type": "multiple-choice", "options": OPTIONS, "answer": "ABCD"[i % 4]}
        if i < circular
        else about(i) | {"type": "fill-in-the-blank", "answer": ["粒子"]}
        for i in range(circular + blank)
    )

    def said() -> Rows:
        for i in range(circular):
            yield from ({"id": f"q{i}-{k}", "response": draw.choice(["答案：A", "故选B", "C"])} for k in range(4))
        for i in range(circular, circular + blank):
            yield {"id": f"q{i}-0", "response": "粒子", "judge_reply": "{'analysis': '', 'correct': 1}"}

    return "cmmu/official", gold, said()


def votes(draw: random.Random, n: int) -> Case:
    """A judge's reply for each answer."""
    gold = ({**about(i), "gold": "粒子"} for i in range(n))
    said = ({"id": f"q{i}", "response": f"回答正确而完整。[評分]: {draw.randrange(11)}"} for i in range(n))
    return "vistai-dialogue/robust", gold, said


def ranked(draw: random.Random) -> Case:
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


def circular(draw: random.Random) -> Case:
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


LARGE: dict[str, Callable[[random.Random, int], Case]] = {
    "choices": choices,
    "sentences": sentences,
    "subjects": subjects,
    "probabilities": probabilities,
    "short": short,
    "boxes": boxes,
    "dialogues": dialogues,
    "queries": queries,
    "shifts": shifts,
    "votes": votes,
}
PUBLISHED: dict[str, Callable[[random.Random], Case]] = {"ranked": ranked, "circular": circular}


def one(name: str, answers: int) -> dict[str, Any]:
    """Write the files, score them, and say what it took."""
    draw = random.Random(1)
    profile, gold, said = LARGE[name](draw, answers) if name in LARGE else PUBLISHED[name](draw)
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "gold.jsonl", Path(folder) / "said.jsonl"
        for file, given in zip(files, (gold, said), strict=True):
            with file.open("w", encoding="utf-8") as out:
                out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in given)
        started, used = time.perf_counter(), time.process_time()
        report = score(PROFILES[profile], *files)
        seconds, cpu = time.perf_counter() - started, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000
    return {
        "profile": profile,
        "n": report["n_expected"],
        "seconds": round(seconds, 1),
        "cpu_seconds": round(cpu, 1),
        "peak_mb": round(peak),
        "sha256": hashlib.sha256(report_text(report).encode()).hexdigest()[:12],
    }


def main() -> None:
    """Measure each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="which; default all")
    parser.add_argument("--answers", type=int, default=1_000_000, help="of those that have any size (default 1000000)")
    parser.add_argument("--here", action="store_true", help="measure the one name in this process")
    given = parser.parse_args()
    if given.here:
        print(json.dumps(one(given.names[0], given.answers)))
        return
    command = [sys.executable, "-m", "tests.bench.profiles", "--here", "--answers", str(given.answers)]
    figures = {
        name: json.loads(subprocess.check_output([*command, name], text=True))
        for name in given.names or [*LARGE, *PUBLISHED]
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
