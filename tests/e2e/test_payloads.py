"""What people typed is text, and nothing else, on every page: markup, script addresses, formulas, stray marks.

The texts come in through the same services as all work does, in every field that takes text. A browser then opens each
page as each role; nothing of theirs may become an element, run, or be stopped only by the page's policy.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Site
from tests.e2e.test_desk import log_in

SLUG = "payloads"
SCRIPT = "<script>window.hit=1</script>"
BROKEN_OUT = "\"'><img src=x onerror=window.hit=2>"
ADDRESS = "javascript:window.hit=3//"
FORMULA = "=HYPERLINK(1;2)"
MARKED = "[x](javascript:window.hit=4) <svg onload=window.hit=5> ![y](x\u200f)"
SET_UP = f"""
import io, uuid
from annotation.comments.services import add_comment
from annotation.tracks import services as writing
from annotation.guidelines.services import acknowledge_guideline, add_guideline
from annotation.items.models import Item
from annotation.packages import services as packages
from annotation.packages.models import Package
from annotation.quality import services as quality
from annotation.releases import services as releases
from curation.images import services as images
from curation.people import services as accounts
from curation.people.models import Person
from curation.taxonomy.services import create_benchmark
from fixtures import scenes
from tests.annotation.track import command, drawn, inspect, items_of, review
from tests.people import person
SCRIPT, BROKEN_OUT, ADDRESS, FORMULA, MARKED = {SCRIPT!r}, {BROKEN_OUT!r}, {ADDRESS!r}, {FORMULA!r}, {MARKED!r}
key = uuid.uuid4
owner = person("payloads-owner", None, "owner")
titles = {{"zh-Hans": SCRIPT, "zh-Hant": BROKEN_OUT, "en": SCRIPT}}
benchmark = create_benchmark(actor=owner, slug="{SLUG}", title=titles, preset="demo", client_key=key())
roles = ("admin", "curator", "senior", "annotator", "contributor")
who = {{role: person(f"payloads-{{role}}", benchmark, role) for role in roles}}
for n, one in enumerate(who.values()):
    one.name = (BROKEN_OUT, SCRIPT, FORMULA, ADDRESS, BROKEN_OUT)[n]
    one.save(update_fields=["name"])
admin, curator, senior, annotator, contributor = who.values()
category = benchmark.categories.first().slug
made = [
    images.upload_image(
        actor=contributor, benchmark_slug="{SLUG}", file=io.BytesIO(scenes.encode(scenes.scene(seed))),
        filename="img src=x onerror=alert(1).png", source="external", url="https://a.example/?<script>",
        author=BROKEN_OUT, licence="CC0-1.0", category=category, client_key=key(),
    ).image_id
    for seed in scenes.distinct_seeds(8)
]
verdicts = [images.Verdict(image_id=i, no=0, outcome="accepted", client_key=key()) for i in made]
for done in (
    *images.judge_images(actor=curator, benchmark_slug="{SLUG}", verdicts=verdicts),
    *images.clear_images(actor=curator, benchmark_slug="{SLUG}", marks=[(i, key()) for i in made]),
):
    if done.error is not None:
        raise done.error
add_guideline(
    actor=admin, benchmark_slug="{SLUG}", kind="captions", base_version=0,
    text={{"zh-Hans": f"# {{SCRIPT}}\\n\\n{{MARKED}}", "en": MARKED}}, note=BROKEN_OUT, client_key=key(),
)
acknowledge_guideline(actor=annotator, benchmark_slug="{SLUG}", kind="captions", version=1)
accounts.create_invitation(
    actor=admin, benchmark_slug="{SLUG}", roles=["annotator"], team_id=None, lead=False, note=SCRIPT, client_key=key()
)
accounts.create_token(
    actor=admin, name=BROKEN_OUT, benchmark_slug="{SLUG}", operations=["package_list"], days=1, client_key=key()
)
packages.build_packages(
    actor=admin, benchmark_slug="{SLUG}", kind="captions", size=2, seed=1, complete_only=False, client_key=key()
)


def texts(n):
    first = [f"{{n}} {{SCRIPT}} 灯", f"{{BROKEN_OUT}} 图里有 {{n}}", f"{{FORMULA}} 桌上有一只碗"]
    return {{"captions": [*first, f"{{ADDRESS}} 门前的红灯笼", "窗边坐着三个人在下棋"]}}


def submit_package():
    package, _ = packages.claim_package(actor=annotator, benchmark_slug="{SLUG}", kind="captions")
    for item in items_of(package):
        writing.submit_item(
            actor=annotator, item_id=item.pk, base_no=0, content=texts(item.number),
            reasons={{"caption_overlap": SCRIPT, "caption_too_short": BROKEN_OUT}}, client_key=key(),
        )
        both = f"{{SCRIPT}}\\n{{BROKEN_OUT}}"
        add_comment(actor=annotator, item_id=item.pk, text=both, mentions=[], client_key=key())
    command(packages.self_check, annotator, package, ticks={{i.pk: i.revision_no for i in items_of(package)}})
    return command(quality.submit_package_for_review, annotator, package)


def reviewed(outcome):
    package = command(quality.start_review, senior, submit_package())
    for item in items_of(package):
        review(senior, item, outcome, reasons=["not_true"] if outcome == "return" else [], comment=BROKEN_OUT)
    return command(quality.complete_review, senior, package)


passed = reviewed("accept")
for item_id in drawn(passed):
    inspect(curator, item_id, comment=SCRIPT)
command(quality.complete_inspection, curator, passed)
reviewed("accept")
returned = reviewed("return")
release = releases.create_release(
    actor=admin, benchmark_slug="{SLUG}", kinds=["captions"], seed=1, notes=f"{{SCRIPT}} {{FORMULA}}", client_key=key()
)
gone = releases.create_release(
    actor=admin, benchmark_slug="{SLUG}", kinds=["captions"], seed=2, notes=BROKEN_OUT, client_key=key()
)
releases.withdraw_release(actor=admin, release_id=gone.pk, reason=BROKEN_OUT, client_key=key())
images.withdraw_image(actor=admin, image_id=made[-1], reason="rights", comment=SCRIPT, client_key=key())
"""
PAGES = {
    "admin": [
        "",
        "/people",
        "/people/invitations",
        "/people/{person}",
        "/audit",
        "/protocol",
        "/pictures",
        "/pictures/{image}",
        "/pictures/{withdrawn}",
        "/packages",
        "/packages/{passed}",
        "/items",
        "/items/{item}",
        "/quality",
        "/guidelines",
        "/guidelines/captions",
        "/guidelines/captions/edit",
        "/releases",
        "/releases/{release}",
        "/releases/{gone}",
        "/runs",
    ],
    "curator": ["", "/packages/{inspecting}/inspection"],
    "senior": ["", "/packages/{returned}"],
    "annotator": ["", "/packages/{returned}", "/work"],
}
# What a text would have made of itself, had it been taken for markup.
GROWN = """() => ({
  hit: window.hit ?? null,
  elements: [...document.querySelectorAll(
    'img[src="x"], svg[onload], [onerror], iframe, a[href^="javascript:" i], '
    + 'body script:not([src]):not([type="application/json"])'
  )].map((e) => e.outerHTML.slice(0, 120)),
  stopped: window.stopped ?? [],
})"""
LISTEN = """addEventListener("securitypolicyviolation", (e) => {
  (window.stopped ??= []).push(`${e.violatedDirective} ${e.blockedURI}`);
});"""


@pytest.fixture(scope="module")
def typed(site: Site) -> None:
    """A benchmark of such texts."""
    site.manage("shell", stdin=SET_UP)


@pytest.fixture
def admin(site: Site, typed: None, context_in: Callable[..., BrowserContext]) -> BrowserContext:
    return enter(site, context_in, "admin")


def enter(site: Site, context_in: Callable[..., BrowserContext], role: str) -> BrowserContext:
    context = context_in("zh-Hans", base_url=site.url)
    context.add_init_script(LISTEN)
    log_in(context, f"payloads-{role}")
    return context


def ids(context: BrowserContext) -> dict[str, Any]:
    """Rows by what the addresses call them."""

    def rows(path: str) -> Any:
        return context.request.get(f"/api/v1/benchmarks/{SLUG}/{path}").json()["results"]

    found: dict[str, Any] = {package["state"]: package["id"] for package in rows("packages")}
    found |= {release["state"]: release["id"] for release in rows("releases")}
    return found | {
        "release": found["draft"],
        "gone": found["withdrawn"],
        "image": rows("images?state=accepted")[0]["id"],
        "withdrawn": rows("images?state=withdrawn")[0]["id"],
        "item": rows("items?state=accepted")[0]["id"],
        "person": rows("people?search=payloads-annotator")[0]["id"],
    }


def test_what_people_typed_is_text_on_every_page(
    site: Site, admin: BrowserContext, context_in: Callable[..., BrowserContext]
) -> None:
    named, wrong, shown = ids(admin), list[str](), 0
    for role, patterns in PAGES.items():
        context = admin if role == "admin" else enter(site, context_in, role)
        page = context.new_page()
        page.on("pageerror", lambda error, role=role: wrong.append(f"{role}: {error}"))
        page.on("dialog", lambda dialog, role=role: wrong.append(f"{role}: {dialog.message}") or dialog.dismiss())
        for pattern in patterns:
            address = f"/b/{SLUG}{pattern.format_map(named)}"
            page.goto(address)
            page.wait_for_load_state("networkidle")
            expect(page.locator("h1").first).to_be_visible()
            shown += look(page, f"{role} {address}", wrong)
    assert wrong == []
    assert shown >= 15  # most pages tell of somebody or something that has such a name


def look(page: Page, where: str, wrong: list[str]) -> bool:
    """Note what grew out of a text; whether the page shows one as it was typed."""
    told = page.evaluate(GROWN)
    if told["hit"] is not None or told["elements"] or told["stopped"]:
        wrong.append(f"{where}: {told}")
    text = page.inner_text("body")
    return any(typed in text for typed in (SCRIPT, BROKEN_OUT, ADDRESS, FORMULA))


def test_no_cell_of_the_audit_file_is_a_formula(admin: BrowserContext) -> None:
    told = admin.request.get(f"/api/v1/benchmarks/{SLUG}/audit.csv").text()
    rows = list(csv.reader(io.StringIO(told)))
    cells = [cell for row in rows for cell in row]
    assert [cell for cell in cells if cell.startswith(("=", "+", "@"))] == []
    assert any(FORMULA in cell for cell in cells)


def test_no_file_of_such_texts_is_shown_as_a_page(admin: BrowserContext) -> None:
    release = ids(admin)["release"]
    page, wrong = admin.new_page(), list[str]()
    page.goto(f"/b/{SLUG}")
    for address in (f"/api/v1/benchmarks/{SLUG}/audit.csv", f"/api/v1/releases/{release}/gates.csv"):
        headers = admin.request.get(address).headers
        assert headers["content-type"] == "text/csv; charset=utf-8"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-disposition"].startswith("attachment; ")
        with page.expect_download() as download:
            page.evaluate("address => { location.href = address }", address)
        text = download.value.path().read_text()
        assert list(csv.reader(io.StringIO(text)))
        look(page, address, wrong)
        assert page.url.endswith(f"/b/{SLUG}")
    assert wrong == []


def test_what_grows_out_of_a_text_is_noticed(context_in: Callable[..., BrowserContext]) -> None:
    page, wrong = context_in().new_page(), list[str]()
    for text in (BROKEN_OUT, SCRIPT, f'<a href="{ADDRESS}">x</a>', "<svg onload=window.hit=5>"):
        page.set_content(f"<body><h1>{text}</h1></body>")
        look(page, text, wrong)
    assert len(wrong) == 4
