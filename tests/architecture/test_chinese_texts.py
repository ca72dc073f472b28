"""Chinese texts of the server: a blank after full-width punctuation leaves a hole in the line."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A sentence in two languages, which a model reads and no person.
MIXED = "图中的灯笼是什么颜色的？ What colour is the lantern?"
HOLE = re.compile(r"[，。；：？！、（）「」『』《》][ \u3000](?=\S)")


def texts_of_code() -> Iterator[tuple[str, str]]:
    """Every literal of the code that has Chinese characters."""
    for room in ("config", "curation", "annotation", "evaluation"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield path.name, node.value


def texts_of_files() -> Iterator[tuple[str, str]]:
    """Every line of the presets, templates, guides in Chinese and guidelines that ship."""
    paths = [
        *(ROOT / "fixtures" / "protocols").glob("*.yaml"),
        *(ROOT / "fixtures" / "taxonomies").glob("*.yaml"),
        *(ROOT / "fixtures" / "guidelines").rglob("*.zh-*.md"),
        *(ROOT / "docs" / "guide").glob("zh-*/*.md"),
        *(ROOT / "evaluation" / "publication" / "templates").rglob("*.html"),
    ]
    for path in sorted(paths):
        for line in path.read_text(encoding="utf-8").splitlines():
            # Cells of a table are between bars, and a mark of Markdown may need the blank in front of it.
            for cell in line.split("|"):
                yield path.name, cell.strip()


def test_no_blank_follows_full_width_punctuation() -> None:
    texts = [*texts_of_code(), *texts_of_files()]
    assert len(texts) > 10_000
    assert [(name, text) for name, text in texts if text != MIXED and HOLE.search(text)] == []
