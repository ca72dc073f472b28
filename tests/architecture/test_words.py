"""What the audit trail records has words in the interface: nobody reads a code there."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.items import states as items
from annotation.packages import states as packages
from annotation.releases import states as releases
from curation.images import states as images
from evaluation.runs import states as runs

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("en", "zh-Hans", "zh-Hant")


def recorded(what: str) -> Iterator[str]:
    """Texts that calls of the audit log give by a name, also where one of two is chosen."""
    for room in ("curation", "annotation", "evaluation"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("audit.record", "AuditEvent")):
                    given = [keyword.value for keyword in node.keywords if keyword.arg == what]
                    either = [[one.body, one.orelse] if isinstance(one, ast.IfExp) else [one] for one in given]
                    for part in (part for parts in either for part in parts):
                        if isinstance(part, ast.Constant) and isinstance(part.value, str):
                            yield part.value


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_recorded_has_words(language: str) -> None:
    words = json.loads((ROOT / "frontend/src/locales" / language / "ui.json").read_text())
    rows = [row for room in (items, packages, releases, images, runs) for row in room.TABLE.values()]
    moves = {row.operation for row in rows if row.target is not None}
    actions, things = set(recorded("action")), set(recorded("target_type"))
    assert {"run_start", "rename"} <= actions
    assert {"item", "import", "job"} <= things
    assert (actions | moves) - set(words["operation"]) == set()
    assert things - set(words["target"]) == set()
