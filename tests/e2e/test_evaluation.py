"""A system is put to a release, watched, held and let go on; the leaderboard gains a row, figures open their queries.

A second system is made of the demo's own weights with noise on them, so that it answers worse and two can be compared.
The worker is stopped (not ended) for as long as the test looks at a run that waits.
"""

import contextlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest
from playwright.sync_api import BrowserContext, Page, expect
from safetensors.numpy import load_file, save_file

from tests.e2e.conftest import ROOT, Site
from tests.e2e.test_demo import SLUG, TEST_PICTURES

DEMO_MODEL = ROOT / "fixtures" / "models" / "demo-dual-encoder"
NOISY = "noisy-encoder"
WORDS = {
    "zh-Hans": {"queued": "排队中", "paused": "已暂停", "done": "已完成", "ahead": "领先", "hit": "前 1 名内答对"},
    "en": {"queued": "queued", "paused": "paused", "done": "done", "ahead": "leads", "hit": "Right within 1"},
}

#: What differs between the languages of the second test; each starts runs that the other does not.
QUESTIONS = {
    "zh-Hans": {
        "pictures": "none",
        "totals": "2 次运行 · {} 道题",
        "corrected": "人工判读后 {}",
        "reason": "逐条核对时的判读",
        "right": "正确",
        "listed": "在排行榜上",
    },
    "en": {
        "pictures": "1/2",
        "totals": "2 runs · {} questions",
        "corrected": "{} with overrides",
        "reason": "Read when the replies were checked",
        "right": "right",
        "listed": "On the leaderboard",
    },
}


@pytest.fixture
def admin(demo_site: Site, context_in: Callable[..., BrowserContext]) -> Callable[[str], Page]:
    """The demo's administrator, reading the given language."""

    def sign_in(language: str) -> Page:
        page = context_in(language, base_url=demo_site.url, viewport={"width": 1366, "height": 768}).new_page()
        page.goto("/")
        page.get_by_test_id("demo-admin").click()
        expect(page.get_by_test_id("person-menu")).to_be_visible()
        page.get_by_test_id("language-menu").click()
        page.get_by_test_id(f"language-{language}").click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        return page

    return sign_in


def add_noisy_system(site: Site, folder: Path, name: str, seed: int) -> None:
    """Put the demo's model with noise on its weights under test."""
    target = folder / name
    shutil.copytree(DEMO_MODEL, target)
    noise = np.random.default_rng(seed)
    weights = load_file(DEMO_MODEL / "model.safetensors")
    for key, weight in weights.items():
        if weight.ndim > 1:  # Kernels and embeddings; what is normalised by stays.
            spread = weight.astype(np.float32).std()
            weights[key] = (weight + noise.normal(0, 2 * spread, weight.shape)).astype(weight.dtype)
    save_file(weights, target / "model.safetensors")
    site.manage("add_system", "--slug", name, "--name", name, "--backend", "demo", "--locator", str(target))


@contextlib.contextmanager
def gpu_worker_stopped(site: Site) -> Iterator[None]:
    """Hold the process that answers, without ending it."""
    children = psutil.Process(site.process.pid).children()
    [worker] = [child for child in children if "-Q gpu" in " ".join(child.cmdline())]
    worker.suspend()
    try:
        yield
    finally:
        worker.resume()


@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_a_run_is_started_held_and_finished_and_the_leaderboard_gains_a_row(
    demo_site: Site, admin: Callable[[str], Page], shot: Callable[..., None], tmp_path: Path, language: str
) -> None:
    page, words = admin(language), WORDS[language]
    system = f"{NOISY}-{language.lower()}"
    add_noisy_system(demo_site, tmp_path, system, seed=len(language))
    releases = page.request.get(f"/api/v1/benchmarks/{SLUG}/releases").json()["results"]
    [release] = [one for one in releases if one["label"] == "captions-v1"]
    board = f"/b/{SLUG}/releases/{release['id']}/leaderboard"
    expect_scored(page, board, "demo-dual-encoder")
    assert page.get_by_test_id(f"system-{system}").count() == 0

    with gpu_worker_stopped(demo_site):
        start(page, system, release["id"])
        run = page.get_by_test_id("run")
        expect(run).to_have_attribute("data-expected", str(TEST_PICTURES * 5))
        expect(run).to_have_attribute("data-done", "0")
        expect(page.locator("main")).to_contain_text(words["queued"])
        page.keyboard.press("s")  # holds it
        expect(run).to_have_attribute("data-status", "paused")
        expect(page.locator("main")).to_contain_text(words["paused"])
        shot(page, f"run-{language}")
        address = page.url
        page.goto(f"/b/{SLUG}/runs?state=active")
        expect(page.get_by_test_id(f"run-{system}-{release['label']}")).to_have_attribute("data-status", "paused")
        page.goto(address)
        page.get_by_test_id("run-resume").click()
        expect(run).not_to_have_attribute("data-status", "paused")
    expect(run).to_have_attribute("data-done", str(TEST_PICTURES * 5), timeout=60_000)
    expect(run).to_have_attribute("data-status", "done")
    expect(page.locator("main")).to_contain_text(words["done"])

    page.get_by_test_id("to-leaderboard").click()
    row = page.get_by_test_id(f"system-{system}")
    expect(row).to_have_attribute("data-state", "scored", timeout=60_000)
    expect(row.get_by_test_id("counts-t2i")).to_contain_text(f"{TEST_PICTURES * 5} / {TEST_PICTURES * 5}")
    shot(page, f"leaderboard-{language}")
    compare(page, system, words["ahead"])
    samples(page, row, system, words["hit"], shot, language)
    if language == "en":
        downloads(page, release["id"])


def expect_scored(page: Page, board: str, system: str) -> None:
    """Wait until a system stands on the board with its figures."""
    page.goto(board)
    expect(page.get_by_test_id(f"system-{system}")).to_have_attribute("data-state", "scored", timeout=90_000)


def start(page: Page, system: str, release: int) -> None:
    page.goto(f"/b/{SLUG}/runs")
    expect(page.get_by_test_id("start-run")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_test_id("start-panel")).to_be_visible()
    page.get_by_test_id("start-system").select_option(system)
    page.get_by_test_id("start-release").select_option(str(release))
    page.get_by_test_id("start-confirm").click()
    expect(page.get_by_test_id("run")).to_be_visible()


def compare(page: Page, system: str, ahead: str) -> None:
    """The demo's own weights lead their noisy copy, and the page says so in words."""
    runs = {
        row.get_attribute("data-testid"): row.get_attribute("data-run")
        for row in page.get_by_test_id("scores").locator("tbody tr").all()
    }
    page.get_by_test_id("switch-R@5").click()
    page.get_by_test_id("compare-one").select_option(runs["system-demo-dual-encoder"])
    page.get_by_test_id("compare-other").select_option(runs[f"system-{system}"])
    compared = page.get_by_test_id("compared")
    # The page draws its charts at the same time, each in a process of its own.
    expect(compared).to_have_attribute("data-verdict", "one", timeout=60_000)
    expect(compared).to_contain_text(ahead)


def samples(page: Page, row: object, system: str, hit: str, shot: Callable[..., None], language: str) -> None:
    """A figure opens its queries; filters narrow them; keys walk through them."""
    page.get_by_test_id(f"system-{system}").get_by_test_id("score-t2i-R@1").click()
    expect(page.get_by_test_id("samples")).to_be_visible()
    rows = page.get_by_test_id("samples").locator("tbody tr")
    page.get_by_test_id("outcome-miss").click()
    expect(page.get_by_test_id("samples").locator("[data-rank='0']")).to_have_count(0)
    expect(page.get_by_test_id("outcome-hit")).to_have_text(hit)
    shot(page, f"samples-{language}")
    rows.first.get_by_role("link").first.click()
    expect(page.get_by_test_id(f"nearest-{system}")).to_be_visible()
    # A miss: something else stands before the right picture.
    expect(page.get_by_test_id(f"nearest-{system}").locator("li").first).to_have_attribute("data-gold", "false")
    text, address = page.get_by_test_id("query-text").inner_text(), page.url
    shot(page, f"sample-{language}")
    page.keyboard.press("n")
    expect(page.get_by_test_id("query-text")).not_to_have_text(text)
    page.keyboard.press("p")
    expect(page.get_by_test_id("query-text")).to_have_text(text)
    assert page.url == address
    page.keyboard.press("u")
    expect(page.get_by_test_id("outcome-miss")).to_have_attribute("aria-pressed", "true")


def downloads(page: Page, release: int) -> None:
    """The board as it can be taken away: the same number in the table's file as on the page."""
    told = page.request.get(f"/api/v1/releases/{release}/leaderboard").json()
    assert {"leaderboard.csv", "leaderboard.tex", "leaderboard.svg", "leaderboard.png"} <= {
        chart["name"] for chart in told["charts"]
    }
    page.goto(f"/b/{SLUG}/releases/{release}/leaderboard")
    expect(page.get_by_test_id("chart-leaderboard").locator("img")).to_be_visible()
    page.get_by_test_id("downloads").click()
    with page.expect_download() as waiting:
        page.get_by_test_id("download-leaderboard.csv").click()
    lines = Path(waiting.value.path()).read_text(encoding="utf-8-sig").splitlines()
    best = next(
        s for s in told["systems"][0]["scores"] if (s["scope"], s["metric"], s["group_by"]) == ("t2i", "R@1", "")
    )
    assert any(json.dumps(best["value"])[:6] in line for line in lines)


@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_a_grid_over_questions_a_reply_that_a_person_reads_and_a_listed_file(
    admin: Callable[[str], Page], shot: Callable[..., None], tmp_path: Path, language: str
) -> None:
    page, words = admin(language), QUESTIONS[language]
    item_set = questions_of_a_release(page)
    size, release = item_set["size"], item_set["release"]["id"]
    assert size == 24
    runs = start_grid(page, item_set, words)
    watch(page, item_set, runs)
    run = runs[0]
    rows = page.request.get(f"/api/v1/runs/{run}/samples?page_size=100").json()["results"]
    assert len(rows) == size
    right = [row for row in rows if row["outcome"] == "right"]
    score = page.get_by_test_id(f"score-{run}")
    as_read = re.compile(rf"^{re.escape(share(len(right), size))}")
    expect(score.locator("td").first).to_have_text(as_read)
    expect(score.get_by_test_id("corrected-figure")).to_have_count(0)
    shot(page, f"set-{language}", full_page=True)

    read_by_a_person(page, run, words, shot, language)
    page.goto(f"/b/{SLUG}/sets/{item_set['id']}")
    # A job scores the run once more by each of the three profiles; the figures as read stay.
    corrected = words["corrected"].format(share(len(right) + 1, size))
    expect(score.get_by_test_id("corrected-figure")).to_have_text([corrected] * 3, timeout=60_000)
    expect(score.locator("td").first).to_have_text(as_read)

    board = f"/b/{SLUG}/releases/{release}/leaderboard?kind=vqa"
    page.goto(board)
    official = page.get_by_test_id("submissions-cvlue-vqa/official")
    expect(official.get_by_test_id(f"board-run-{run}")).to_contain_text(share(len(right), size))
    listed = official.locator("tbody tr")
    before = listed.count()
    submission = submit_half_right(page, release, {row["key"]: row["right"] for row in rows}, tmp_path)
    page.goto(board)
    expect(listed).to_have_count(before)  # its submitter decides
    page.goto(f"/b/{SLUG}/releases/{release}/submissions/{submission}")
    page.get_by_test_id("submission-list").click()
    expect(page.get_by_test_id("submission-status")).to_contain_text(words["listed"])
    page.goto(board)
    expect(listed).to_have_count(before + 1)
    figure = official.get_by_test_id(f"submissions-{submission}").locator("[data-value]")
    expect(figure).to_have_attribute("data-value", "0.5")
    shot(page, f"board-questions-{language}", full_page=True)


def share(n: int, of: int) -> str:
    """A share as both languages write it."""
    return f"{100 * n / of:.1f}%"


def questions_of_a_release(page: Page) -> dict:
    """The set of the demo's release with questions, once its own run is scored."""
    for _ in range(120):
        sets = page.request.get(f"/api/v1/benchmarks/{SLUG}/sets").json()["sets"]
        made = [one for one in sets if (one["origin"], one["suite"], one["state"]) == ("release", "vqa", "ready")]
        if made and page.request.get(f"/api/v1/sets/{made[0]['id']}/scores").json():
            return made[0]
        page.wait_for_timeout(500)
    raise AssertionError("the release's questions were not answered")


def start_grid(page: Page, item_set: dict, words: dict[str, str]) -> list[int]:
    """Start the prompt in two languages, in one way to send pictures; return the runs."""
    page.goto(f"/b/{SLUG}/sets/{item_set['id']}")
    before = {row["id"] for row in runs_over(page, item_set)}
    page.get_by_test_id("start-set-run").click()
    expect(page.get_by_test_id("grid-systems-demo-scripted")).to_be_checked()
    expect(page.get_by_test_id("grid-cell")).to_have_attribute("data-state", "closed")  # the protocol requested it
    for prompt in ("zh-Hans", "en"):
        page.get_by_test_id(f"grid-languages-{prompt}").check()
    page.get_by_test_id(f"grid-pictures-{words['pictures']}").check()
    page.get_by_test_id("grid-pictures-1").uncheck()
    expect(page.locator("[data-testid=grid-cell][data-state=start]")).to_have_count(2)
    expect(page.get_by_test_id("grid-totals")).to_contain_text(words["totals"].format(2 * item_set["size"]))
    page.get_by_test_id("set-run-confirm").click()
    expect(page.get_by_test_id("start-set-panel")).to_have_count(0)
    return sorted({row["id"] for row in runs_over(page, item_set)} - before)


def runs_over(page: Page, item_set: dict) -> list[dict]:
    """The runs over a set."""
    return page.request.get(f"/api/v1/benchmarks/{SLUG}/runs?item_set={item_set['id']}").json()


def watch(page: Page, item_set: dict, runs: list[int]) -> None:
    """See both runs end and get their scores, without loading the page again."""
    assert len(runs) == 2
    for run in runs:
        card = page.get_by_test_id("set-runs-list").locator("li").filter(has=page.locator(f"a[href$='/runs/{run}']"))
        expect(card).to_have_attribute("data-status", "done", timeout=60_000)
        expect(card).to_have_attribute("data-done", str(item_set["size"]))
        expect(page.get_by_test_id(f"score-{run}")).to_be_visible(timeout=60_000)


def read_by_a_person(page: Page, run: int, words: dict[str, str], shot: Callable[..., None], language: str) -> None:
    """Open the first wrong reply of a run by keys, and read the right answer in it."""
    page.get_by_test_id(f"samples-{run}").click()
    page.get_by_test_id("outcome-wrong").click()
    page.get_by_test_id("samples").locator("tbody a").first.click()
    expect(page.get_by_test_id("as-read")).to_be_visible()
    right = page.get_by_test_id("right-answer").locator("bdi").inner_text()
    page.keyboard.press("o")
    page.get_by_test_id("override-answer").fill(right)
    page.get_by_test_id("override-send").click()  # a reason is needed
    expect(page.get_by_test_id("override-reason")).to_have_attribute("aria-invalid", "true")
    page.get_by_test_id("override-reason").fill(words["reason"])
    page.get_by_test_id("override-send").click()
    expect(page.get_by_test_id("override-dialog")).to_have_count(0)
    expect(page.get_by_test_id("overrides")).to_contain_text(words["reason"])
    expect(page.get_by_test_id("corrected")).to_contain_text(words["right"], timeout=60_000)
    assert page.get_by_test_id("corrected").locator("bdi").inner_text() == right
    shot(page, f"override-{language}", full_page=True)


def submit_half_right(page: Page, release: int, right: dict[str, str], folder: Path) -> int:
    """Submit answers to the template's questions, of which the first half are right; return the submission."""
    page.goto(f"/b/{SLUG}/releases/{release}/submissions?kind=vqa")
    with page.expect_download() as template:
        page.get_by_test_id("submission-template").click()
    rows = [json.loads(line) for line in Path(template.value.path()).read_text(encoding="utf-8").splitlines()]
    assert {row["id"] for row in rows} == set(right)
    answers = [{"id": row["id"], "response": right[row["id"]]} for row in rows[: len(rows) // 2]]
    answers += [{"id": row["id"], "response": "不知道"} for row in rows[len(rows) // 2 :]]
    file = folder / "answers.jsonl"
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in answers), encoding="utf-8")
    page.get_by_test_id("submission-file").set_input_files(file)
    page.get_by_test_id("submission-system").fill("半对的模型")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_test_id("submission-status")).to_have_attribute("data-status", "scored", timeout=60_000)
    expect(page.get_by_test_id("count-scored")).to_have_text(str(len(rows)))
    return int(page.url.rsplit("/", 1)[1])
