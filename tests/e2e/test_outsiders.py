"""A stranger in a real browser: reads the public pages, signs up, submits predictions, and is on the public board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Site
from tests.e2e.test_desk import PASSWORD
from tests.e2e.test_submissions import hand_in
from tests.evaluation.submissions.predictions import right

SLUG = "outsiders"
# A published release of three pictures whose samples everybody may look at; anyone may sign up.
SET_UP = f"""
import uuid
from django.utils import timezone
from curation.benchmarks.queries import preset
from evaluation.publication import services
from tests.evaluation.submissions.predictions import world_with_release
content = preset("demo").content
content["publication"] |= {{"sign_up": "open", "samples": {{"splits": ["test"], "answers": True, "per_split": 200}}}}
here, release = world_with_release(3, content=content, slug={SLUG!r}, prefix="{SLUG}-")
release.state, release.published_at = "published", timezone.now()
release.save(update_fields=["state", "published_at"])
services.update_publication(actor=here.admin, benchmark_slug={SLUG!r}, is_open=True, client_key=uuid.uuid4())
services.open_release(actor=here.admin, release_id=release.pk, client_key=uuid.uuid4())
"""


@pytest.fixture
def stranger(site: Site, context_in: Callable[..., BrowserContext]) -> Page:
    """The browser of a person without an account, at the public page of a benchmark."""
    site.manage("shell", stdin=SET_UP)
    page = context_in("en", base_url=site.url, viewport={"width": 1366, "height": 768}).new_page()
    page.goto(f"/p/{SLUG}/")
    expect(page).to_have_url(f"{site.url}/p/{SLUG}/en/")
    return page


def test_a_stranger_signs_up_submits_and_is_on_the_public_board(
    stranger: Page, shot: Callable[..., None], tmp_path: Path
) -> None:
    page, faults = stranger, []
    page.on("pageerror", lambda error: faults.append(str(error)))
    expect(page.get_by_text("Anyone can create an account.")).to_be_visible()
    page.get_by_role("link", name="Submit predictions").click()
    sign_up(page)
    shot(page, "outsider-start", full_page=True)

    page.get_by_test_id("submit-predictions-captions-v1").click()
    hand_in(page, tmp_path / "answers.jsonl", right(3))
    expect(page.get_by_test_id("submission-status")).to_have_attribute("data-status", "scored", timeout=30_000)
    expect(page.get_by_test_id("figure-t2i-R@1")).to_have_attribute("data-value", "1")
    expect(page.get_by_test_id("to-public-board")).to_be_hidden()
    page.get_by_test_id("submission-list").click()
    page.get_by_test_id("to-public-board").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("captions-v1")
    row = page.get_by_role("row").filter(has_text="answers.jsonl 的模型")
    expect(row).to_contain_text("9 / 9")
    expect(row).to_contain_text("100.0")
    expect(page.get_by_text("Li Lei")).to_have_count(0)
    shot(page, "outsider-board", full_page=True)

    page.goto(f"/b/{SLUG}/items")
    expect(page.get_by_test_id("closed")).to_be_visible()
    assert page.request.get(f"/api/v1/benchmarks/{SLUG}/items").status == 404
    assert faults == []


def sign_up(page: Page) -> None:
    """Create an account on the page for people outside the team, and arrive at the list of releases."""
    page.get_by_test_id("outside-switch").click()
    page.get_by_test_id("join-name").fill("Li Lei")
    page.get_by_test_id("join-username").fill(f"{SLUG}-li.lei")
    page.get_by_test_id("new-password").fill(PASSWORD)
    page.get_by_test_id("join-create").click()
    expect(page.get_by_test_id("open-releases")).to_be_visible()
