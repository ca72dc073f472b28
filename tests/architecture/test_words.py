"""The audit log's actions and target types have texts in the interface; nobody reads a code there."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps

from annotation.judging.services import ACTIONS
from annotation.packages import states as packages
from annotation.releases import states as releases
from annotation.tracks.registry import TRACKS
from curation.images import states as images
from evaluation.runs import states as runs

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("en", "zh-Hans", "zh-Hant")


def recorded(what: str) -> Iterator[str]:
    """The literal values of an argument in calls that write the audit log, also both of a conditional expression."""
    for room in ("curation", "annotation", "evaluation"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
                    ("audit.record", "audit.event", "AuditEvent", "Decision")
                ):
                    values = [keyword.value for keyword in node.keywords if keyword.arg == what]
                    either = [[one.body, one.orelse] if isinstance(one, ast.IfExp) else [one] for one in values]
                    for part in (part for parts in either for part in parts):
                        if isinstance(part, ast.Constant) and isinstance(part.value, str):
                            yield part.value


def labelled_models() -> set[str]:
    """Models with a property ``label``, the name in the audit log, and jobs; ``Decision`` records its row's model."""
    labelled = {
        model._meta.model_name or ""
        for model in apps.get_models()
        if isinstance(getattr(model, "label", None), property)
    }
    return labelled | {"job"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_recorded_has_words(language: str) -> None:
    words = json.loads((ROOT / "frontend/src/locales" / language / "ui.json").read_text())
    tables = [TRACKS[name].table for name in TRACKS]
    tables += [room.TABLE for room in (packages, releases, images, runs)]
    rows = [row for table in tables for row in table.values()]
    moves = {row.operation for row in rows if row.target is not None}
    actions, things = set(recorded("action")), set(recorded("target_type")) | labelled_models()
    assert {"import_create", "rename", "run_start"} <= actions
    assert {"item", "import", "job"} <= things
    assert (actions | moves | set(ACTIONS.values())) - set(words["operation"]) == set()
    assert things - set(words["target"]) == set()
    assert set(TRACKS) - set(words["track"]) == set()
