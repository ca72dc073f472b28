"""What the pages name exists: files, links, commands of make; the interface uses the words of the glossary."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(
    (ROOT / "docs").rglob("*.md")
)
FOLDERS = ("annotation", "config", "curation", "docs", "evaluation", "fixtures", "frontend", "tests", "tools")
TARGETS = set(re.findall(r"(?m)^([a-z][a-z-]*):", (ROOT / "Makefile").read_text()))


def code(page: Path) -> list[str]:
    """What stands in backticks on a page, and the lines of its blocks of code."""
    text = page.read_text()
    blocks = re.findall(r"(?ms)^ *```\w*\n(.*?)^ *```", text)
    return re.findall(r"`([^`\n]+)`", re.sub(r"(?ms)^ *```.*?^ *```", "", text)) + "".join(blocks).splitlines()


def paths(text: str) -> list[str]:
    """Paths of the repository in a piece of code: "<name>" and "…" are any name, "::" begins the name of a test."""
    text = re.sub(r"<[^>]*>|…", "*", text)
    names = re.findall(rf"(?<![\w/.-])((?:{'|'.join(FOLDERS)})/[\w./*-]*)", text)
    return [name.rstrip(".") for name in names]


def exists(path: str, folder: Path = ROOT) -> bool:
    return bool(list(folder.glob(path.rstrip("/"))) if "*" in path else (folder / path).exists())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_exists(page: Path) -> None:
    texts = code(page)
    named = {path for text in texts for path in paths(text) if not path.startswith("frontend/dist")}
    assert sorted(path for path in named if not exists(path)) == []
    links = {link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()) if ":" not in link}
    assert sorted(link for link in links if not (page.parent / link).exists()) == []
    commands = {name for text in texts for name in re.findall(r"(?:^|&& |\()(?:\S+=\S+ )*make ([a-z][a-z-]*)", text)}
    assert commands - TARGETS == set()


def test_paths_and_commands_are_found_in_code() -> None:
    assert paths("see tests/e2e/test_desk.py::test_a and frontend/src/locales/*/ui.json") == [
        "tests/e2e/test_desk.py",
        "frontend/src/locales/*/ui.json",
    ]
    assert exists("frontend/src/locales/*/ui.json")
    assert not exists("frontend/src/locales/*/nothing.json")
    assert {"demo", "test", "check"} <= TARGETS


@pytest.mark.parametrize(("language", "column"), [("en", 1), ("zh-Hans", 2), ("zh-Hant", 3)])
def test_the_interface_uses_the_words_of_the_glossary(language: str, column: int) -> None:
    page = (ROOT / "docs" / "glossary.md").read_text()
    shared, _, _ = page.partition("## In protocols, code")
    rows = [line.split("|") for line in shared.splitlines() if re.match(r"\| (?!English|---)", line)]
    assert len(rows) > 80
    files = (ROOT / "frontend/src/locales" / language).glob("*.json")
    texts = "\n".join(text for file in files for text in re.findall(r': "(.*)"', file.read_text())).lower()
    # A cell may hold two words; "第 n 版" stands for any number, and a bracket tells homonyms apart.
    cells = (re.sub(r"\(.*?\)|(?<=第) n 版", "", row[column]) for row in rows)
    words = [word.strip().lower() for cell in cells for word in re.split("[,、；]", cell)]
    assert [word for word in words if word not in texts] == []


def test_the_page_of_folders_names_every_folder() -> None:
    page = (ROOT / "docs" / "architecture" / "directory-structure.md").read_text()
    words = set(re.findall(r"[\w.]+", page))
    tops = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists() or path.name in FOLDERS}
    inner = {
        path.name
        for top in ("annotation", "config", "curation", "evaluation", "tests", "tools", "frontend/src")
        for path in (ROOT / top).iterdir()
        if path.is_dir() and any(path.rglob("*.[pt]*"))
    }
    unnamed = (tops | inner) - words - {"management", "migrations", "testing", "__pycache__"}
    assert sorted(unnamed) == []
    tools = {path.name for path in (ROOT / "tools").glob("*.py")} - {"__init__.py"}
    assert sorted(tools - words) == []
