"""Checking pictures for personal information in a browser, by keys alone and by touch."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Site
from tests.e2e.test_desk import log_in

SLUG = "covering"
#: With two faces, with one, with none, with a plate, and another with one face.
PICTURES = 5
SET_UP = f"""
import io, uuid
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from curation.images import services as images
from curation.taxonomy.services import create_benchmark
from tests.faces import drawn_face, with_faces
from tests.people import person
owner = person("covering-owner", None, "owner")
benchmark = create_benchmark(
    actor=owner, slug="{SLUG}", title=dict.fromkeys(("zh-Hans", "zh-Hant", "en"), "{SLUG}"), preset="demo",
    client_key=uuid.uuid4(),
)
people = {{role: person(f"covering-{{role}}", benchmark, role) for role in ("admin", "curator", "contributor")}}
category = benchmark.categories.first().slug
faces = [
    [(20, 20, drawn_face(70)), (240, 60, drawn_face(60))],
    [(150, 90, drawn_face(80))],
    [],
    [],
    [(40, 120, drawn_face(64))],
]
for number, placed in enumerate(faces):
    noise = np.random.default_rng(number).integers(-5, 6, (360, 480, 3))
    picture = Image.fromarray(np.clip(with_faces(480, 360, placed) + noise, 0, 255).astype(np.uint8))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((380 - 9 * number, 250, 470, 350), (90 + 30 * number, 160, 90))
    if number == 3:
        draw.rectangle((60, 60, 300, 120), (250, 250, 250))
        draw.text((80, 66), "ABC-1234", (20, 20, 20), ImageFont.load_default(44))
    out = io.BytesIO()
    picture.save(out, "PNG")
    images.upload_image(
        actor=people["contributor"], benchmark_slug="{SLUG}", file=io.BytesIO(out.getvalue()), source="own",
        licence="own-work", category=category, client_key=uuid.uuid4(),
    )
"""


@pytest.fixture(scope="module")
def searched(site: Site, browser: Any) -> list[dict[str, Any]]:
    """Five pictures that the site's own worker has searched; with their regions as the server has them."""
    site.manage("shell", stdin=SET_UP)
    context = browser.new_context(base_url=site.url)
    log_in(context, "covering-curator")
    deadline = time.monotonic() + 300
    while True:
        rows = context.request.get(f"/api/v1/benchmarks/{SLUG}/images?sort=number").json()["results"]
        details = [context.request.get(f"/api/v1/images/{row['id']}/regions").json() for row in rows]
        if len(details) == PICTURES and all(len(detail["proposals"]) == 2 for detail in details):
            context.close()
            return details
        assert time.monotonic() < deadline, json.dumps(details)[:2000]
        time.sleep(2)


def detail_of(context: BrowserContext, picture: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = context.request.get(f"/api/v1/images/{picture['image']['id']}/regions").json()
    return found


def shows(page: Page, picture: dict[str, Any]) -> None:
    expect(page.get_by_test_id("cover")).to_have_attribute("data-image", str(picture["image"]["id"]))


def test_a_curator_checks_pictures_by_keys_alone(
    searched: list[dict[str, Any]], site: Site, context_in: Callable[..., BrowserContext], shot: Callable[..., None]
) -> None:
    two, one, none, plate, last = searched
    assert [len(picture["open"]) for picture in searched] == [2, 1, 0, 1, 1]
    me = context_in("zh-Hans", base_url=site.url, viewport={"width": 1366, "height": 768})
    log_in(me, "covering-curator")
    page = me.new_page()
    page.goto(f"/b/{SLUG}")
    expect(page.get_by_test_id("todo-check_pictures")).to_contain_text("5 张图片待确认")
    page.get_by_test_id("todo-check_pictures").get_by_role("link").click()
    shows(page, two)
    expect(page.get_by_test_id("cover-found")).to_have_text("检测到 2 个区域，请处理。")
    expect(page.get_by_test_id("cover-save")).to_be_disabled()
    shot(page, "cover-zh-Hans")

    # Both at once; what is final is said once, and what was saved can be undone for some seconds.
    page.keyboard.press("a")
    page.keyboard.press("c")
    expect(page.get_by_test_id("cover-final")).to_be_visible()
    page.keyboard.press("Enter")
    shows(page, one)
    page.keyboard.press("z")
    shows(page, two)
    page.keyboard.press("a")
    page.keyboard.press("c")
    shows(page, one)

    # One that stays visible, with a reason.
    page.keyboard.press("e")
    expect(page.get_by_test_id("exempt-dialog")).to_be_visible()
    page.keyboard.press("2")
    page.keyboard.press("c")
    shows(page, none)

    # Nothing was found: the person looks, draws one by keys, thinks better of it, and marks the picture.
    expect(page.get_by_test_id("cover-found")).to_have_text("未检测到人脸和文字，请自行查看。")
    page.keyboard.press("n")
    expect(page.get_by_test_id("region")).to_have_count(1)
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Delete")
    expect(page.get_by_test_id("region")).to_have_count(0)
    page.keyboard.press("p")

    # A plate is filled whatever is chosen.
    shows(page, plate)
    page.get_by_test_id("region-row").get_by_role("button").first.click()
    expect(page.get_by_test_id("cover-filled")).to_be_visible()
    page.keyboard.press("a")
    page.keyboard.press("v")
    shot(page, "cover-preview-zh-Hans")
    page.keyboard.press("c")

    # Found by mistake: removed, and stored as such.
    shows(page, last)
    page.keyboard.press("d")
    expect(page.get_by_test_id("region")).to_have_count(0)
    page.keyboard.press("c")
    expect(page.get_by_test_id("empty")).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("h")  # leaving the page sends what could be undone until then

    def sent() -> list[dict[str, Any]]:
        deadline = time.monotonic() + 30
        while True:
            details = [detail_of(me, picture) for picture in searched]
            if all(detail["tick"] == "clear" for detail in details) or time.monotonic() > deadline:
                return details
            page.wait_for_timeout(200)

    after = sent()
    assert [detail["tick"] for detail in after] == ["clear"] * PICTURES
    assert [detail["redaction_no"] for detail in after] == [1, 0, 0, 1, 0]
    assert [region["reason"] for region in after[1]["history"][0]["regions"]] == ["fictional"]
    assert [region["how"] for region in after[3]["history"][0]["regions"]] == ["fill"]
    assert [region["reason"] for region in after[4]["history"][0]["regions"]] == ["not_there"]
    # The old bytes are gone, also by the address that the browser still has.
    assert me.request.get(two["clean_url"]).status == 404
    assert me.request.get(after[0]["clean_url"]).ok


def test_a_contributor_covers_by_touch_and_someone_else_ticks(
    searched: list[dict[str, Any]], site: Site, context_in: Callable[..., BrowserContext], shot: Callable[..., None]
) -> None:
    set_up = SET_UP[SET_UP.index("category =") :].replace("enumerate(faces)", "enumerate(faces[4:5])")
    head = f"""
import io, uuid
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from curation.benchmarks.models import Benchmark
from curation.images import services as images
from curation.people.models import Person
from tests.faces import drawn_face, with_faces
benchmark = Benchmark.objects.get(slug="{SLUG}")
people = {{"contributor": Person.objects.get(username="covering-contributor")}}
"""
    site.manage("shell", stdin=head + set_up.replace("(40, 120, drawn_face(64))", "(150, 30, drawn_face(72))"))
    me = context_in("en", base_url=site.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    log_in(me, "covering-contributor")
    deadline = time.monotonic() + 120
    while True:
        (row,) = me.request.get(f"/api/v1/benchmarks/{SLUG}/images?clear=false").json()["results"]
        detail = me.request.get(f"/api/v1/images/{row['id']}/regions").json()
        if len(detail["proposals"]) == 2:
            break
        assert time.monotonic() < deadline
        time.sleep(2)
    page = me.new_page()
    page.goto(f"/b/{SLUG}/pictures/cover")
    shows(page, detail)
    expect(page.get_by_test_id("cover-tick")).to_have_count(0)
    shot(page, "cover-phone-en")
    page.get_by_test_id("do-cover.confirm").tap()
    page.get_by_test_id("cover-save").tap()
    page.get_by_test_id("cover-agree").tap()
    expect(page.get_by_test_id("empty")).to_be_visible()
    deadline = time.monotonic() + 30
    while (after := detail_of(me, detail))["redaction_no"] == 0 and time.monotonic() < deadline:
        page.wait_for_timeout(200)
    assert (after["redaction_no"], after["tick"]) == (1, "unticked")
