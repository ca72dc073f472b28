"""What the pages of the project name exists: files and folders, links, commands of make."""

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
