"""The category board by keys alone: the demo's last proposals, 300 proposals of 20 people, two curators at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from evaluation.management import demo_board
from tests.e2e.conftest import Site

#: Seconds that a person takes to read a proposed category and decide; the script only counts keys and waiting.
READING = 6
# Twenty people propose fifteen categories each: five in each of three fields, of a stock that they share.
MANY = """
import uuid
from curation.benchmarks.models import Benchmark
from curation.board import services
from curation.board.rules import VOUCHINGS
from curation.people.models import Person
from curation.people.services import grant_roles
from curation.taxonomy.services import create_benchmark
names = lambda text: {"zh-Hans": text, "zh-Hant": text, "en": text}
fields = [{"code": code, "name": names(code)} for code in ("food", "music", "festival")]
board = {"proposers": 20, "per_field": {"minimum": 5, "maximum": 10}, "semantic_fields": fields}
owner, curator = (Person.objects.get(username=name) for name in ("owner", "curator"))
made = create_benchmark(actor=owner, slug="many", title=names("Many"), preset="demo", categories={"board": board},
                        client_key=uuid.uuid4())
grant_roles(person=curator, benchmark_id=made.pk, roles=["curator"], granted_by=None)
grant_roles(person=Person.objects.get(username="admin"), benchmark_id=made.pk, roles=["admin"], granted_by=None)
for n in range(20):
    who = Person.objects.create_person(username=f"proposer{n}", name=f"Proposer {n}", password=uuid.uuid4().hex)
    grant_roles(person=who, benchmark_id=made.pk, roles=["contributor"], granted_by=None)
    rows = [{"field": field["code"], "name": names(f"{field['code']} {(n * 7 + k * 3) % 40}"), "vouched": VOUCHINGS}
            for field in fields for k in range(5)]
    services.save_draft(actor=who, benchmark_slug="many", revision=0, rows=rows)
    services.submit_proposals(actor=who, benchmark_slug="many", client_key=uuid.uuid4())
"""


@pytest.fixture
def visit(demo_site: Site, context_in: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Walk in by the sign-in page's own button, and open a benchmark's board."""

    def walk_in(username: str, slug: str, language: str = "en", **device: Any) -> Page:
        options = {"viewport": {"width": 1366, "height": 768}} | device
        context = context_in(language, base_url=demo_site.url, **options)
        page = context.new_page()
        page.goto("/")
        page.get_by_test_id(f"demo-{username}").click()
        expect(page.get_by_test_id("person-menu")).to_be_visible()
        page.goto(f"/b/{slug}/category-board")
        expect(page.get_by_test_id("board-entries")).to_be_visible()
        return page

    return walk_in


def open_entries(page: Page) -> int:
    """How many proposed categories are undecided."""
    return page.locator("[data-state=proposed]").count()


def test_a_newcomer_decides_the_last_proposals_and_freezes_the_list(
    visit: Callable[..., Page], shot: Callable[..., None]
) -> None:
    page = visit("curator", demo_board.SLUG)
    assert open_entries(page) == 3
    expect(page.get_by_test_id("board-agreement")).to_contain_text("0.2")
    shot(page, "category-board-en")
    for left in (2, 1):
        page.keyboard.press("k")
        expect(page.locator("[data-state=proposed]")).to_have_count(left)
    telephone = visit(
        "curator", demo_board.SLUG, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    telephone.get_by_test_id("do-board.keep").tap()
    expect(telephone.locator("[data-state=proposed]")).to_have_count(0)
    assert telephone.evaluate("document.documentElement.scrollWidth") == 390
    expect(page.locator("[data-state=proposed]")).to_have_count(0)  # the other page asks again by itself
    page.get_by_test_id("freeze").click()
    page.get_by_test_id("freeze-confirm").click()
    expect(page.get_by_text("frozen as version 1", exact=True)).to_be_visible()
    page.goto(f"/b/{demo_board.SLUG}/protocol/lists")
    expect(page.get_by_test_id("list-board-1")).to_contain_text("7 categories")


def test_300_proposals_of_20_people_are_settled_by_keys(
    demo_site: Site, visit: Callable[..., Page], shot: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    demo_site.manage("shell", "-c", MANY)
    page = visit("curator", "many")
    total, keys, began = open_entries(page), 0, time.monotonic()
    shot(page, "category-board-many-en")
    left = total
    while left:
        # Every third is removed with the first of the usual reasons, the others are kept.
        if left % 3 == 0:
            page.keyboard.press("d")
            page.get_by_test_id("decision-reason").wait_for()
            page.keyboard.press("Alt+1")
            keys += 2
        else:
            page.keyboard.press("k")
            keys += 1
        left -= 1
        expect(page.locator("[data-state=proposed]")).to_have_count(left)
    waited = time.monotonic() - began
    shot(page, "category-board-settled-en")
    with capsys.disabled():
        minutes = (total * READING + waited) / 60
        sys.stdout.write(
            f"\n300 proposals, {total} categories: {keys} keys, {waited:.0f} s of waiting, about {minutes:.0f} min\n"
        )
    expect(page.get_by_test_id("board-progress")).to_contain_text(f"{total} of {total}")
    page.locator("[data-state=removed]").first.click()
    expect(page.get_by_test_id("board-history")).to_contain_text("No clear boundary")


def test_of_two_curators_the_second_sees_what_the_first_decided(visit: Callable[..., Page]) -> None:
    first, second = visit("curator", "many"), visit("admin", "many")
    for page in (first, second):
        page.locator("[data-state=kept]").first.click()
    # The second page does not ask again before it decides.
    second.route("**/category-board", lambda route: route.abort())
    first.keyboard.press("u")
    first.get_by_test_id("reason-2").click()
    expect(first.get_by_test_id("board-entries").locator("[aria-current]")).to_have_attribute("data-state", "proposed")
    second.keyboard.press("d")
    second.get_by_test_id("decision-reason").wait_for()
    second.unroute("**/category-board")
    second.keyboard.press("Alt+2")
    expect(second.get_by_test_id("board-conflict")).to_contain_text("Reopened")
    expect(second.get_by_test_id("board-entries").locator("[aria-current]")).to_have_attribute("data-state", "proposed")
