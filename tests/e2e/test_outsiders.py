"""Strangers in a real browser: they read public pages, sign up, get onto the public board, or report a mistake."""

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


# What an administrator decides about the newest report.
CONFIRM = f"""
import uuid
from annotation.releases.models import Erratum
from annotation.releases.services import confirm_erratum
from curation.people.models import Person
admin = Person.objects.get(username="{SLUG}-admin")
erratum = Erratum.objects.filter(benchmark__slug={SLUG!r}).latest("no")
confirm_erratum(actor=admin, erratum_id=erratum.pk, note={{"en": "Two lanterns."}}, client_key=uuid.uuid4())
"""


@pytest.fixture(scope="module")
def published(site: Site) -> str:
    """The address of a benchmark's public pages."""
    site.manage("shell", stdin=SET_UP)
    return f"{site.url}/p/{SLUG}/"


@pytest.fixture
def stranger(published: str, site: Site, context_in: Callable[..., BrowserContext]) -> Page:
    """The browser of a person without an account, at the public page of a benchmark."""
    page = context_in("en", base_url=site.url, viewport={"width": 1366, "height": 768}).new_page()
    page.goto(published)
    expect(page).to_have_url(f"{published}en/")
    return page


def test_a_stranger_signs_up_submits_and_is_on_the_public_board(
    stranger: Page, shot: Callable[..., None], tmp_path: Path
) -> None:
    page, faults = stranger, []
    page.on("pageerror", lambda error: faults.append(str(error)))
    expect(page.get_by_text("Anyone can create an account.")).to_be_visible()
    page.get_by_role("link", name="Submit predictions").click()
    create_account(page, "li.lei")
    expect(page.get_by_test_id("open-releases")).to_be_visible()
    shot(page, "outsider-start")

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
    shot(page, "outsider-board")

    page.goto(f"/b/{SLUG}/items")
    expect(page.get_by_test_id("closed")).to_be_visible()
    assert page.request.get(f"/api/v1/benchmarks/{SLUG}/items").status == 404
    assert faults == []


def test_a_reader_reports_a_mistake_and_learns_what_was_decided(
    stranger: Page, site: Site, shot: Callable[..., None]
) -> None:
    page, faults = stranger, []
    page.on("pageerror", lambda error: faults.append(str(error)))
    sample = f"/p/{SLUG}/en/captions-v1/samples/cap-000002"
    page.goto(sample)
    page.get_by_role("link", name="Report a mistake").click()
    create_account(page, "han.mei")
    expect(page.get_by_test_id("report-item")).to_have_value("cap-000002")
    expect(page.get_by_test_id("report-release")).to_have_value("captions-v1")
    page.get_by_test_id("report-text").fill("There are two lanterns.")
    page.get_by_test_id("report-send").click()
    expect(page.get_by_test_id("erratum-1")).to_have_attribute("data-state", "reported")
    shot(page, "outsider-errata", full_page=True)

    site.manage("shell", stdin=CONFIRM)
    page.goto(f"/submit/{SLUG}")
    page.get_by_test_id("bell").click()
    page.get_by_test_id("notice-erratum_confirmed").click()
    expect(page).to_have_url(f"{site.url}/submit/{SLUG}/errata")
    expect(page.get_by_test_id("erratum-1")).to_contain_text("Two lanterns.")
    page.goto(sample)
    page.reload()  # browsers keep a public page for a minute
    expect(page.get_by_text("Two lanterns.")).to_be_visible()
    expect(page.get_by_text("There are two lanterns.")).to_have_count(0)
    assert faults == []


def test_two_strangers_submit_as_a_team_until_one_is_barred(
    stranger: Page, site: Site, context_in: Callable[..., BrowserContext], shot: Callable[..., None], tmp_path: Path
) -> None:
    first, faults = stranger, []
    first.goto(f"/submit/{SLUG}")
    create_account(first, "crew.one")
    first.get_by_test_id("crew-start").click()
    first.get_by_test_id("crew-name-field").fill("灯会组")
    first.keyboard.press("Enter")
    expect(first.get_by_test_id("crew-name")).to_have_text("灯会组")
    first.get_by_test_id("crew-make-link").click()
    link = first.get_by_test_id("crew-link").input_value()
    shot(first, "crew-start", full_page=True)

    second = context_in("zh-Hans", base_url=site.url, viewport={"width": 390, "height": 844}).new_page()
    for page in (first, second):
        page.on("pageerror", lambda error: faults.append(str(error)))
    second.goto(link)
    create_account(second, "crew.two")
    expect(second.get_by_test_id("crew-invitation")).to_contain_text("灯会组")
    shot(second, "crew-invitation-phone", full_page=True)
    second.get_by_test_id("crew-join").click()
    expect(second.get_by_test_id("crew-members")).to_contain_text("2")
    second.get_by_test_id("submit-predictions-captions-v1").click()
    for n in range(1, 6):
        hand_in(second if n % 2 else first, tmp_path / f"answers-{n}.jsonl", right(3))
        for page in (first, second):
            page.goto(f"/submit/{SLUG}")
            page.get_by_test_id("submit-predictions-captions-v1").click()
            expect(page.get_by_test_id("submission-day")).to_contain_text(f"{n}")
    for page in (first, second):
        expect(page.get_by_test_id("submission-used-up")).to_have_attribute("data-limit", "day")
        expect(page.get_by_test_id("submissions").get_by_role("row")).to_have_count(6)
    shot(second, "crew-used-up-phone", full_page=True)
    shot(first, "crew-used-up", full_page=True)

    admin = context_in("en", base_url=site.url, viewport={"width": 1366, "height": 768}).new_page()
    admin.goto(f"/b/{SLUG}/people/outsiders")
    admin.get_by_test_id("username").fill(f"{SLUG}-admin")
    admin.get_by_test_id("password").fill(PASSWORD)
    admin.keyboard.press("Enter")
    row = admin.get_by_test_id(f"outsider-{SLUG}-crew.two")
    expect(row).to_contain_text("灯会组")
    expect(row).to_contain_text("3")
    shot(admin, "outsiders-en", full_page=True)
    admin.get_by_test_id(f"bar-{SLUG}-crew.two").click()
    admin.get_by_test_id(f"bar-{SLUG}-crew.two-go").click()
    expect(admin.get_by_test_id(f"readmit-{SLUG}-crew.two")).to_be_visible()
    second.reload()
    assert second.request.get(f"/api/v1/benchmarks/{SLUG}/crew").status in (403, 404)
    assert faults == []


def create_account(page: Page, name: str) -> None:
    """Create an account on the page at which people outside the team sign in."""
    page.get_by_test_id("outside-switch").click()
    page.get_by_test_id("join-name").fill("Li Lei")
    page.get_by_test_id("join-username").fill(f"{SLUG}-{name}")
    page.get_by_test_id("new-password").fill(PASSWORD)
    page.get_by_test_id("join-create").click()
