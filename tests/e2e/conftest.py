"""A running application and a browser for the journeys.

``site`` is an empty installation and ``demo_site`` one with the demo's data; each starts once per run, under the real
launcher, in a temporary folder. ``context_in("zh-Hans")`` opens a browser context whose reader prefers that language.
When a journey fails, the pages that are open then are kept in ``test-results/``.
"""

import functools
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, expect, sync_playwright

from config.launch import postgres, valkey
from tools import browser as chromium
from tools import fonts

ROOT = Path(__file__).resolve().parents[2]
# Milliseconds until a page has to show something; a busy machine needs more than the usual five seconds.
expect.set_options(timeout=15_000)
START_SECONDS = 600  # a busy machine draws the demo slowly; one that fails is noticed at once
RESULTS = ROOT / "test-results"
LOCALES = {"zh-Hans": "zh-CN", "zh-Hant": "zh-TW", "en": "en-GB"}
CHROMIUM_WORDS = [
    "--no-sandbox",  # Chromium's own sandbox refuses to run as root; the pages shown are only ours.
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Addresses that the tests' own environment carries and a fresh installation must not inherit.
NOT_INHERITED = {
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "CELERY_BROKER_URL",
    "CACHE_URL",
    "SECRET_KEY",
    "MEDIA_ROOT",
    "LANTERN_DATA",
    "PASSWORD_HASHER",
}


@dataclass(frozen=True)
class Site:
    """A running installation.

    Attributes:
        url: its address, without a closing slash.
        data: its data folder.
        said: what the launcher printed when it was up; with demo data this names one log-in per role.
        process: the launcher.
    """

    url: str
    data: Path
    said: str
    process: "subprocess.Popen[bytes]"

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the site's own commands, connecting as the application's role."""
        return {
            **_clean_environment(),
            "LANTERN_DATA": str(self.data),
            "LANTERN_DEMO": "true",
            "SECRET_KEY": (self.data / "secret-key").read_text().strip(),
            "DATABASE_URL": postgres.url(self.data / "postgres", "lantern", "lantern_app"),
            "CELERY_BROKER_URL": valkey.broker_url(self.data / "valkey"),
            "CACHE_URL": valkey.cache_url(self.data / "valkey"),
        }

    def manage(self, *words: str, stdin: str = "") -> str:
        """Run one of the project's commands against the site and return what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def log(self, name: str) -> str:
        """Return what one part printed, for example ``gpu-worker`` or ``web-server``."""
        return (self.data / "logs" / f"{name}.log").read_text(errors="replace")


def _clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _run_site(*words: str) -> Iterator[Site]:
    if not (ROOT / "frontend" / "dist" / "index.html").exists():
        pytest.fail("The front end is not built: run `make test-browser`, which builds it first.", pytrace=False)
    folder = Path(tempfile.mkdtemp(prefix="lantern-site-"))
    folder.chmod(0o711)  # Where user namespaces are forbidden, PostgreSQL runs as another user than root.
    data, out, port = folder / "data", folder / "launcher.out", free_port()
    with out.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "config.launch", "--data", str(data), "--port", str(port), *words],
            cwd=ROOT,
            env={**_clean_environment(), "SIGN_UP": "open"},  # for benchmarks whose protocol lets people sign up
            stdout=log,
            stderr=log,
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while "Ctrl-C stops everything" not in out.read_text():
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"The application did not start:\n{out.read_text()}", pytrace=False)
            time.sleep(0.1)
        yield Site(url=f"http://localhost:{port}", data=data, said=out.read_text(), process=process)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
        shutil.rmtree(folder, ignore_errors=True)


def until_it_answers(address: str, seconds: float = 60) -> None:
    """Wait until a server that was just started answers."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            assert time.monotonic() < deadline, f"nothing answers at {address}"
            time.sleep(0.1)


@pytest.fixture(scope="session")
def site(browser: Browser) -> Iterator[Site]:
    """An empty installation; without a browser it is not even started."""
    yield from _run_site("--no-demo-data")


@pytest.fixture(scope="session")
def demo_site(browser: Browser) -> Iterator[Site]:
    """An installation with the demo's benchmark and people."""
    yield from _run_site()


def start_chromium(playwright: Playwright) -> Browser:
    """Start a headless browser, fetched if the machine has none."""
    path = chromium.find_or_fetch()
    fonts.fetch()
    environment: dict[str, str | float | bool] = {**os.environ, **chromium.environment(path)}
    return playwright.chromium.launch(executable_path=path, args=CHROMIUM_WORDS, env=environment)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Headless Chromium, once per run."""
    with sync_playwright() as playwright:
        started = start_chromium(playwright)
        yield started
        started.close()


@pytest.fixture
def context_in(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., BrowserContext]]:
    """Open browser contexts, each with cookies of its own: ``context_in("en")``, ``context_in("zh-Hans", base_url=…)``.

    Everything that Playwright's ``new_context`` takes may be given. All are closed when the test ends.
    """
    opened: list[BrowserContext] = []
    missing_texts: list[str] = []

    def note_missing(message: ConsoleMessage) -> None:
        if message.text.startswith("no text for "):
            missing_texts.append(message.text)

    def open_context(language: str = "en", **options: Any) -> BrowserContext:
        context = browser.new_context(
            **{"locale": LOCALES[language], "viewport": {"width": 1440, "height": 900}, **options}
        )
        context.set_default_timeout(15_000)
        context.on("console", note_missing)
        opened.append(context)
        return context

    yield open_context
    report = getattr(request.node, "report_of_call", None)
    for number, context in enumerate(opened):
        if report is not None and report.failed:
            _keep_pages(request.node.name, number, context)
        context.close()
    assert missing_texts == []


def _keep_pages(test: str, number: int, context: BrowserContext) -> None:
    RESULTS.mkdir(exist_ok=True)
    safe = re.sub(r"[^\w.-]+", "-", test)
    for page_number, page in enumerate(context.pages):
        page.screenshot(path=RESULTS / f"{safe}-{number}-{page_number}.png", full_page=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Leave the result of a test where its fixtures can see it."""
    report = yield
    if report.when == "call":
        item.report_of_call = report  # type: ignore[attr-defined]
    return report


@functools.cache
def shown_in_the_docs() -> dict[str, list[Path]]:
    """Pictures that README, docs and guides show, by name, with the files they are shown from; no others are kept."""
    files: dict[str, set[Path]] = {}
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for link in re.findall(r"!\[[^\]]*\]\(([^)]*images/[\w-]+\.png)\)", page.read_text()):
            file = (page.parent / link).resolve()
            files.setdefault(file.stem, set()).add(file)
    return {name: sorted(places) for name, places in files.items()}


def _make_small(picture: Path) -> None:
    """Keep 256 colours of a picture, a third of its bytes: everybody who clones the repository fetches it."""
    with Image.open(picture) as full:
        few = full.convert("RGB").quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(picture, optimize=True)


@pytest.fixture
def shot() -> Callable[..., None]:
    """Take a picture where ``SCREENSHOTS`` names a folder; else do nothing.

    ``SCREENSHOTS=docs`` (``make screenshots``) takes those alone that README, docs and guides show, to where they are.
    """

    def take(page: Page, name: str, **options: Any) -> None:
        folder = os.environ.get("SCREENSHOTS")
        if not folder:
            return
        page.wait_for_load_state("networkidle")  # the photographs on it too
        if folder == "docs":
            # As somebody sees it: across a page pictured whole would lie what is fixed to the window's edge.
            options.pop("full_page", None)
        for target in shown_in_the_docs().get(name, []) if folder == "docs" else [ROOT / folder / f"{name}.png"]:
            target.parent.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=target, animations="disabled", caret="hide", **options)
            if folder == "docs":
                _make_small(target)

    return take
