"""``docs/reliability.md`` names a test for each line, and each of them exists."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reliability.md").read_text()
ROWS = [line.strip("| \n").split(" | ") for line in PAGE.splitlines() if re.match(r"\| (?!what could|---)", line)]
NAMED = re.findall(r"`([\w/.-]+\.(?:py|tsx?))::([^`]+)`", PAGE)


def test_every_test_that_the_page_names_exists() -> None:
    missing = []
    for file, name in NAMED:
        path = ROOT / file
        text = path.read_text() if path.exists() else ""
        known = f"def {name}(" in text if file.endswith(".py") else f'"{name}"' in text
        if not known:
            missing.append(f"{file}::{name}")
    assert missing == []
    assert len(NAMED) > 90


def test_every_line_has_its_test_or_says_that_it_is_not_built() -> None:
    assert len(ROWS) >= 60
    without = [row for row in ROWS if "::" not in row[-1]]
    assert all(re.search(r"not available yet", row[1]) for row in without)
    assert len(without) == 1
