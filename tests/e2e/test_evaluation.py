"""A system is put to a release, watched, held and let go on; the leaderboard gains a row, figures open their queries.

A second system is made of the demo's own weights with noise on them, so that it answers worse and two can be compared.
The worker is stopped (not ended) for as long as the test looks at a run that waits.
"""

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest
from playwright.sync_api import BrowserContext, Page, expect
from safetensors.numpy import load_file, save_file

from tests.e2e.conftest import ROOT, Site
from tests.e2e.test_demo import PASSED, SLUG, TEST_PICTURES

DEMO_MODEL = ROOT / "fixtures" / "models" / "demo-dual-encoder"
NOISY = "noisy-encoder"
WORDS = {
    "zh-Hans": {"queued": "排队中", "paused": "已暂停", "done": "已完成", "ahead": "领先", "hit": "前 1 名内答对"},
    "en": {"queued": "queued", "paused": "paused", "done": "done", "ahead": "leads", "hit": "Right within 1"},
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
        expect(run).to_have_attribute("data-expected", str(PASSED))
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
    expect(run).to_have_attribute("data-done", str(PASSED), timeout=60_000)
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
    expect(compared).to_have_attribute("data-verdict", "one")
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
