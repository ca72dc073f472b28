"""Texts, pages, names and docstrings use plain words: ``plain_words.yaml`` lists what they avoid, and where."""

import ast
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
LISTS = yaml.safe_load(Path(__file__).with_name("plain_words.yaml").read_text())


def matches(section: str, texts: Iterator[tuple[str, str]]) -> list[str]:
    """Each avoided word with its place and what to say instead."""
    # Chinese has no spaces between words.
    edge = "" if section == "texts_zh" else r"\b"
    words = {
        re.compile(rf"{edge}(?:{word}){edge}", re.IGNORECASE): plain for word, plain in LISTS[section]["words"].items()
    }
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
                yield f"{file}:{node.lineno}", split_words(name)


def docstrings() -> Iterator[tuple[str, str]]:
    for file, tree in trees("docstrings"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                text = ast.get_docstring(node)
                if text is not None:
                    yield f"{file}:{getattr(node, 'lineno', 1)}", re.sub(r"``[^`]*``", " ", text)


def fixture_texts() -> Iterator[tuple[str, str]]:
    """Comments of the fixtures' YAML files, and the English guidelines."""
    for path in sorted((ROOT / "fixtures").rglob("*.yaml")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if comment := re.search(r"(?:^|\s)#(.*)", line):
                yield f"{path.relative_to(ROOT)}:{number}", re.sub(r"`[^`]*`", " ", comment[1])
    for path in sorted((ROOT / "fixtures").rglob("*.en.md")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            yield f"{path.relative_to(ROOT)}:{number}", line


def python_comments() -> Iterator[tuple[str, str]]:
    for file, _ in trees("docstrings"):
        with (ROOT / file).open() as source:
            for token in tokenize.generate_tokens(source.readline):
                if token.type == tokenize.COMMENT:
                    yield f"{file}:{token.start[0]}", re.sub(r"``?[^`]*``?", " ", token.string)


def locale_files(*languages: str) -> Iterator[Path]:
    for language in languages:
        files = sorted((ROOT / "frontend/src/locales" / language).glob("*.json"))
        assert files, f"no texts in {language}"
        yield from files


def chinese_texts() -> Iterator[tuple[str, str]]:
    for file in locale_files("zh-Hans", "zh-Hant"):
        yield from leaves(json.loads(file.read_text()), f"{file.parent.name}/{file.stem}")


def locale_keys() -> Iterator[tuple[str, str]]:
    """Keys and placeholders of the texts; capitals, "_" and "-" separate words."""
    for file in locale_files("en"):
        if file.stem in LISTS["locale_keys"]["except"]:
            continue
        for place, text in leaves(json.loads(file.read_text()), file.stem):
            if place.startswith(tuple(LISTS["locale_keys"]["codes"])):
                continue
            for name in [*place.split(".")[1:], *re.findall(r"\{\{-?\s*(\w+)", text)]:
                yield place, split_words(name)


def scripts() -> Iterator[tuple[str, str]]:
    """The front end's files and their text, without tests."""
    for path in sorted((ROOT / "frontend/src").rglob("*.ts*")):
        if ".test." not in path.name and str(path.relative_to(ROOT)) not in LISTS["front_identifiers"]["except"]:
            yield str(path.relative_to(ROOT)), path.read_text()


COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
DEFINED = re.compile(
    r"\b(?:const|let|function|class|interface|type|enum)\s+(\w+)"
    r"|\b(?:const|let)\s*[\[{]([^\]}=]*)[\]}]\s*="
    r"|\bfunction \w+\(([^)]*)\)"
)


def front_identifiers() -> Iterator[tuple[str, str]]:
    """Names that the front end's code defines, and its test ids; capitals, "_" and "-" separate words."""
    for file, source in scripts():
        yield file, split_words(Path(file).name.split(".")[0])
        for test_id in re.findall(r'(?:data-testid=|testId=)\{?["`]([^"`]*)["`]', source):
            yield f"{file} test id {test_id}", split_words(re.sub(r"\$\{[^}]*\}", " ", test_id))
        code = STRING.sub('""', COMMENT.sub(" ", source))
        for match in DEFINED.finditer(code):
            for name in re.findall(r"\w+", " ".join(filter(None, match.groups()))):
                yield f"{file} {name}", split_words(name)


def style_sheets() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "frontend/src").rglob("*.css")):
        yield str(path.relative_to(ROOT)), path.read_text()


def front_comments() -> Iterator[tuple[str, str]]:
    for file, source in (*scripts(), *style_sheets()):
        for match in COMMENT.finditer(source):
            line = source.count("\n", 0, match.start()) + 1
            yield f"{file}:{line}", re.sub(r"\s+\*?\s*|`[^`]*`", " ", match[0])


def split_words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", name)


SECTIONS = {
    "texts_en": english_texts,
    "texts_zh": chinese_texts,
    "locale_keys": locale_keys,
    "front_identifiers": front_identifiers,
    "front_comments": front_comments,
    "docs": pages,
    "identifiers": identifiers,
    "docstrings": docstrings,
    "comments": python_comments,
    "fixtures": fixture_texts,
}


@pytest.mark.parametrize("section", SECTIONS)
def test_only_plain_words(section: str) -> None:
    assert matches(section, SECTIONS[section]()) == []


def test_the_lists_match_words_and_nothing_inside_them() -> None:
    assert set(LISTS) == set(SECTIONS)
    assert matches("texts_en", iter([("a", "Hand in 3 items"), ("b", "Untold")])) == ["a: 'Hand in', say: submit"]
    assert [
        match.split(":")[0] for match in matches("identifiers", iter([("a", "what was told"), ("b", "founder")]))
    ] == ["a"]
