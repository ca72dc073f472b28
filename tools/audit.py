"""``make audit``: ask the public advisory services about every pinned package, Python's and the front end's.

A service that cannot be reached, or that does not know a package, is reported and fails the audit like an advisory. As
part of ``make check`` (``--daily``) the services are asked at most once a day for the same lock files, and missing
answers are reported without failing: a closed network must not stop people's work, but the report must show the gap.
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

from pip._internal.models.index import PyPI  # The address of the package index; pip has no public name for it.

ROOT = Path(__file__).resolve().parent.parent
MEMORY = ROOT / ".venv" / "audit.json"
LOCKS = (
    ROOT / "requirements.lock",
    ROOT / "requirements.txt",
    ROOT / "requirements-weights.txt",
    ROOT / "frontend" / "package-lock.json",
)
DAY, HOUR = 86_400, 3_600
TIMEOUT = 5  # seconds for one request
PATIENCE = 120  # seconds for all requests of one tool


@dataclass(frozen=True)
class AuditResult:
    """The answers of the services.

    Attributes:
        advisories: One line for each advisory on a pinned package.
        unanswered: One line for each service or group of packages without an answer.
    """

    advisories: list[str]
    unanswered: list[str]

    def __add__(self, other: "AuditResult") -> "AuditResult":
        return AuditResult(self.advisories + other.advisories, self.unanswered + other.unanswered)


# --- Python -----------------------------------------------------------------------------------------------------------


def pins() -> dict[str, str]:
    """Every pinned package with its version; ``requirements.lock`` has neither torch nor packages of weights."""
    text = "\n".join(lock.read_text() for lock in LOCKS if lock.suffix != ".json")
    return {name.lower(): version for name, version in re.findall(r"(?m)^([\w.-]+)(?:\[\w+\])?==([\w.+!]+)", text)}


def python_packages(pinned: dict[str, str]) -> AuditResult:
    """Ask for the advisories on each pinned release; if the service does not know it, read its page of the index."""
    result, complaint = run(
        [
            *(sys.executable, "-m", "pip_audit", "--requirement", "requirements.lock", "--disable-pip"),
            *("--format", "json", "--progress-spinner", "off", "--timeout", str(TIMEOUT)),
        ],
        ROOT,
    )
    if not isinstance(result, dict) or "dependencies" not in result:
        return AuditResult([], [f"Python: no service answered ({last_line(complaint)})"])
    known = {row["name"].lower(): row["vulns"] for row in result["dependencies"] if "vulns" in row}
    with ThreadPoolExecutor(8) as pool:
        rest = [(name, version) for name, version in pinned.items() if name not in known]
        known |= {
            name: advisories
            for (name, _), advisories in zip(rest, pool.map(of_newest_release, rest), strict=True)
            if advisories is not None
        }
    unknown = sorted(pinned.keys() - known.keys())
    return AuditResult(
        [
            f"Python: {name} {pinned.get(name, '')}: {each['id']}, fixed in {', '.join(fixed_in(each)) or 'none'}"
            for name, advisories in sorted(known.items())
            for each in advisories
        ],
        [f"Python: {len(unknown)} of {len(pinned)} packages ({', '.join(unknown[:3])} …)"] if unknown else [],
    )


def fixed_in(advisory: dict[str, Any]) -> list[str]:
    """The releases that fix an advisory; pip-audit and the index use different keys."""
    releases: list[str] = advisory.get("fix_versions") or advisory.get("fixed_in") or []
    return releases


def of_newest_release(pin: tuple[str, str]) -> list[dict[str, Any]] | None:
    """The advisories on a package's page, which are for its newest release; None if another release is pinned."""
    name, version = pin
    try:
        with urllib.request.urlopen(f"{PyPI.pypi_url}/{name}/json", timeout=TIMEOUT) as answer:  # noqa: S310  (https)
            page = json.load(answer)
    except (urllib.error.URLError, TimeoutError, ValueError):
        return None
    advisories: list[dict[str, Any]] = page["vulnerabilities"]
    return [each for each in advisories if not each.get("withdrawn")] if page["info"]["version"] == version else None


# --- The front end ----------------------------------------------------------------------------------------------------


def front_end_packages() -> AuditResult:
    """Ask npm's registry for the advisories on the packages in the front end's lock file."""
    result, complaint = run(
        ["npm", "audit", "--json", f"--fetch-timeout={TIMEOUT * 1000}", "--fetch-retries=0"], ROOT / "frontend"
    )
    if not isinstance(result, dict) or "vulnerabilities" not in result:
        reason = (result or {}).get("message") or last_line(complaint)
        return AuditResult([], [f"front end: no service answered ({reason[:200]})"])
    return AuditResult(
        [f"front end: {name}: {each['severity']}" for name, each in result["vulnerabilities"].items()], []
    )


# --- Asking -----------------------------------------------------------------------------------------------------------


def run(words: list[str], folder: Path) -> tuple[Any, str]:
    """Run a tool; return what it printed as JSON, or None, and its error output."""
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
    """The last line of a tool's error output, which names the cause."""
    return (complaint.strip().splitlines() or ["no answer"])[-1][:200]


def ask() -> AuditResult:
    """Ask about everything that is pinned."""
    return python_packages(pins()) + front_end_packages()


def daily_result(now: float) -> AuditResult:
    """The stored result for these lock files, up to a day old, or up to an hour if incomplete; otherwise ask."""
    digest = hashlib.sha256(b"".join(lock.read_bytes() for lock in LOCKS)).hexdigest()
    try:
        kept = json.loads(MEMORY.read_text())
        result = AuditResult(kept["advisories"], kept["unanswered"])
        if kept["digest"] == digest and 0 <= now - kept["asked"] < (HOUR if result.unanswered else DAY):
            return result
    except (OSError, ValueError, KeyError):
        pass  # Never asked, or written by another version.
    result = ask()
    MEMORY.write_text(json.dumps({"digest": digest, "asked": now, **asdict(result)}))
    return result


def main(words: list[str]) -> int:
    """Ask and print the result; return 1 on advisories, and without ``--daily`` also on missing answers."""
    daily = words == ["--daily"]
    result = daily_result(time.time()) if daily else ask()
    lines = result.advisories + [f"not checked for advisories: {'; '.join(result.unanswered)}"] * bool(
        result.unanswered
    )
    if lines or not daily:
        print("\n".join(lines) or "no advisory names a package that is used here")
    return 1 if result.advisories or (result.unanswered and not daily) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
