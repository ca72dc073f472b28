"""The browser tests find a browser, or fetch one, or say in one line what to do."""

import os
import shutil
import sys
import tarfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import browser, fonts, packages
from tools.setup import StepError


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout's ``.venv`` on a machine without a browser and with every font."""
    venv = tmp_path / "花灯" / ".venv"
    venv.mkdir(parents=True)
    monkeypatch.setattr(browser, "VENV", venv)
    monkeypatch.setattr(packages, "VENV", venv)
    monkeypatch.setattr(browser, "FETCHED", venv / "browser")
    monkeypatch.setattr(browser, "NAMES", ())
    monkeypatch.setattr(browser, "PLACES", ())
    monkeypatch.setattr(fonts, "environment", dict)
    monkeypatch.delenv("CHROMIUM", raising=False)
    return venv


def machine(monkeypatch: pytest.MonkeyPatch, platform: str, processor: str, user: int) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine=processor))
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(shutil, "which", lambda name, **_: f"/usr/bin/{name}")


@pytest.mark.parametrize(
    ("platform", "processor", "user", "sources"),
    [
        ("linux", "x86_64", 1000, ["_fetch_package", "_download_with_playwright"]),
        ("linux", "x86_64", 0, ["_fetch_package", "_install_with_apt", "_download_with_playwright"]),
        ("linux", "aarch64", 0, ["_install_with_apt", "_download_with_playwright"]),
        ("linux", "aarch64", 1000, ["_download_with_playwright"]),
        ("darwin", "arm64", 501, ["_download_with_playwright"]),
    ],
)
def test_a_machine_uses_the_sources_that_fit_it(
    monkeypatch: pytest.MonkeyPatch, platform: str, processor: str, user: int, sources: list[str]
) -> None:
    machine(monkeypatch, platform, processor, user)
    assert [source.__name__ for source in browser._sources()] == sources


def test_a_named_browser_comes_before_the_machines_own(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named, fetched = bare / "named", bare / "browser" / "chromium"
    fetched.parent.mkdir()
    fetched.touch()
    assert browser.find_or_fetch() == str(fetched)
    monkeypatch.setattr(browser, "NAMES", ("sh",))
    assert browser.find_or_fetch() == shutil.which("sh")
    monkeypatch.setenv("CHROMIUM", str(named))
    assert browser.find_or_fetch() == shutil.which("sh")  # what is named must exist
    named.touch()
    assert browser.find_or_fetch() == str(named)


def test_a_source_that_fails_leads_to_the_next(
    bare: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def closed() -> None:
        raise StepError("the registry cannot be reached")

    monkeypatch.setattr(browser, "_sources", lambda: [closed, lambda: None])
    assert browser.find_or_fetch() is None  # Playwright knows where its own is
    assert capsys.readouterr().out.endswith("no browser that way: the registry cannot be reached\n")
    monkeypatch.setattr(browser, "_sources", lambda: [closed, closed])
    with pytest.raises(SystemExit) as end:
        browser.find_or_fetch()
    assert str(end.value) == (
        "No Chromium is here and none could be fetched: install one (on Debian and Ubuntu `apt-get install chromium`), "
        "or name it with CHROMIUM=/path/to/chromium."
    )


def test_a_package_with_another_checksum_is_refused(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pack(*words: str, cwd: Path, env: dict[str, str]) -> None:
        assert words[:3] == ("npm", "pack", "@sparticuz/chromium@153.0.0")
        with tarfile.open(cwd / "sparticuz-chromium-153.0.0.tgz", "w:gz") as archive:
            archive.add(__file__, "package/bin/chromium.br")

    monkeypatch.setattr(packages, "run", pack)
    with pytest.raises(StepError, match="is not the package that was tried"):
        browser._fetch_package()
    assert list(bare.iterdir()) == []


def test_a_browser_without_the_machines_libraries_gets_its_own(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bare / "browser").mkdir()
    program = bare / "browser" / "chromium"
    program.write_text('#!/bin/sh\ncase "$LD_LIBRARY_PATH" in */browser/lib*) exit 0;; *) exit 127;; esac\n')
    program.chmod(0o755)
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    assert browser.environment(str(program)) == {"LD_LIBRARY_PATH": str(bare / "browser" / "lib")}
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/lib")
    assert browser.environment(str(program)) == {"LD_LIBRARY_PATH": f"{bare / 'browser' / 'lib'}:/opt/lib"}
    program.write_text("#!/bin/sh\nexit 0\n")
    assert browser.environment(str(program)) == {}
