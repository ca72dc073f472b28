"""What the code imports is pinned by name, and the lock file says the same as the pins."""

import ast
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = {"config", "curation", "annotation", "evaluation", "fixtures", "tools", "tests"}
RUNS = ("config", "curation", "annotation", "evaluation")
CHECKS = ("tools", "tests", "fixtures")
# Installed by what is pinned and never missing where that is: the stubs' own typing aids.
WITH_ANOTHER = {"kombu": "celery", "billiard": "celery", "pydantic_core": "pydantic"}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(file: str) -> dict[str, str]:
    found = {}
    for line in (ROOT / file).read_text().splitlines():
        match = re.match(r"([A-Za-z0-9._-]+)(?:\[[a-z,]+\])?==([^\s;\\]+)", line)
        if match:
            found[plain(match[1])] = match[2]
    return found


def imported(folders: tuple[str, ...]) -> dict[str, str]:
    """Each foreign top-level module with one file that imports it."""
    found: dict[str, str] = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                names = []
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and node.level == 0:
                    names = [node.module or ""]
                for name in names:
                    top = name.split(".")[0]
                    if top not in OURS and top not in sys.stdlib_module_names:
                        found.setdefault(top, str(path.relative_to(ROOT)))
    return found


def unpinned(folders: tuple[str, ...], pinned: dict[str, str]) -> list[str]:
    owners = packages_distributions()
    missing = []
    for module, file in imported(folders).items():
        names = {plain(name) for name in owners.get(module, [module])} | {plain(WITH_ANOTHER.get(module, module))}
        if not names & set(pinned):
            missing.append(f"{module} ({file})")
    return missing


def test_what_runs_imports_only_what_requirements_txt_pins() -> None:
    assert unpinned(RUNS, pins("requirements.txt")) == []


def test_what_checks_and_tests_imports_only_what_is_pinned() -> None:
    assert unpinned(CHECKS, {**pins("requirements.txt"), **pins("requirements-dev.txt")}) == []


def test_the_lock_holds_every_pin_but_torch_at_the_same_version() -> None:
    wanted = {**pins("requirements.txt"), **pins("requirements-dev.txt")}
    assert wanted.pop("torch")
    locked = pins("requirements.lock")
    assert {name: locked.get(name) for name in wanted} == wanted
    assert "torch" not in locked


def test_the_lock_has_a_hash_for_everything_and_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text()
    entries = re.split(r"\n(?=[a-z0-9])", text.split("\n", 2)[2])
    assert [entry.split("==")[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert "://" not in text
