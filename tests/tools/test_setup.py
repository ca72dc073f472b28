"""Set-up says in one sentence what stops it, and installs only what the lock files say has changed."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tools import setup

ROOT = Path(__file__).resolve().parents[2]


class Usage(NamedTuple):
    """What ``shutil.disk_usage`` answers, in bytes."""

    total: int
    used: int
    free: int


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty checkout that set-up takes for its own."""
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(setup, "BIN", tmp_path / ".venv" / "bin")
    monkeypatch.setattr(setup, "STAMP", tmp_path / ".venv" / ".stamp")
    monkeypatch.setattr(setup, "FRONTEND", tmp_path / "frontend")
    return tmp_path


def test_too_little_room_is_said_before_anything_is_written(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10_000_000_000, 7_100_000_000, 2_900_000_000))
    with pytest.raises(SystemExit) as end:
        setup.check_room()
    assert str(end.value) == (
        f"\nSet-up stopped: the disk that holds {checkout} has 2.9 GB free and set-up needs 3 GB: "
        "make room, or move the checkout to a larger disk."
    )
    assert list(checkout.iterdir()) == []


def test_a_checkout_that_is_set_up_needs_no_more_room(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / ".venv").mkdir()
    (checkout / ".venv" / ".stamp").touch()
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10, 10, 0))
    setup.check_room()


def test_a_missing_venv_module_names_the_package_to_install(
    checkout: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Run for real, with a Python whose ensurepip cannot be imported, as on Debian without python3-venv."""
    broken = tmp_path_factory.mktemp("modules")
    (broken / "ensurepip.py").write_text("raise ImportError('not installed')\n")
    (checkout / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "setup.py", checkout / "tools")
    done = subprocess.run(
        [sys.executable, checkout / "tools" / "setup.py"],
        env={"PYTHONPATH": str(broken), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert done.returncode == 1
    assert done.stderr.strip() == (
        "Set-up stopped: Python's venv module is missing: install it (on Debian and Ubuntu "
        f"`apt-get install python{version}-venv` or `python3-venv`) and run `make setup` again."
    )
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize(
    ("version", "fits"),
    [
        ("v18.20.4", False),
        ("v20.18.9", False),
        ("v20.19.0", True),
        ("v20.20.2", True),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.19.0", True),
        ("nonsense", False),
    ],
)
def test_only_a_node_that_vite_runs_on_fits(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, version: str, fits: bool
) -> None:
    folder = checkout / ".venv" / "bin"
    folder.mkdir(parents=True)
    for name in ("node", "npm"):
        (folder / name).write_text(f"#!/bin/sh\necho {version}\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", "/bin")
    assert setup.node_fits() is fits


def test_a_machine_without_npm_does_not_fit(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(checkout))
    assert setup.node_fits() is False


LOCKED = {
    "": {"name": "front end"},
    "node_modules/react": {"version": "19.3.1"},
    "node_modules/only-on-macos": {"version": "1.0.0", "optional": True},
}


@pytest.mark.parametrize(
    ("installed", "up_to_date"),
    [
        ({"node_modules/react": {"version": "19.3.1"}}, True),
        ({"node_modules/react": {"version": "19.3.1"}, "node_modules/only-on-macos": {"version": "1.0.0"}}, True),
        ({"node_modules/react": {"version": "19.3.0"}}, False),
        ({}, False),
        ({"node_modules/react": {"version": "19.3.1"}, "node_modules/left-over": {"version": "2.0.0"}}, False),
    ],
)
def test_the_front_end_is_installed_again_only_when_the_lock_says_something_else(
    checkout: Path, installed: dict[str, object], up_to_date: bool
) -> None:
    frontend = checkout / "frontend"
    (frontend / "node_modules").mkdir(parents=True)
    (frontend / "package-lock.json").write_text(json.dumps({"packages": LOCKED}))
    assert setup.front_end_is_installed() is False
    (frontend / "node_modules" / ".package-lock.json").write_text(json.dumps({"packages": installed}))
    assert setup.front_end_is_installed() is up_to_date


def test_a_failing_program_shows_the_end_of_what_it_printed(checkout: Path) -> None:
    with pytest.raises(setup.StepError) as failure:
        setup.run("sh", "-c", "for i in $(seq 60); do echo line $i; done; exit 3", cwd=checkout)
    assert "line 60" in str(failure.value)
    assert "line 35\n" not in str(failure.value)


def test_of_two_steps_side_by_side_the_other_still_ends(checkout: Path) -> None:
    done = []

    def fail() -> None:
        raise setup.StepError("npm failed")

    with pytest.raises(setup.StepError, match="npm failed"):
        setup.side_by_side(fail, lambda: done.append("python"))
    assert done == ["python"]


def test_the_pin_of_a_package_is_read_from_its_file() -> None:
    assert setup.pinned("torch", "requirements.txt").startswith("torch==")
    with pytest.raises(SystemExit, match=r"requirements.txt pins no unheard-of\."):
        setup.pinned("unheard-of", "requirements.txt")
