"""Judging out of pools, where nobody sees whose work it is: two seniors review, two curators inspect, by keys alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Site
from tests.e2e.test_desk import log_in

SLUG = "cvlue"  # the name that tests.annotation.track walks packages of
ITEMS = 4
# A package of four, written and handed over by somebody whose name gives them away.
SET_UP = f"""
import io, uuid
from annotation.packages import services
from annotation.quality import services as quality
from curation.benchmarks.queries import preset
from curation.images import services as images
from curation.taxonomy.models import Category
from tests.annotation import track
from tests.people import ROLES, names, world
from tests.pictures import jpeg
content = preset("demo").content | {{"roles": ROLES, "teams": None, "consent": None}}
content["tracks"]["package"] |= {{
    "size": {ITEMS}, "sample_percent": 50, "blind": True,
    "review_pool": {{"people": 1, "held": 3}}, "inspection_pool": {{"people": 2, "held": 5}},
}}
here = world(content, slug="{SLUG}", prefix="pools-")
Category.objects.create(
    benchmark=here.benchmark, slug="lantern", number=75, name=names("花灯"), field="celebrations",
    field_name=names("节庆"), distance="moderate",
)
made = [
    images.upload_image(
        actor=here.contributor, benchmark_slug="{SLUG}", file=io.BytesIO(jpeg(seed)), source="own",
        licence="own-work", category="lantern", client_key=uuid.uuid4(),
    ).image_id
    for seed in range({ITEMS})
]
verdicts = [images.Verdict(image_id=i, no=0, outcome="accepted", client_key=uuid.uuid4()) for i in made]
for done in (
    *images.judge_images(actor=here.curator, benchmark_slug="{SLUG}", verdicts=verdicts),
    *images.clear_images(actor=here.curator, benchmark_slug="{SLUG}", marks=[(i, uuid.uuid4()) for i in made]),
):
    if done.error is not None:
        raise done.error
services.build_packages(
    actor=here.admin, benchmark_slug="{SLUG}", kind="captions", size=None, seed=7, complete_only=False,
    client_key=uuid.uuid4(),
)
package, _ = services.claim_package(actor=here.annotator, benchmark_slug="{SLUG}", kind="captions")
track.write(here.annotator, package)
ticks = {{item.pk: item.revision_no for item in track.items_of(package)}}
track.command(services.self_check, here.annotator, package, ticks=ticks)
track.command(quality.submit_package_for_review, here.annotator, package)
"""
STATE = f"""
import json
from annotation.items.models import Item
from annotation.packages.models import Package
from annotation.judging.models import Verdict
rows = Verdict.objects.filter(item__benchmark__slug="{SLUG}")
print(json.dumps({{
    "package": Package.objects.get(benchmark__slug="{SLUG}").state,
    "items": list(Item.objects.filter(benchmark__slug="{SLUG}").order_by("number").values_list("state", flat=True)),
    "verdicts": sorted(rows.values_list("stage", "item__number", "judge__username", "outcome")),
}}))
"""


@pytest.fixture
def judge(site: Site, context_in: Callable[..., BrowserContext]) -> Callable[[str, str], Page]:
    def sit_down(who: str, purpose: str) -> Page:
        context = context_in("zh-Hans", base_url=site.url, viewport={"width": 1366, "height": 768})
        log_in(context, f"pools-{who}")
        page = context.new_page()
        page.goto(f"/b/{SLUG}/pools/{purpose}")
        expect(page.get_by_test_id("pool-claim")).to_be_visible()
        return page

    return sit_down


def take(page: Page, items: int) -> list[str]:
    """Take as many as one may hold by key; returns what they are called, in order."""
    page.keyboard.press("Control+Enter")
    cards = page.locator("[data-testid^=right-], [data-testid^=accept-]")
    expect(cards).to_have_count(items)
    return [
        re.sub(r"^(right|accept)-", "", name) for name in cards.evaluate_all("all => all.map(c => c.dataset.testid)")
    ]


def state(site: Site) -> dict:
    return json.loads(site.manage("shell", stdin=STATE).splitlines()[-1])


def test_two_review_and_two_inspect_out_of_pools_by_keys(
    site: Site, judge: Callable[[str, str], Page], shot: Callable[..., None]
) -> None:
    site.manage("shell", stdin=SET_UP)

    one, two = judge("senior", "review"), judge("senior2", "review")
    held = {one: take(one, 3), two: take(two, 1)}
    assert sorted(held[one] + held[two]) == [f"cap-{n:06d}" for n in range(1, ITEMS + 1)]
    expect(two.get_by_test_id("pool-held")).to_have_text("4")
    for page in (one, two):
        expect(page.get_by_test_id("sheet")).not_to_contain_text("annotator")  # blind: nobody's name stands there
    shot(one, "pool-review")
    one.keyboard.press("a")
    one.keyboard.press("z")  # thought better of it; nothing was sent
    expect(one.get_by_test_id(f"accept-{held[one][0]}")).to_be_visible()
    for page in (one, two):
        for name in held[page]:
            page.keyboard.press("a")
            expect(page.get_by_test_id(f"outcome-{name}")).to_have_attribute("data-outcome", "accept")
        page.keyboard.press("Escape")  # leaving sends what was decided
        page.wait_for_url(re.compile(rf"/b/{SLUG}/work$"))
    one.wait_for_function(
        f"fetch('/api/v1/benchmarks/{SLUG}/pools/review?kind=captions').then(a => a.json()).then(p => p.done === 4)"
    )

    inspectors = (judge("curator", "inspection"), judge("curator2", "inspection"))
    drawn = [take(page, 2) for page in inspectors]
    assert sorted(drawn[0]) == sorted(drawn[1])  # both judge each of the two that were drawn
    shot(inspectors[0], "pool-inspection")
    for page, names in zip(inspectors, drawn, strict=True):
        expect(page.get_by_test_id("sheet")).not_to_contain_text("annotator")
        for name in names:
            page.keyboard.press("a")
            expect(page.get_by_test_id(f"outcome-{name}")).to_have_attribute("data-outcome", "right")
        page.keyboard.press("Escape")
        page.wait_for_url(re.compile(rf"/b/{SLUG}/work$"))
    inspectors[0].wait_for_function(
        f"fetch('/api/v1/benchmarks/{SLUG}/pools/inspection?kind=captions')"
        ".then(a => a.json()).then(p => p.free + p.held === 0)"
    )

    found = state(site)
    assert found["package"] == "passed"
    assert found["items"] == ["accepted"] * ITEMS
    numbers = {name: int(name[-6:]) for name in held[one] + held[two]}
    assert found["verdicts"] == sorted(
        [["review", numbers[n], "pools-senior", "accept"] for n in held[one]]
        + [["review", numbers[n], "pools-senior2", "accept"] for n in held[two]]
        + [["inspection", numbers[n], f"pools-{who}", "right"] for n in drawn[0] for who in ("curator", "curator2")]
    )
