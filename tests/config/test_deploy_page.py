"""The page on deployment names every variable, every code and every file that there is."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "deploy.md").read_text()


def test_the_table_lists_every_variable_of_the_settings():
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', (ROOT / "config" / "settings.py").read_text()))
    told = {
        name for row in re.findall(r"^\| (`[^|]+)\|", PAGE, re.MULTILINE) for name in re.findall(r"`([A-Z_]+)`", row)
    }
    assert read - told == set()


def test_the_examples_set_only_variables_of_the_table():
    told = set(re.findall(r"`([A-Z_]+)`", PAGE))
    for name in ("lantern.env", "owner.env"):
        lines = (ROOT / "docs" / "deploy" / name).read_text().splitlines()
        assert {line.split("=")[0] for line in lines if line and line[0] != "#"} - told <= {"HF_HUB_OFFLINE"}


def test_every_code_that_stops_a_start_is_explained():
    codes = set(re.findall(r'id="(lantern\.\w+)"', (ROOT / "config" / "checks.py").read_text()))
    assert codes == set(re.findall(r"^\| `(lantern\.\w+)` \|", PAGE, re.MULTILINE))


def test_every_file_is_spoken_of():
    units = {path.name for path in (ROOT / "docs" / "deploy").iterdir()}
    assert {name for name in units if name not in PAGE and name.split(".")[0] not in PAGE} == set()
