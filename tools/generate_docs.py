"""Write what the docs and the tests generate from tables in the code, or check that it is in step.

``docs/architecture/states.md`` draws every life cycle, ``docs/architecture/permissions.md`` shows who may do what;
``tests/permissions.csv`` lists the same and is read as a difference in review. ``python -m tools.generate_docs`` writes
them; ``--check`` writes nothing and fails on a change.
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
    "A proposed category": "curation.board.states",
    "A picture": "curation.images.states",
    "An item": "annotation.items.states",
    "A package": "annotation.packages.states",
    "An item of a team": "annotation.peer.states",
    "A dialogue": "annotation.dialogues.states",
    "A seat": "annotation.seats.states",
    "A release": "annotation.releases.states",
    "A bulk action": "annotation.bulk.states",
    "A run": "evaluation.runs.states",
}


def states_page() -> str:
    """Return the page that draws every state table."""
    transitions = importlib.import_module("curation.core.transitions")
    page = ["# Life cycles", "", "Drawn from the `states.py` of each feature by `make generated`; do not edit.", ""]
    page += [
        "`By` says which relation to the row a person needs besides the operation; `system` is the application.",
        "",
    ]
    for title, name in CYCLES.items():
        page += [transitions.draw(title, importlib.import_module(name).TABLE)]
    packages = importlib.import_module("annotation.packages.states")
    for purpose, table in (("reviewed", packages.REVIEW_POOL), ("inspected", packages.INSPECTION_POOL)):
        page += [f"## A package {purpose} from a pool", "", "Only the rows that differ.", ""]
        page += transitions.tabulate(table)
    page += [transitions.draw("An item before a panel", importlib.import_module("annotation.peer.states").PANEL)]
    page += [transitions.draw("An item of a pair", importlib.import_module("annotation.peer.states").PAIR)]
    ticks = importlib.import_module("curation.images.states").TICKS
    page += [transitions.draw("The tick of a picture's version", ticks)]
    page += [transitions.draw("An erratum", importlib.import_module("annotation.releases.states").ERRATA)]
    page += ["## A seat of an item of a team", "", "It is claimed, renewed and released like other seats.", ""]
    page += transitions.tabulate(importlib.import_module("annotation.seats.states").PEER)
    page += ["## A seat before a panel", "", "It is claimed, renewed and released like other seats.", ""]
    page += transitions.tabulate(importlib.import_module("annotation.seats.states").PANEL)
    page += ["## A seat of a second person", "", "It is claimed, renewed and released like other seats.", ""]
    page += transitions.tabulate(importlib.import_module("annotation.seats.states").CLICKS)
    return "\n".join(page)


def permissions_csv() -> str:
    """Return the permission table, one row for each operation and capability."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["operation", "capability", "reach"])
    writer.writerows(importlib.import_module("curation.people.queries").permission_rows())
    return out.getvalue()


def permissions_page() -> str:
    """Return the page that shows the permission table."""
    rows = importlib.import_module("curation.people.queries").permission_rows()
    rules = importlib.import_module("curation.people.rules")
    operations = importlib.import_module("curation.core.operations").OPERATIONS
    opened: dict[str, list[str]] = {}
    for operation, capability, reach in rows:
        opened.setdefault(operation, []).append(capability if reach == "all" else f"{capability} ({reach})")
    lines = [
        "# Who may do what",
        "",
        "Written by `make generated` from what each view declares; do not edit. A protocol's roles are bundles of",
        "capabilities. In parentheses is how far a capability reaches: rows of the person's team, assigned to them,",
        "or their own; without parentheses, every row of the benchmark. `member` is a person with any role, `lead` a",
        "team's lead where the protocol lets leads invite, `own` the site's owner.",
        "",
        "| Operation | Opened by | Needs consent | By token |",
        "| --- | --- | --- | --- |",
        *(
            f"| `{operation}` | {', '.join(by)} | {'yes' if operations[operation].contributes else ''} "
            f"| {'yes' if operations[operation].by_token else ''} |"
            for operation, by in opened.items()
        ),
        "",
        f"No operation asks for these capabilities yet: {', '.join(rules.planned_capabilities())}.",
        "",
    ]
    return "\n".join(lines)


def generated() -> dict[Path, str]:
    """Return each generated file with its text."""
    return {
        ROOT / "docs" / "architecture" / "states.md": states_page(),
        ROOT / "docs" / "architecture" / "permissions.md": permissions_page(),
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
