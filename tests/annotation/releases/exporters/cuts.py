"""What a killed process leaves: ``python -m tests.annotation.releases.exporters.cuts FOLDER ITEMS``.

For each exporter (of other kinds than captions only for those that write them in a way of their own) a process writes
its files until it kills itself (SIGKILL) after 60% of its steps, and another goes on. Prints a JSON list: exporter,
kind, signal, steps in all, steps that the second process read, whether the folder then equals that of a process nobody
disturbed.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

from annotation.releases.exporters import registry
from annotation.releases.exporters.base import Facts
from tests.annotation.releases.exporters import questions
from tests.annotation.releases.exporters.generated import Cut, Generated, facts, steps_of, write

PICTURE = 8_000_000  # bytes that each picture is said to have, so that Parquet has several shards


class CutQuestions(Cut, questions.Questions):
    """Choice questions at which the process dies."""


def forked(folder: Path, content: Generated, format_: str) -> tuple[int, int]:
    """Write in a process of its own; the signal it died of (0: none) and how much it read."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        write(folder, content, [format_], always=False)
        os.write(writing, str(content.read).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        read = pipe.read()
    return os.WTERMSIG(os.waitpid(child, 0)[1]), int(read or 0)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file, hidden ones too."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def tried(root: Path, about: Facts, format_: str) -> list[object]:
    """One exporter's trial."""
    disturbed, calm = root / "disturbed", root / "calm"
    for folder in (disturbed, calm):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    steps = steps_of(about, format_)
    of_questions = about.kind == "multiple_choice"
    content, cut = (questions.Questions, CutQuestions) if of_questions else (Generated, Cut)
    died_of, _ = forked(disturbed, cut(about, steps * 60 // 100), format_)
    _, read = forked(disturbed, content(about), format_)
    forked(calm, content(about), format_)
    return [format_, about.kind, died_of, steps, read, contents(disturbed) == contents(calm)]


if __name__ == "__main__":
    items = int(sys.argv[2])
    trials = [facts(kind, items, withheld=["test"], picture=PICTURE) for kind in ("captions", "vqa", "boxes")]
    trials.append(questions.facts(items, withheld=True, picture=PICTURE))
    formats = [*registry.DATA, *registry.ALWAYS]
    selected = [(about, name) for about in trials for name in formats if steps_of(about, name)]
    own = {"cvlue_published", "cvqa_hub", "tcc_csv", "coco_boxes"}
    selected = [(about, name) for about, name in selected if about.kind == "captions" or name in own]
    sys.stdout.write(json.dumps([tried(Path(sys.argv[1]), about, name) for about, name in selected]))
