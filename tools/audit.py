"""``make audit``: ask the public advisory services about every pinned package, Python's and the front end's.

It needs the network, so it is no part of ``make check``. It never passes without an answer: a service that cannot be
reached, or that does not know a package, is told as such and fails like a finding.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 300


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


def python_packages(told: Any, complaint: str) -> list[str]:
    """What pip-audit's report gives reason to say."""
    if not isinstance(told, dict) or "dependencies" not in told:
        last = complaint.strip().splitlines()[-1:] or ["no answer"]
        return [f"Python: no advisory service answered ({last[0][:200]})"]
    rows = told["dependencies"]
    found = [
        f"Python: {row['name']} {row['version']}: {each['id']}, mended in {', '.join(each['fix_versions']) or 'none'}"
        for row in rows
        for each in row.get("vulns", [])
    ]
    unknown = [row["name"] for row in rows if "skip_reason" in row]
    if unknown:
        found.append(f"Python: {len(unknown)} of {len(rows)} packages were not audited: {', '.join(unknown[:5])} …")
    return found


def front_end_packages(told: Any, complaint: str) -> list[str]:
    """What npm's report gives reason to say."""
    if not isinstance(told, dict) or "vulnerabilities" not in told:
        said = complaint.strip().splitlines()[-1:] or [str((told or {}).get("message", "no answer"))]
        return [f"front end: no advisory service answered ({said[0][:200]})"]
    return [f"front end: {name}: {each['severity']}" for name, each in told["vulnerabilities"].items()]


def main() -> int:
    """Ask both; 1 when something was found or not told."""
    asked = ["pip-audit", "--requirement", "requirements.lock", "--disable-pip", "--progress-spinner", "off"]
    wrong = python_packages(*run([*asked, "--format", "json"], ROOT))
    wrong += front_end_packages(*run(["npm", "audit", "--json"], ROOT / "frontend"))
    print("\n".join(wrong) or "no advisory names a package that is used here")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
