"""Texts, pages, names and docstrings use plain words: ``plain_words.yaml`` lists what they avoid, and where."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
LISTS = yaml.safe_load(Path(__file__).with_name("plain_words.yaml").read_text())


def matches(section: str, texts: Iterator[tuple[str, str]]) -> list[str]:
    """Each avoided word with its place and what to say instead."""
    words = {re.compile(rf"\b(?:{word})\b", re.IGNORECASE): plain for word, plain in LISTS[section]["words"].items()}
    return [
        f"{place}: {match[0]!r}, say: {plain}"
        for place, text in texts
        for word, plain in words.items()
        for match in word.finditer(text)
    ]


def leaves(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from leaves(entry, f"{path}.{key}")
    else:
        yield path, str(value)


def english_texts() -> Iterator[tuple[str, str]]:
    for file in sorted((ROOT / "frontend/src/locales/en").glob("*.json")):
        for place, text in leaves(json.loads(file.read_text()), file.stem):
            yield place, re.sub(r"\{\{[^}]*\}\}", " ", text)


def pages() -> Iterator[tuple[str, str]]:
    """Lines of the project's pages, without code and addresses."""
    files = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    for file in [*files, *sorted((ROOT / "docs").rglob("*.md"))]:
        name = str(file.relative_to(ROOT))
        if name in LISTS["docs"]["except"]:
            continue
        text = re.sub(r"(?ms)^ *```.*?^ *```", lambda match: "\n" * match[0].count("\n"), file.read_text())
        for number, line in enumerate(text.splitlines(), 1):
            yield f"{name}:{number}", re.sub(r"`[^`]*`|\]\([^)]*\)", " ", line)


def trees(section: str) -> Iterator[tuple[str, ast.Module]]:
    for folder in LISTS[section]["folders"]:
        paths = sorted((ROOT / folder).rglob("*.py"))
        assert paths, f"{folder} holds no Python file"
        for path in paths:
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text())


def identifiers() -> Iterator[tuple[str, str]]:
    """Names that code defines: functions, classes, parameters, variables; "_" and capitals separate words."""
    for file, tree in trees("identifiers"):
        for node in ast.walk(tree):
            name = None
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = node.name
            elif isinstance(node, ast.arg):
                name = node.arg
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                name = node.id
            if name is not None and f"{file} {name}" not in LISTS["identifiers"]["except"]:
                yield f"{file}:{node.lineno}", re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name)


def docstrings() -> Iterator[tuple[str, str]]:
    for file, tree in trees("docstrings"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                text = ast.get_docstring(node)
                if text is not None:
                    yield f"{file}:{getattr(node, 'lineno', 1)}", re.sub(r"``[^`]*``", " ", text)


SECTIONS = {"texts_en": english_texts, "docs": pages, "identifiers": identifiers, "docstrings": docstrings}


@pytest.mark.parametrize("section", SECTIONS)
def test_only_plain_words(section: str) -> None:
    assert matches(section, SECTIONS[section]()) == []


def test_the_lists_match_words_and_nothing_inside_them() -> None:
    assert set(LISTS) == set(SECTIONS)
    assert matches("texts_en", iter([("a", "Hand in 3 items"), ("b", "Untold")])) == ["a: 'Hand in', say: submit"]
    assert [
        match.split(":")[0] for match in matches("identifiers", iter([("a", "what was told"), ("b", "founder")]))
    ] == ["a"]
