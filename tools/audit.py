"""``make audit``: ask the public advisory services about every pinned package, Python's and the front end's.

A service that cannot be reached, or that does not know a package, is told as such and fails like a finding. As a part
of ``make check`` (``--daily``) the same is asked at most once a day for the same lock files, and what nobody answers
is told without failing: a closed network must not stop anybody's work, and silence must not look like a good answer.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pip._internal.models.index import PyPI  # Where the package index is; pip says it nowhere else.

ROOT = Path(__file__).resolve().parent.parent
MEMORY = ROOT / ".venv" / "audit.json"
LOCKS = (ROOT / "requirements.lock", ROOT / "requirements.txt", ROOT / "frontend" / "package-lock.json")
DAY, HOUR = 86_400, 3_600
TIMEOUT = 5  # seconds for one request
PATIENCE = 120  # seconds for all requests of one tool


@dataclass(frozen=True)
class Told:
    """What the services said: advisories about what is pinned, and what they said nothing of."""

    found: list[str]
    unanswered: list[str]

    def __add__(self, other: "Told") -> "Told":
        return Told(self.found + other.found, self.unanswered + other.unanswered)


# --- Python -----------------------------------------------------------------------------------------------------------


def pins() -> dict[str, str]:
    """Every pinned package with its version; torch stands in ``requirements.txt`` alone."""
    text = "\n".join(lock.read_text() for lock in LOCKS if lock.suffix != ".json")
    return {name.lower(): version for name, version in re.findall(r"(?m)^([\w.-]+)(?:\[\w+\])?==([\w.+!]+)", text)}


def python_packages(pinned: dict[str, str]) -> Told:
    """Ask about each package's release, and where an index has no page of it, about the package's newest release."""
    told, complaint = run(
        [
            *(sys.executable, "-m", "pip_audit", "--requirement", "requirements.lock", "--disable-pip"),
            *("--format", "json", "--progress-spinner", "off", "--timeout", str(TIMEOUT)),
        ],
        ROOT,
    )
    if not isinstance(told, dict) or "dependencies" not in told:
        return Told([], [f"Python: no service answered ({last_line(complaint)})"])
    known = {row["name"].lower(): row["vulns"] for row in told["dependencies"] if "vulns" in row}
    with ThreadPoolExecutor(8) as pool:
        rest = [(name, version) for name, version in pinned.items() if name not in known]
        known |= {
            name: advisories
            for (name, _), advisories in zip(rest, pool.map(of_newest_release, rest), strict=True)
            if advisories is not None
        }
    unknown = sorted(pinned.keys() - known.keys())
    return Told(
        [
            f"Python: {name} {pinned.get(name, '')}: {each['id']}, mended in {', '.join(mended_in(each)) or 'none'}"
            for name, advisories in sorted(known.items())
            for each in advisories
        ],
        [f"Python: {len(unknown)} of {len(pinned)} packages ({', '.join(unknown[:3])} …)"] if unknown else [],
    )


def mended_in(advisory: dict[str, Any]) -> list[str]:
    """The releases that an advisory no longer holds for; pip-audit and the index name them differently."""
    found: list[str] = advisory.get("fix_versions") or advisory.get("fixed_in") or []
    return found


def of_newest_release(pin: tuple[str, str]) -> list[dict[str, Any]] | None:
    """The advisories on a package's page, which speak of its newest release; None if another one is pinned."""
    name, version = pin
    try:
        with urllib.request.urlopen(f"{PyPI.pypi_url}/{name}/json", timeout=TIMEOUT) as answer:  # noqa: S310  (https)
            page = json.load(answer)
    except (urllib.error.URLError, TimeoutError, ValueError):
        return None
    advisories: list[dict[str, Any]] = page["vulnerabilities"]
    return [each for each in advisories if not each.get("withdrawn")] if page["info"]["version"] == version else None


# --- The front end ----------------------------------------------------------------------------------------------------


def front_end_packages() -> Told:
    """What npm's registry knows of the packages in the front end's lock file."""
    told, complaint = run(
        ["npm", "audit", "--json", f"--fetch-timeout={TIMEOUT * 1000}", "--fetch-retries=0"], ROOT / "frontend"
    )
    if not isinstance(told, dict) or "vulnerabilities" not in told:
        said = (told or {}).get("message") or last_line(complaint)
        return Told([], [f"front end: no service answered ({said[:200]})"])
    return Told([f"front end: {name}: {each['severity']}" for name, each in told["vulnerabilities"].items()], [])


# --- Asking -----------------------------------------------------------------------------------------------------------


def run(words: list[str], folder: Path) -> tuple[Any, str]:
    """What a tool printed as JSON, or None, and what it complained of."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
            env={**os.environ, "PATH": path},
        )
    except (OSError, subprocess.TimeoutExpired) as failure:
        return None, str(failure)
    try:
        return json.loads(done.stdout), done.stderr
    except ValueError:
        return None, done.stderr


def last_line(complaint: str) -> str:
    """The end of what a tool complained of, which names the cause."""
    return (complaint.strip().splitlines() or ["no answer"])[-1][:200]


def ask() -> Told:
    """Ask about everything that is pinned."""
    return python_packages(pins()) + front_end_packages()


def remembered(now: float) -> Told:
    """What was told of these lock files within the day, or within the hour if something stayed unanswered; else ask."""
    digest = hashlib.sha256(b"".join(lock.read_bytes() for lock in LOCKS)).hexdigest()
    try:
        kept = json.loads(MEMORY.read_text())
        told = Told(kept["found"], kept["unanswered"])
        if kept["digest"] == digest and 0 <= now - kept["asked"] < (HOUR if told.unanswered else DAY):
            return told
    except (OSError, ValueError, KeyError):
        pass  # Never asked, or written by another version.
    told = ask()
    MEMORY.write_text(json.dumps({"digest": digest, "asked": now, **asdict(told)}))
    return told


def main(words: list[str]) -> int:
    """Ask and print what was said; 1 when something was found, without ``--daily`` also when something is not known."""
    daily = words == ["--daily"]
    told = remembered(time.time()) if daily else ask()
    lines = told.found + [f"not checked for advisories: {'; '.join(told.unanswered)}"] * bool(told.unanswered)
    if lines or not daily:
        print("\n".join(lines) or "no advisory names a package that is used here")
    return 1 if told.found or (told.unanswered and not daily) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
