"""Every role has its guide in every language, with the same headings; what the guides show and link to exists."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import shown_in_the_docs

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "guide"
LANGUAGES = ("en", "zh-Hans", "zh-Hant")
ROLES = ("admin", "annotator", "curator", "developer", "member", "senior", "submitter")
PAGES = [GUIDE / "README.md", *(GUIDE / language / f"{role}.md" for language in LANGUAGES for role in ROLES)]
HOMES = ("annotation", "config", "curation", "evaluation", "fixtures", "frontend", "tests", "tools")
PICTURES_MAXIMUM = 3_000_000  # bytes of all of them, which everybody who clones the repository fetches


def anchors(page: Path) -> set[str]:
    """What the headings of a page can be linked by, as GitHub makes it."""
    headings = re.findall(r"(?m)^#+ (.+)$", page.read_text())
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for entry in value.values():
            yield from texts(entry)
    else:
        yield str(value)


def names(language: str) -> set[str]:
    """Texts of the interface; of a text with a value the words before it, such as "Offline" of "Offline, {{count}}"."""
    files = (ROOT / "frontend/src/locales" / language).glob("*.json")
    found = {text for file in files for text in texts(json.loads(file.read_text()))}
    return {name.split("{{")[0].rstrip(" ,，(（…") for name in found}


def test_every_role_has_a_guide_in_every_language_and_nothing_else_is_there() -> None:
    assert sorted(GUIDE.rglob("*.md")) == sorted(PAGES)
    index = PAGES[0].read_text()
    assert [link for page in PAGES[1:] if (link := str(page.relative_to(GUIDE))) not in index] == []


@pytest.mark.parametrize("role", ROLES)
def test_the_languages_of_a_guide_have_the_same_headings_and_keys(role: str) -> None:
    texts = [(GUIDE / language / f"{role}.md").read_text() for language in LANGUAGES]
    assert len({tuple(len(marks) for marks in re.findall(r"(?m)^(#+) ", text)) for text in texts}) == 1
    assert len({text.count("\n| ") for text in texts}) == 1
    assert len({tuple(sorted(set(re.findall(r"\]\(([^)\s]+\.md[^)]*)\)", text)))) for text in texts}) == 1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(GUIDE)))
def test_what_a_guide_shows_and_links_to_exists(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text())
    missing = []
    for link in links:
        path, _, anchor = link.partition("#")
        target = page.parent / path
        if not target.exists() or (anchor and anchor not in anchors(target)):
            missing.append(link)
    assert missing == []
    if page.parent != GUIDE:
        assert sum(link.endswith(".png") for link in links) >= 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_commands_files_and_names_of_the_developers_guide_exist(language: str) -> None:
    page = (GUIDE / language / "developer.md").read_text()
    targets = re.findall(r"`(?:\S+=\S+ )?make ([a-z-]+)`", page)
    assert len(targets) > 5
    assert set(targets) - set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text())) == set()
    paths = re.findall(r"[\w.-]+(?:/[\w.-]+)+", page)
    files = {path for path in paths if path.split("/")[0] in HOMES}
    assert len(files) > 25
    assert [path for path in sorted(files) if not (ROOT / path).exists()] == []
    releases = "".join(path.read_text() for path in (ROOT / "annotation" / "releases").rglob("*.py"))
    named = set(re.findall(r"`(FreezeView|freeze(?:_\w+)?)`", page))
    assert named == {"FreezeView", "freeze", "freeze_release"}
    assert [name for name in named if not re.search(rf"(?:def|class) {name}\b", releases)] == []


def test_the_guides_pictures_are_all_shown_and_small() -> None:
    pictures = sorted((GUIDE / "images").iterdir())
    shown = {
        (page.parent / link).resolve() for page in PAGES for link in re.findall(r"\]\((\S+\.png)\)", page.read_text())
    }
    assert [picture.name for picture in pictures if picture not in shown] == []
    assert sum(picture.stat().st_size for picture in pictures) < PICTURES_MAXIMUM


def test_the_command_that_takes_pictures_takes_every_one_that_is_shown() -> None:
    shown = shown_in_the_docs()
    assert {picture for places in shown.values() for picture in places} >= set((GUIDE / "images").iterdir())
    tests = "".join(path.read_text() for path in (GUIDE.parents[1] / "tests" / "e2e").glob("test_*.py"))
    assert [name for name in shown if not any(word in tests for word in named_by(name))] == []


def named_by(picture: str) -> list[str]:
    """The words by which a browser test takes a picture of this name."""
    base = re.sub(r"-(?:1366-light-)?(?:en|zh-Han[st])$", "", picture)
    journey = re.sub("^(?:journey|release)-", "", base)
    return [f'shot(page, "{picture}")', f'shot(page, f"{base}-{{language}}")', f', "{journey}")', f'("{journey}")']


@pytest.mark.parametrize("role", [role for role in ROLES if role != "developer"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_bold_words_in_a_guide_are_texts_of_the_interface(language: str, role: str) -> None:
    page = (GUIDE / language / f"{role}.md").read_text()
    # Bold text that ends with a punctuation mark begins a paragraph and names nothing.
    bold = [
        name
        for text in re.findall(r"\*\*([^*]+)\*\*", page)
        if text[-1] not in ".,:?。，：？…"
        for name in text.split(" → ")
    ]
    assert len(bold) >= 12
    assert sorted({" ".join(name.split()) for name in bold} - names(language)) == []
