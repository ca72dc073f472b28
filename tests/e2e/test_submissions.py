"""Predictions in a real browser: submitted by a member, rejected, fixed, scored, listed, unlisted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Site
from tests.e2e.test_desk import PASSWORD
from tests.evaluation.submissions.predictions import picture, right, texts

SLUG = "predictions"
SET_UP = f"""
from curation.benchmarks.queries import preset
from tests.evaluation.submissions.predictions import world_with_release
content = preset("demo").content
content["publication"]["least_group"] = 1  # three pictures are shown by category, too
_, release = world_with_release(3, content=content, slug={SLUG!r}, prefix="{SLUG}-")
print("release", release.pk)
"""


@pytest.fixture
def enter(site: Site, context_in: Callable[..., BrowserContext]) -> Callable[[str, str], Page]:
    """Sign somebody of the benchmark in."""

    def come_in(role: str, language: str) -> Page:
        page = context_in(language, base_url=site.url, viewport={"width": 1366, "height": 768}).new_page()
        page.goto("/")
        page.get_by_test_id("username").fill(f"{SLUG}-{role}")
        page.get_by_test_id("password").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("person-menu")).to_be_visible()
        page.get_by_test_id("language-menu").click()
        page.get_by_test_id(f"language-{language}").click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        return page

    return come_in


def test_predictions_from_the_template_to_the_leaderboard(
    site: Site, enter: Callable[[str, str], Page], shot: Callable[..., None], tmp_path: Path
) -> None:
    release = int(site.manage("shell", stdin=SET_UP).split("release ")[-1].split()[0])
    here = f"/b/{SLUG}/releases/{release}"
    author, faults = enter("contributor", "zh-Hant"), []
    author.on("pageerror", lambda error: faults.append(str(error)))
    author.goto(f"{here}/submissions")
    expect(author.get_by_test_id("submission-requirements")).to_contain_text("9")
    with author.expect_download() as template:
        author.get_by_test_id("submission-template").click()
    rows = [json.loads(line) for line in Path(template.value.path()).read_text().splitlines()]
    assert {row["id"] for row in rows} == {name for n in (1, 2, 3) for name in (picture(n), *texts(n))}
    shot(author, "submissions-zh-Hant", full_page=True)

    hand_in(author, tmp_path / "broken.jsonl", b'{"id": "x", "response": []}\n{"id": "y"\n')
    expect(author.get_by_test_id("submission-fault")).to_have_attribute("data-code", "wrong_row", timeout=30_000)
    expect(author.get_by_test_id("submission-fault")).to_contain_text("2")
    author.keyboard.press("Escape")
    expect(author.get_by_test_id("submissions")).to_contain_text("broken.jsonl")

    hand_in(author, tmp_path / "answers.jsonl", right(3))
    expect(author.get_by_test_id("submission-status")).to_have_attribute("data-status", "scored", timeout=30_000)
    figures = author.get_by_test_id("submission-figures")
    expect(figures.get_by_test_id("figure-t2i-R@1")).to_have_attribute("data-value", "1")
    expect(author.get_by_test_id("breakdown-category")).to_contain_text("100")
    shot(author, "submission-zh-Hant", full_page=True)
    author.keyboard.press("l")
    expect(author.get_by_test_id("submission-status")).to_contain_text("在排行榜上")

    admin = enter("admin", "en")
    admin.on("pageerror", lambda error: faults.append(str(error)))
    admin.goto(f"{here}/leaderboard")
    board = admin.get_by_test_id("submissions")
    expect(board).to_contain_text("answers.jsonl 的模型")
    shot(admin, "submissions-en", full_page=True)
    board.get_by_role("link", name="answers.jsonl 的模型").click()
    expect(admin.get_by_test_id("submission-list")).to_have_count(0)  # the submitter decides
    admin.get_by_test_id("submission-hide").click()
    admin.get_by_test_id("submission-hide-reason").fill("测试集参与了训练")
    admin.get_by_test_id("submission-hide-go").click()
    expect(admin.get_by_test_id("submission-hidden")).to_contain_text("测试集参与了训练")
    expect(admin.get_by_test_id("submission-status")).not_to_contain_text("On the leaderboard")
    admin.goto(f"{here}/leaderboard")
    expect(admin.get_by_test_id("gallery")).to_be_visible()
    expect(admin.get_by_test_id("submissions")).to_have_count(0)
    author.get_by_test_id("bell").click()
    author.get_by_test_id("notice-submission_hidden").click()
    expect(author.get_by_test_id("submission-hidden")).to_contain_text("测试集参与了训练")
    expect(author.get_by_test_id("submission-list")).to_have_count(0)
    shot(author, "submission-hidden-zh-Hant", full_page=True)
    assert faults == []


def hand_in(page: Page, file: Path, content: bytes) -> None:
    """Choose a file, name the system, send by key, and arrive at its report."""
    file.write_bytes(content)
    page.get_by_test_id("submission-file").set_input_files(file)
    page.get_by_test_id("submission-system").fill(f"{file.name} 的模型")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("submission-status")).to_be_visible()
