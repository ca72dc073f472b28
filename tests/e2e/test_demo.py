"""What a visitor of the demo finds as each role: work in every state, a release, its scores."""

import csv
import io
import json
import re
import urllib.request
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from curation.people.rules import DEMO_PASSWORD
from evaluation.management import demo_boxes, demo_dialogues, demo_grounding, demo_panel, demo_questions
from evaluation.management.commands.demo_data import FATES, PICTURES, TO_JUDGE, WRITTEN_AHEAD
from fixtures import scenes
from tests.e2e.conftest import Site

SLUG = "lantern-demo"
PASSED = FATES.count("passed") * 10
BOXED = demo_boxes.FATES.count("passed") * 10
WITH_QUESTIONS = demo_questions.PASSED * 10
TEST_PICTURES = PASSED * 30 // 100


@pytest.fixture
def visit(demo_site: Site, context_in: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Walk in by the sign-in page's own button and choose a language."""

    def walk_in(username: str, language: str = "zh-Hans") -> Page:
        context = context_in(language, base_url=demo_site.url, viewport={"width": 1366, "height": 768})
        page = context.new_page()
        page.goto("/")
        page.get_by_test_id(f"demo-{username}").click()
        expect(page.get_by_test_id("person-menu")).to_be_visible()
        speak(page, language)
        return page

    return walk_in


def speak(page: Page, language: str) -> None:
    """Choose a language of the interface."""
    page.get_by_test_id("language-menu").click()
    page.get_by_test_id(f"language-{language}").click()
    expect(page.locator("html")).to_have_attribute("lang", language)


def test_the_demo_names_its_log_ins(demo_site: Site) -> None:
    """What the launcher prints is what the sign-in page offers."""
    with urllib.request.urlopen(f"{demo_site.url}/api/v1/demo-log-ins", timeout=10) as answer:
        log_ins = json.load(answer)
    assert {entry["role"] for entry in log_ins} == {"owner", "admin", "curator", "senior", "annotator", "contributor"}
    for entry in log_ins:
        assert f"{entry['username']:12} {entry['password']}" in demo_site.said


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "en"])
def test_an_annotator_finds_a_package_begun(
    visit: Callable[..., Page], shot: Callable[..., None], language: str
) -> None:
    page = visit("annotator", language)
    expect(page.get_by_test_id("todos")).to_be_visible()
    shot(page, f"home-{language}")
    page.get_by_test_id("nav-work").click()
    page.locator("[data-testid^=continue-]").click()
    expect(page.get_by_test_id("captions-editor")).to_be_visible()
    package = page.request.get(f"/api/v1/packages/{re.findall(r'work/([0-9]+)', page.url)[0]}").json()
    assert (package["written"], package["size"]) == (WRITTEN_AHEAD, 10)
    expect(page.get_by_test_id("caption-1")).not_to_have_value("")
    page.get_by_test_id("caption-3").fill(page.get_by_test_id("caption-2").input_value() + "呢")
    expect(page.get_by_test_id("finding-caption_overlap")).to_be_visible()
    page.wait_for_timeout(3_500)  # the greeting on arrival goes by itself
    shot(page, f"workspace-{language}")
    page.goto(f"/b/{SLUG}/packages/{package['id']}/check")
    expect(page.get_by_test_id("ticked")).to_be_visible()
    shot(page, f"self-check-{language}")


def test_a_curator_finds_pictures_and_a_draw(visit: Callable[..., Page], shot: Callable[..., None]) -> None:
    page = visit("curator", "en")
    page.goto(f"/b/{SLUG}/pictures?state=accepted")
    expect(page.get_by_test_id("picture").first).to_be_visible()
    counts = page.request.get(f"/api/v1/benchmarks/{SLUG}/images/counts").json()
    assert (counts["accepted"], counts["received"]) == (PICTURES - TO_JUDGE, TO_JUDGE)
    page.wait_for_load_state("networkidle")
    shot(page, "pictures-en")
    page.goto(f"/b/{SLUG}/work")
    page.locator("[data-testid^=inspect-]").first.click()
    page.get_by_test_id("step-inspect").click()
    expect(page.get_by_test_id("draw")).to_be_visible()
    for language in ("zh-Hans", "en"):
        speak(page, language)
        page.wait_for_load_state("networkidle")
        shot(page, f"inspection-{language}")


def test_a_senior_finds_a_package_to_review(visit: Callable[..., Page], shot: Callable[..., None]) -> None:
    page = visit("senior", "en")
    page.goto(f"/b/{SLUG}/work")
    page.locator("[data-testid^=review-]").first.click()
    page.get_by_test_id("step-startReview").click()
    expect(page.get_by_test_id("decided")).to_be_visible()
    for language in ("zh-Hans", "en"):
        speak(page, language)
        page.wait_for_load_state("networkidle")
        shot(page, f"review-{language}")
        page.keyboard.press("r")
        expect(page.get_by_test_id("reason-form")).to_be_visible()
        shot(page, f"reason-{language}")
        page.keyboard.press("Escape")


def test_an_admin_finds_a_release_with_scores_above_chance(
    visit: Callable[..., Page], shot: Callable[..., None]
) -> None:
    page = visit("admin", "en")
    releases = page.request.get(f"/api/v1/benchmarks/{SLUG}/releases").json()["results"]
    release, mixed = sorted(releases, key=lambda row: row["number"])
    assert (mixed["kinds"], mixed["state"]) == (["captions", "vqa", "boxes", "grounding", "dialogue"], "frozen")
    assert mixed["items"] == PASSED + BOXED + WITH_QUESTIONS + demo_grounding.ACCEPTED + demo_dialogues.ACCEPTED
    assert (release["state"], release["images"]) == ("frozen", PASSED)

    def scores() -> dict:
        return page.request.get(f"/api/v1/releases/{release['id']}/scores").json()

    for _ in range(120):
        if any(s["metrics"] for s in scores()["systems"]):
            break
        page.wait_for_timeout(500)
    told = scores()
    assert (told["gallery"]["images"], told["gallery"]["texts"]) == (TEST_PICTURES, TEST_PICTURES * 5)
    [system] = told["systems"]
    found = {(m["scope"], m["metric"]): m["value"] for m in system["metrics"]}
    # A system that sees nothing finds one picture of all by chance; this one was trained on drawn scenes.
    assert found["t2i", "R@1"] > 2 / TEST_PICTURES
    assert found["t2i", "R@1"] <= found["t2i", "R@5"] <= found["t2i", "R@10"] <= 1
    page.goto(f"/b/{SLUG}/releases/{release['id']}/scores")
    expect(page.get_by_test_id("scores")).to_contain_text("R@10")
    shot(page, "scores-en")
    page.goto(f"/b/{SLUG}")
    for language in ("zh-Hans", "en"):
        speak(page, language)
        expect(page.get_by_test_id("board")).to_be_visible()
        shot(page, f"board-{language}")


def test_an_admin_finds_accepted_questions_answered_and_a_reply_that_a_person_read(visit: Callable[..., Page]) -> None:
    page = visit("admin", "en")
    size = 3 * WITH_QUESTIONS
    sets = page.request.get(f"/api/v1/benchmarks/{SLUG}/sets").json()["sets"]
    [work] = [one for one in sets if one["origin"] == "rolling" and one["suite"] == "vqa"]
    assert (work["suite"], work["size"], work["pictures"]) == ("vqa", size, WITH_QUESTIONS)
    [row] = page.request.get(f"/api/v1/sets/{work['id']}/scores").json()
    assert (row["n_scored"], row["overrides"]) == (size, 1)
    samples = page.request.get(f"/api/v1/runs/{row['run']}/samples?outcome=right&page_size=100").json()["results"]
    as_read, corrected = (
        {one["profile"]: one["value"] for one in row[figures]}["cvlue-vqa/official"]
        for figures in ("metrics", "corrected")
    )
    assert (as_read, corrected) == (len(samples) / size, (len(samples) + 1) / size)
    page.goto(f"/b/{SLUG}/runs/{row['run']}/samples")
    page.get_by_test_id("outcome-overridden").click()
    overridden = page.get_by_test_id("samples").locator("tbody a")
    expect(overridden).to_have_count(1)  # the list of all stays until this one is there
    overridden.click()
    expect(page.get_by_test_id("overrides")).to_contain_text(demo_questions.REASON)
    expect(page.get_by_test_id("as-read").locator("bdi")).to_have_text("两个")


def test_a_contributor_changes_their_password_and_is_signed_out_elsewhere(
    visit: Callable[..., Page],
) -> None:
    page, elsewhere = visit("contributor", "en"), visit("contributor", "en")
    page.get_by_test_id("person-menu").click()
    page.get_by_test_id("account").click()
    expect(page.get_by_test_id("account-name")).to_be_visible()
    page.get_by_test_id("current-password").fill("not the password")
    page.get_by_test_id("new-password").fill("four unrelated quiet words")
    page.get_by_test_id("change-password").click()
    expect(page.get_by_test_id("problem")).to_have_attribute("data-code", "password_wrong")
    page.get_by_test_id("current-password").fill(DEMO_PASSWORD)
    page.get_by_test_id("change-password").click()
    expect(page.get_by_test_id("current-password")).to_have_value("")
    page.reload()
    expect(page.get_by_test_id("account-name")).to_be_visible()
    elsewhere.reload()
    expect(elsewhere.locator("input[type=password]")).to_be_visible()
    # Back to the password that the sign-in page offers.
    page.get_by_test_id("current-password").fill("four unrelated quiet words")
    page.get_by_test_id("new-password").fill(DEMO_PASSWORD)
    page.get_by_test_id("revoke-tokens").check()
    page.get_by_test_id("change-password").click()
    expect(page.get_by_test_id("current-password")).to_have_value("")


def test_an_admin_finds_items_by_label_and_by_a_part_of_their_text(visit: Callable[..., Page]) -> None:
    page = visit("admin", "en")
    page.goto(f"/b/{SLUG}/items?state=accepted")
    item = page.request.get(f"/api/v1/benchmarks/{SLUG}/items?state=accepted").json()["results"][0]
    expect(page.get_by_test_id(f"item-{item['label']}")).to_be_visible()
    page.keyboard.press("Control+k")
    page.get_by_test_id("palette").get_by_role("combobox").fill(item["label"])
    expect(page.get_by_role("option", name=re.compile(item["label"])).first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"/items/{item['id']}$"))

    # The sweep has indexed the demo's texts by now, or does within seconds.
    words = item["first_text"][1:7]
    page.goto(f"/b/{SLUG}/items")
    page.get_by_test_id("search").fill(words)
    expect(page).to_have_url(re.compile(r"search="))
    for _ in range(10):
        if page.get_by_test_id(f"item-{item['label']}").is_visible():
            break
        page.wait_for_timeout(3_000)
        page.reload()
    expect(page.get_by_test_id(f"item-{item['label']}")).to_be_visible()
    expect(page.get_by_test_id("search")).to_have_value(words)
    page.keyboard.press("Control+k")
    page.get_by_test_id("palette").get_by_role("combobox").fill(words)
    expect(page.get_by_role("option", name=re.compile(item["label"])).first).to_be_visible()


def test_a_team_of_tcc_bench_from_an_upload_to_the_leaderboard(
    visit: Callable[..., Page], shot: Callable[..., None]
) -> None:
    """A question that the demo's scripted model drafts, refined, judged by two people, released and answered."""
    home = f"/b/{demo_panel.SLUG}"
    author, first, second, admin = (visit(name) for name in ("annotator", "senior", "contributor", "admin"))
    picture = upload(author, visit("curator"), home)
    label, item = write_with_the_model(author, home, picture, shot)

    # The first verdict is in, and no one else learns it.
    judge(first, home, label)
    history = f"/api/v1/items/{item}/history"
    assert (admin.request.get(history).json()["verdicts"], author.request.get(history).json()["verdicts"]) == ([], [])
    judge(second, home, label, shot)
    assert [one["outcome"] for one in admin.request.get(history).json()["verdicts"]] == ["pass", "pass"]
    # The scripted model, which replies with A, was right once in each language.
    author.goto(f"{home}/items/{item}")
    expect(author.get_by_test_id("blind-trials")).to_have_attribute("data-state", "done", timeout=60_000)
    expect(author.get_by_test_id("blind-trial")).to_have_count(2)
    author.get_by_test_id("blind-trial").first.locator("summary").click()
    shot(author, "blind-trials-zh-Hans")
    items = admin.request.get(f"/api/v1/benchmarks/{demo_panel.SLUG}/items?state=accepted").json()["results"]
    [flagged] = [one["id"] for one in items if "乐器" in one["first_text"]]
    an_author_learns_of_a_flag(visit("annotator2"), f"{home}/items/{flagged}", shot)
    admin.goto(f"{home}/quality")
    expect(admin.get_by_test_id("rounds").locator("tbody tr")).to_have_count(2)
    shot(admin, "panel-quality-zh-Hans")

    release = frozen_release(admin, home)
    files = {one["name"]: one for one in release["files"]}
    card = admin.request.get(files["README.md"]["url"]).text()
    assert "1 of 3 questions are. None was excluded for that." in card
    for language in ("zh", "en"):  # four right replies to the flagged question, one of four to each other
        assert re.search(
            rf"^\| {language}\S* \| .* \| 3 \| 6 \| 12 \| 0 \| 50\.0% \| [0-9.–]+% \| 1 \|$", card, re.MULTILINE
        )
    rows = list(csv.DictReader(io.StringIO(admin.request.get(files["VQA.csv"]["url"]).text())))
    assert len(rows) == release["items"]
    assert any(row["Question"] == "图中的器皿通常用来盛什么？" for row in rows)
    admin.goto(f"{home}/releases/{release['id']}/leaderboard")
    row = admin.get_by_role("row").filter(has=admin.get_by_role("link", name="Demo scripted replies")).first
    expect(row).to_contain_text(f"{release['items']} / {release['items']}", timeout=90_000)
    shot(admin, "panel-leaderboard-zh-Hans")


def an_author_learns_of_a_flag(page: Page, item: str, shot: Callable[..., None]) -> None:
    """The demo's accepted question, whose right option repeats its words, was answered without its picture."""
    page.goto(item)
    expect(page.get_by_test_id("blind-trials-flagged")).to_be_visible(timeout=60_000)
    trials = page.get_by_test_id("blind-trial")
    expect(trials).to_have_count(2)
    for trial in trials.all():
        trial.locator("summary").click()
        for right, read in zip("ABCD", trial.locator("tbody td:nth-child(2)").all_inner_texts(), strict=True):
            assert read == right
    for language in ("zh-Hans", "zh-Hant", "en"):
        speak(page, language)
        expect(page.get_by_test_id("blind-trials-flagged")).to_be_visible()
        shot(page, f"flagged-{language}")


def upload(author: Page, curator: Page, home: str) -> str:
    """A scene that the author adds and the curator accepts and marks; return the picture's label.

    In this scene the search for faces finds none, so that the mark is taken before and after it.
    """
    author.goto(f"{home}/pictures/add")
    scene = {"name": "teapot.jpg", "mimeType": "image/jpeg", "buffer": scenes.encode(scenes.scene(9))}
    author.get_by_test_id("files").set_input_files([scene])
    expect(author.locator("[data-testid=upload][data-state=ready]")).to_have_count(1, timeout=30_000)
    author.get_by_test_id("source").select_option("own")
    author.get_by_test_id("author").fill("李雷")
    author.get_by_test_id("licence").select_option("CC0-1.0")
    category = author.get_by_test_id("category").get_by_role("combobox")
    category.click()
    category.fill("器物")
    category.press("Enter")
    author.get_by_test_id("apply-details").click()
    author.get_by_test_id("add-ready").click()
    expect(author.locator("[data-testid=upload][data-state=taken]")).to_have_count(1, timeout=30_000)
    curator.goto(f"{home}/pictures/inspect")
    expect(curator.get_by_test_id("picture-grid").get_by_test_id("picture")).to_have_count(1)
    for key in ("Control+a", "p", "Control+a", "a"):
        curator.keyboard.press(key)
    for _ in range(60):
        [newest, *_] = curator.request.get(f"/api/v1/benchmarks/{demo_panel.SLUG}/images").json()["results"]
        if newest["state"] == "accepted" and newest["personal_information_clear"]:
            break
        curator.wait_for_timeout(250)
    return str(newest["label"])


def write_with_the_model(page: Page, home: str, picture: str, shot: Callable[..., None]) -> tuple[str, str]:
    """A concept, drafts that name it, one of them refined and submitted; return the item's label and id."""
    page.goto(f"{home}/write?show=room")
    page.get_by_test_id(f"create-{picture}").click()
    page.get_by_test_id("concept-open").click()
    for name, text in (
        ("local", "陶瓷"),
        ("translated", "ceramics"),
        ("noun_local", "器皿"),
        ("noun_translated", "vessel"),
    ):
        page.get_by_test_id(f"concept-{name}").fill(text)
    page.get_by_test_id("concept-add").click()
    page.get_by_test_id("concept-draft").click()
    expect(page.get_by_test_id("candidate")).to_have_count(3, timeout=60_000)
    shot(page, "drafts-zh-Hans")
    page.get_by_test_id("candidate-use").first.click()
    # The scripted model asks about the word, so the question names the concept: one key replaces it.
    expect(page.get_by_test_id("finding-concept_in_question").first).to_be_visible()
    page.keyboard.press("Alt+r")
    expect(page.get_by_test_id("question-local")).to_have_value("“图中的器皿”这个词有几个汉字？")
    page.get_by_test_id("question-local").fill("图中的器皿通常用来盛什么？")
    page.get_by_test_id("question-translated").fill("What does the vessel in the picture usually hold?")
    page.get_by_test_id("question-category").select_option("artifact")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("team-done")).to_be_visible()
    return str(page.get_by_test_id("task").get_attribute("data-item")), page.url.rpartition("/")[2]


def judge(page: Page, home: str, label: str, shot: Callable[..., None] | None = None) -> None:
    """Judge what waits until this item is passed; what waited before is passed, too."""
    page.goto(home)
    page.get_by_test_id("todo-panel_judge").locator("a").click()
    expect(page.get_by_test_id("start")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("judge")).to_be_visible()
    while True:
        shown = page.get_by_test_id("judge").get_attribute("data-item")
        expect(page.get_by_test_id("pass")).to_be_disabled()
        page.keyboard.press("Space")
        if shown == label and shot is not None:
            shot(page, "panel-judge-zh-Hans")
        page.keyboard.press("a")
        if shown == label:
            expect(page.locator(f"[data-testid=judge][data-item={label}]")).to_have_count(0)
            return
        expect(page.get_by_test_id("judge")).not_to_have_attribute("data-item", shown or "")


def frozen_release(page: Page, home: str) -> dict:
    page.goto(f"{home}/releases")
    page.get_by_test_id("new-release").click()
    page.get_by_test_id("draft-confirm").click()
    expect(page.get_by_test_id("gates-open")).to_be_visible()
    page.get_by_test_id("check").click()
    expect(page.get_by_test_id("step-checked")).to_have_attribute("data-status", "current")
    page.get_by_test_id("freeze").click()
    page.get_by_test_id("freeze-confirm").click()
    expect(page.get_by_test_id("publish")).to_be_enabled(timeout=60_000)
    [number] = re.findall(r"/releases/(\d+)", page.url)
    return page.request.get(f"/api/v1/releases/{number}").json()
