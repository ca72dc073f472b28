"""Every page on a telephone and on a small laptop: nothing serious for axe, nothing wider than the screen, no error,
no character without a glyph, nothing that the content security policy stops.

The laptop reads zh-Hans in light colours, the telephone English, whose words are longest, in dark ones. That every text
exists in all three languages is tested beside the texts themselves (``frontend/src/app/locales.test.ts``).
"""

import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from evaluation.management import demo_board
from tests.e2e.conftest import ROOT, Site
from tests.e2e.glyphs import missing_glyphs

SLUG = "lantern-demo"
AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
SCREENS: dict[str, dict[str, Any]] = {
    "laptop": {"language": "zh-Hans", "viewport": {"width": 1366, "height": 768}, "color_scheme": "light"},
    "telephone": {
        "language": "en",
        "viewport": {"width": 390, "height": 844},
        "color_scheme": "dark",
        "has_touch": True,
        "is_mobile": True,
    },
}
# What each role opens; braces are filled from what the demo holds.
PAGES = {
    "owner": ["/benchmarks", "/benchmarks/new"],
    "admin": [
        "/b/{slug}",
        "/b/{slug}/people",
        "/b/{slug}/people/teams",
        "/b/{slug}/people/invitations",
        "/b/{slug}/people/{person}",
        "/b/{slug}/audit",
        "/b/{slug}/protocol",
        "/b/{slug}/protocol/versions",
        "/b/{slug}/protocol/versions/1",
        "/b/{slug}/protocol/compare",
        "/b/{slug}/protocol/new",
        "/b/{slug}/protocol/proposals/{proposal}",
        "/b/{slug}/consent",
        "/b/{slug}/pictures",
        "/b/{slug}/pictures/add",
        "/b/{slug}/pictures/{image}",
        "/b/{slug}/packages",
        "/b/{slug}/packages?build=1",
        "/b/{slug}/items",
        "/b/{slug}/items/import",
        "/b/{slug}/quality",
        "/b/{slug}/packages/{passed}",
        "/b/{slug}/guidelines",
        "/b/{slug}/guidelines/captions",
        "/b/{slug}/guidelines/captions/edit",
        "/b/{slug}/items/{item}",
        "/b/{slug}/releases",
        "/b/{slug}/releases/{release}",
        "/b/{slug}/releases/{release}?changes",
        "/b/{slug}/releases/{release}/leaderboard",
        "/b/{slug}/releases/{release}/samples?run={run}&scope=t2i",
        "/b/{slug}/releases/{release}/samples/t2i/0?run={run}",
        "/b/{slug}/runs",
        "/b/{slug}/runs/{run}",
        "/b/{slug}/releases/{release}/leaderboard?kind=vqa",
        "/b/{slug}/sets",
        "/b/{slug}/sets?new=1",
        "/b/{slug}/sets/{set}?start=1",
        "/b/{slug}/runs/{answers}/samples",
        "/b/{slug}/runs/{answers}/samples/1",
        "/b/{slug}/imports",
        "/b/{slug}/imports/{import}",
        "/b/{slug}/people/outsiders",
        "/b/{slug}/protocol/lists",
        "/systems",
        "/systems/demo-dual-encoder",
        "/account",
        "/notices",
        "/help",
        "/help/admin",
        "/help/api",
    ],
    "curator": [
        "/b/{slug}/pictures/inspect",
        "/b/{slug}/packages/{inspecting}/inspection",
        "/b/{slug}/pictures/cover",
        f"/b/{demo_board.SLUG}/category-board",
    ],
    "senior": ["/b/{slug}/work", "/b/{slug}/packages/{handed_over}", "/b/{slug}/pools/review"],
    "annotator": [
        "/b/{slug}",
        "/b/{slug}/work",
        "/b/{slug}/work/{working}",
        "/b/{slug}/packages/{working}/check",
        "/b/{slug}/write/dialogue",
    ],
}
# Open lists are looked at as well: a menu and a list to choose from, each by its button or field.
LISTS = {
    "/b/{slug}/pictures": ["person-menu", "bell", "category-filter"],
    "/b/{slug}/releases/{release}/leaderboard": ["downloads"],
}
LISTEN = """addEventListener("securitypolicyviolation", (e) => {
  (window.stopped ??= []).push(`${e.violatedDirective} ${e.blockedURI}`);
});"""
# An open list hides the rest of the page from screen readers and sends the focus back by guards of its own, which axe
# takes for hidden things that hold the focus.
FAULTS = """async (hasList) => {
  const rules = {"aria-hidden-focus": {enabled: !hasList}};
  const found = await axe.run(document, {resultTypes: ["violations"], rules});
  return found.violations
    .filter((v) => ["serious", "critical"].includes(v.impact))
    .map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(" | ")}`);
}"""

# A list to choose from is clipped where a copy with nothing but the chosen option, as wide as it likes, is wider.
CLIPPED = """() => {
  const isClipped = (select) => {
    const copy = select.cloneNode(false);
    copy.append(new Option(select.selectedOptions[0]?.text ?? ""));
    copy.style.cssText = "position: absolute; visibility: hidden; width: auto; min-width: 0; max-width: none";
    select.after(copy);
    const width = copy.offsetWidth;
    copy.remove();
    return width > select.offsetWidth + 1;
  };
  const shown = [...document.querySelectorAll("select")].filter((select) => select.checkVisibility());
  return shown.filter(isClipped).map((select) => select.selectedOptions[0].text);
}"""


def ids(page: Page) -> dict[str, str]:
    """Rows of the demo by what the addresses call them; the demo's release has its figures, and a file was imported."""

    def get(path: str) -> Any:
        return page.request.get(f"/api/v1/benchmarks/{SLUG}/{path}").json()

    def scored() -> list[str]:
        told = page.request.get(f"/api/v1/releases/{found['release']}/leaderboard").json()
        return [str(system["run"]) for system in told["systems"] if system["status"] == "scored"]

    found = {"slug": SLUG}
    for package in get("packages?page_size=100")["results"]:
        found.setdefault(package["state"], str(package["id"]))
    found.setdefault("handed_over", found.get("reviewing", ""))  # an earlier test may have taken it for review
    found["image"] = str(get("images?state=accepted&page_size=1")["results"][0]["id"])
    found["release"] = str(get("releases")["results"][0]["id"])
    found["item"] = str(get("items?state=accepted&page_size=1")["results"][0]["id"])
    found["person"] = str(get("people?search=annotator")["results"][0]["id"])
    found["import"] = str(imported(page))
    found["proposal"] = str(proposed(page))
    rolling = [one for one in get("sets")["sets"] if one["origin"] == "rolling"]
    [questions] = [one for one in rolling if one["suite"] == "vqa"]
    found["set"] = str(questions["id"])
    found["answers"] = str(page.request.get(f"/api/v1/sets/{questions['id']}/scores").json()[0]["run"])
    for _ in range(180):
        if runs := scored():
            return found | {"run": runs[0]}
        page.wait_for_timeout(500)
    raise AssertionError("the demo's release was not scored")


def proposed(page: Page) -> int:
    """Propose a protocol by which a role gains a right."""
    version = page.request.get(f"/api/v1/benchmarks/{SLUG}").json()["protocol"]["version"]
    source = page.request.get(f"/api/v1/benchmarks/{SLUG}/protocols/{version}").json()["source"]
    wider = source.replace("capabilities: [review]", "capabilities: [review, inspect]")
    answer = page.request.post(
        f"/api/v1/benchmarks/{SLUG}/protocol-proposals",
        headers={"X-CSRFToken": csrf(page)},
        data={"text": wider, "base_version": version, "client_key": str(uuid.uuid4())},
    )
    assert answer.status == 201, answer.text()
    number: int = answer.json()["id"]
    return number


def imported(page: Page) -> int:
    """Bring two rows in, neither of which says a picture that is here."""
    rows = [{"image": f"img-{number}", "captions": ["一"] * 5} for number in (9998, 9999)]
    file = {"name": "两行.jsonl", "mimeType": "application/jsonl", "buffer": "\n".join(map(json.dumps, rows)).encode()}
    answer = page.request.post(
        f"/api/v1/benchmarks/{SLUG}/imports",
        headers={"X-CSRFToken": csrf(page)},
        multipart={
            "file": file,
            "format": "jsonl",
            "kind": "captions",
            "target": "items",
            "client_key": str(uuid.uuid4()),
        },
    )
    assert answer.status == 201, answer.text()
    number: int = answer.json()["id"]
    return number


def csrf(page: Page) -> str:
    """The token that changes need."""
    return str(next(c["value"] for c in page.context.cookies() if c["name"] == "csrftoken"))


@pytest.mark.parametrize("screen", SCREENS)
def test_pages_fit_and_axe_finds_nothing_serious(
    demo_site: Site, context_in: Callable[..., BrowserContext], shot: Callable[..., None], screen: str
) -> None:
    options = dict(SCREENS[screen])
    language = options.pop("language")
    addresses: dict[str, str] = {}
    problems: list[str] = []
    for role in ("admin", *(r for r in PAGES if r != "admin")):
        context = context_in(language, base_url=demo_site.url, **options)
        context.add_init_script(path=AXE)
        context.add_init_script(LISTEN)
        page = context.new_page()
        where = "the sign-in page"
        page.on("pageerror", lambda error, role=role: problems.append(f"{role}: {error}"))
        page.goto("/")
        expect(page.get_by_test_id(f"demo-{role}")).to_be_visible()
        if role == "admin":
            look(page, where, problems)
        page.get_by_test_id(f"demo-{role}").click()
        expect(page.get_by_test_id("person-menu")).to_be_visible()
        choose_language(page, language)
        addresses = addresses or ids(page)
        for pattern in PAGES[role]:
            where = pattern.format_map(addresses)
            page.goto(where)
            page.wait_for_load_state("networkidle")
            expect(page.locator("h1").first).to_be_visible()
            shot(page, f"{screen}-{role}-{Path(pattern).as_posix().strip('/').replace('/', '-') or 'home'}")
            look(page, f"{role} {pattern}", problems)
            for name in LISTS.get(pattern, []):
                page.get_by_test_id(name).click()
                popup = page.locator("[role=menu], [role=listbox]:not([data-testid])")
                expect(popup).to_be_visible()
                look(page, f"{role} {pattern} with {name} open", problems, has_list=True)
                page.keyboard.press("Escape")
                expect(popup).to_have_count(0)
    assert not problems, "\n".join(problems)


def choose_language(page: Page, language: str) -> None:
    """Set the person's language, which their session keeps, and load the page anew."""
    answer = page.request.patch("/api/v1/session", data={"language": language}, headers={"X-CSRFToken": csrf(page)})
    assert answer.status == 200
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", language)


def look(page: Page, where: str, problems: list[str], *, has_list: bool = False) -> None:
    """Note what axe finds, what the content security policy stopped, characters drawn as boxes, choices that are
    cut off, and whether the page is wider than the screen."""
    problems += [f"{where}: {fault}" for fault in page.evaluate(FAULTS, has_list)]
    problems += [f"{where}: stopped {what}" for what in page.evaluate("window.stopped ?? []")]
    problems += [f"{where}: clipped choice {text}" for text in page.evaluate(CLIPPED)]
    if boxes := missing_glyphs(page):
        problems.append(f"{where}: boxes for {' '.join(boxes)}; `python -m tools.browser` fetches fonts")
    # Not compared with innerWidth: a telephone zooms out until the widest thing fits.
    size = page.viewport_size
    assert size is not None
    too_wide = page.evaluate("document.documentElement.scrollWidth") - size["width"]
    if too_wide > 0:
        problems.append(f"{where}: {too_wide} px wider than the screen")
