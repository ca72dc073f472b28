"""The import contracts hold, and they catch what they are there for: faults planted in a copy are named."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("config", "curation", "annotation", "evaluation")
PROGRAM = Path(sys.executable).parent / "lint-imports"

# (file of the copy, line planted at its end, contract that must break)
FAULTS = [
    ("curation/core/text.py", "import curation.images.models", "Rooms of curation"),
    ("annotation/items/models.py", "import annotation.releases.models", "Rooms of annotation"),
    ("evaluation/systems/models.py", "import evaluation.scoring.models", "Rooms of evaluation"),
    ("curation/images/models.py", "import annotation.items.models", "Apps import downwards only"),
    ("annotation/items/models.py", "import annotation.items.queries", "Inside a room"),
    ("annotation/packages/models.py", "import curation.people.api.views", "HTTP code is private"),
    ("annotation/kinds/registry.py", "import django.db", "Rules, kinds, metrics and backends know nothing of Django"),
    ("annotation/tracks/access.py", "import annotation.packages.access", "Only the registry of tracks names a track"),
    ("curation/people/models.py", "import curation.wire.transport", "Only these may send a picture"),
    ("curation/wire/text.py", "import django.db", "Rules, kinds, metrics and backends know nothing of Django"),
    ("curation/detectors/boxes.py", "import django.db", "Rules, kinds, metrics and backends know nothing of Django"),
    ("curation/detectors/boxes.py", "import curation.core.text", "Rooms of curation"),
    # Two halves of one cycle inside a room.
    ("curation/core/text.py", "import curation.core.jobs", "No cycles anywhere"),
    ("curation/core/jobs.py", "import curation.core.text", "No cycles anywhere"),
]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_code_keeps_every_contract(copy: Path) -> None:
    done = lint(copy)
    assert done.returncode == 0, done.stdout


def test_a_fault_planted_against_each_contract_breaks_that_contract(copy: Path) -> None:
    (copy / "annotation" / "items" / "queries.py").touch()
    for file, line, _ in FAULTS:
        with (copy / file).open("a") as handle:
            handle.write(f"\n{line}\n")
    done = lint(copy)
    assert done.returncode == 1
    broken = [line for line in done.stdout.splitlines() if " BROKEN" in line]
    missed = [contract for _, _, contract in FAULTS if not any(line.startswith(contract) for line in broken)]
    assert missed == []


def test_a_folder_that_no_contract_lists_fails(copy: Path) -> None:
    (copy / "annotation" / "extras").mkdir()
    (copy / "annotation" / "extras" / "__init__.py").touch()
    done = lint(copy)
    assert done.returncode == 1
    assert "annotation.extras" in done.stdout
