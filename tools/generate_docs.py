"""Write what the docs and the tests generate from tables in the code, or check that it is in step.

``docs/architecture/states.md`` draws every life cycle, ``tests/permissions.csv`` lists who may do what and is read as a
difference in review. ``python -m tools.generate_docs`` writes them; ``--check`` writes nothing and fails on a change.
"""

import argparse
import csv
import importlib
import io
import os
import sys
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent
CYCLES = {
    "A picture": "curation.images.states",
    "An item": "annotation.items.states",
    "A package": "annotation.packages.states",
    "A release": "annotation.releases.states",
}


def states_page() -> str:
    """Return the page that draws every state table."""
    draw = importlib.import_module("curation.core.transitions").draw
    head = "# Life cycles\n\nDrawn from the `states.py` of each feature by `make generated`; do not edit.\n"
    return "\n".join([head, *(draw(title, importlib.import_module(name).TABLE) for title, name in CYCLES.items())])


def permissions_csv() -> str:
    """Return the permission table, one row for each operation and role."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["operation", "role", "reach"])
    writer.writerows(importlib.import_module("curation.people.queries").permission_rows())
    return out.getvalue()


def generated() -> dict[Path, str]:
    """Return each generated file with its text."""
    return {
        ROOT / "docs" / "architecture" / "states.md": states_page(),
        ROOT / "tests" / "permissions.csv": permissions_csv(),
    }


def main(words: list[str] | None = None) -> int:
    """Write or check the generated files."""
    parser = argparse.ArgumentParser(description="Write what docs and tests generate from the code's tables.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file would change")
    check = parser.parse_args(words).check
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    stale = [p for p, text in generated().items() if not p.exists() or p.read_text() != text]
    if check:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is out of step: run `make generated`.", file=sys.stderr)
        return 1 if stale else 0
    for path, text in generated().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
